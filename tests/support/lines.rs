//! A program with JSON lines on its standard input and output, as an MCP client uses it.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

use crate::PATIENCE;

/// The running program.
pub struct Lines {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// Messages that arrived during other waits.
    heard: Vec<Value>,
    last_id: u64,
}

impl Lines {
    /// Starts a program.
    ///
    /// # Panics
    /// When it does not start, and later when it prints anything but JSON lines.
    pub fn start(command: &mut Command) -> Self {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.expect("the program starts");
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let value = serde_json::from_str(&line).unwrap_or_else(|_| json!({"not JSON": line}));
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        Self { child, input, output, heard: Vec::new(), last_id: 0 }
    }

    /// Starts a program and does the handshake of 2025-11-25.
    pub fn initialized(command: &mut Command) -> Self {
        let mut lines = Self::start(command);
        let client = json!({"name": "lines", "version": "1"});
        lines.call("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}));
        lines.notify("notifications/initialized");
        lines
    }

    /// Sends a request and returns its result.
    ///
    /// # Panics
    /// When the answer is an error.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("result").is_some(), "{method} was answered with {answer}");
        answer["result"].clone()
    }

    /// Sends a request and returns its id.
    pub fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}));
        self.last_id
    }

    /// Sends a notification without parameters.
    pub fn notify(&mut self, method: &str) {
        self.send(&json!({"jsonrpc": "2.0", "method": method}));
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: u64) -> Value {
        self.wait_for(&format!("the answer to {id}"), |message| message["id"] == id && message.get("method").is_none())
    }

    /// Waits for a notification of this method.
    pub fn notified(&mut self, method: &str) -> Value {
        self.wait_for(method, |message| message["method"] == method)
    }

    /// Waits for a message; other messages are kept for later waits.
    ///
    /// # Panics
    /// When it does not arrive.
    pub fn wait_for(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_it) {
            return self.heard.remove(at);
        }
        loop {
            let Ok(message) = self.output.recv_timeout(PATIENCE) else {
                panic!("{what} did not come; heard: {:#?}", self.heard)
            };
            if is_it(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Waits for a request of this method, and answers it with this result.
    pub fn reply_to(&mut self, method: &str, result: &Value) {
        let asked = self.notified(method);
        self.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
    }

    /// All messages that were not waited for, up to now.
    pub fn rest(&mut self) -> Vec<Value> {
        self.heard.extend(self.output.try_iter());
        std::mem::take(&mut self.heard)
    }

    /// The names that the tool `list_skills` lists.
    ///
    /// # Panics
    /// When the answer is not a list.
    pub fn skills(&mut self) -> Vec<String> {
        let result = self.call("tools/call", &json!({"name": "list_skills", "arguments": {}}));
        let skills = result["structuredContent"]["skills"].as_array().unwrap_or_else(|| panic!("a list, not {result}"));
        skills.iter().map(|skill| skill["id"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Closes its input and waits for its end; its last messages can still be waited for.
    ///
    /// # Panics
    /// When it cannot be waited for.
    pub fn close(&mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().expect("it ends")
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(format!("{message}\n").as_bytes()).expect("it reads");
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // Fails when it has already ended, which is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
