//! `skilltender serve`, running.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::Home;

/// The words that make the program serve, and say where.
pub const SERVE: [&str; 2] = ["serve", "--json"];

/// The engine without a window, ended on drop.
pub struct Serving {
    child: Child,
    /// `http://127.0.0.1:PORT/mcp`.
    pub url: String,
    /// The `by hand` token.
    pub token: String,
}

impl Serving {
    /// Starts it in this home and waits until it serves.
    pub fn start(home: &Home) -> Self {
        Self::start_with(home, |command| command)
    }

    /// Starts it with additional arguments or variables.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_with(home: &Home, add: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        Self::run(add(home.skilltender().args(SERVE)))
    }

    /// Starts this program, whose arguments are [`SERVE`] and others.
    ///
    /// # Panics
    /// When it does not start.
    pub fn run(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let mut line = String::new();
        let read = BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line);
        read.expect("the program says where it serves");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("one line of JSON, not {line:?}"));
        let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        Self { child, url: text("url"), token: text("token") }
    }

    /// Its port.
    ///
    /// # Panics
    /// When the address has none.
    pub fn port(&self) -> u16 {
        let port = self.url.split([':', '/']).nth(4).and_then(|port| port.parse().ok());
        port.unwrap_or_else(|| panic!("{} holds no port", self.url))
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it, as in a crash.
    ///
    /// # Panics
    /// When it has ended already.
    pub fn kill(mut self) {
        self.child.kill().expect("it was running");
        self.child.wait().expect("it ends");
    }

    /// Suspends it: it reads and answers nothing until it is killed.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Asks it to stop and returns its exit code.
    ///
    /// # Panics
    /// When it was ended by a signal.
    pub fn stop(mut self) -> i32 {
        self.signal("-TERM");
        self.child.wait().expect("it ends").code().expect("it ends by itself")
    }

    /// Ends it by a signal, named without `SIG`, and waits for its end.
    ///
    /// # Panics
    /// When it has ended already.
    pub fn end_by(mut self, signal: &str) {
        self.signal(&format!("-{signal}"));
        self.child.wait().expect("it ends");
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Fails when it has already ended, which is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
