//! A stdio client with almost no cost of its own: it writes lines and looks for ids.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A program that answers lines, and its pipes.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    last: usize,
    line: String,
}

impl Client {
    /// Starts `skilltender mcp --skills-dir` and waits for its answer to `initialize`: the library is read by then.
    pub(crate) fn start(skills: &Path) -> Self {
        Self::start_with(&[skills])
    }

    /// The same with several folders of skills.
    pub(crate) fn start_with(folders: &[&Path]) -> Self {
        let program = env::var("SKILLTENDER_PROGRAM").expect("`cargo xtask bench` names the program");
        let mut command = Command::new(program);
        command.arg("mcp");
        for folder in folders {
            command.arg("--skills-dir").arg(folder);
        }
        let mut client = Self::of(&mut command);
        client.shake_hands();
        client
    }

    pub(crate) fn shake_hands(&mut self) {
        self.ask(r#""method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#);
        self.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    }

    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, input, output, last: 0, line: String::new() }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and waits for its answer; notifications are dropped.
    pub(crate) fn ask(&mut self, request: &str) -> &str {
        self.request(request);
        let id = format!("\"id\":{}", self.last);
        loop {
            self.next();
            if self.line.contains(&id) {
                return &self.line;
            }
        }
    }

    pub(crate) fn request(&mut self, request: &str) {
        self.last += 1;
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{request}}}\n", self.last);
        self.send(&line);
    }

    /// Reads the next line of the program.
    pub(crate) fn next(&mut self) -> &str {
        self.line.clear();
        let read = self.output.as_mut().unwrap().read_line(&mut self.line);
        assert_ne!(read.unwrap(), 0, "the program ended");
        &self.line
    }

    /// Passes every further line to `told`, on another thread.
    pub(crate) fn hear(&mut self, told: impl Fn(String) + Send + 'static) {
        let output = self.output.take().unwrap();
        std::thread::spawn(move || output.lines().map_while(Result::ok).for_each(told));
    }

    fn send(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The program ends with its input.
        drop(self.input.take());
        drop(self.child.wait());
    }
}
