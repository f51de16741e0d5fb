//! A person's steps at the command line before a server runs.

use std::{io::Write as _, process::Stdio};

use serde_json::Value;
use tests::{Home, eventually};

/// Runs the program with this on its standard input, and returns what it printed.
pub(crate) fn run(home: &Home, words: &[&str], input: &str) -> String {
    let mut command = home.skilltender();
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{words:?}: {out}\n{err}");
    out
}

/// Shows a server's command, approves it, and waits until the server runs.
pub(crate) fn agree(home: &Home, server: &str) {
    let shown: Value = serde_json::from_str(&run(home, &["servers", "show", server, "--json"], "")).unwrap();
    run(home, &["servers", "approve", server, "--digest", shown["digest"].as_str().unwrap()], "");
    eventually("the server runs", || {
        let all: Value = serde_json::from_str(&run(home, &["servers", "--json"], "")).unwrap();
        let of = all.as_array()?.iter().find(|one| one["name"] == server)?.clone();
        assert_ne!(of["state"]["kind"], "down", "{of}");
        (of["state"]["kind"] == "running").then_some(())
    });
}
