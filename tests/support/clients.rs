//! Real MCP clients: the official Python one and the Inspector.

use std::{path::Path, process::Command};

use serde_json::Value;

use crate::given;

/// Runs `tests/support/client.py` on a target and returns what it printed.
///
/// # Panics
/// When it fails.
pub fn python(target: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/client.py");
    printed(Command::new(given("SKILLTENDER_PYTHON")).arg(script).arg(target.to_string()))
}

/// Runs the Inspector's command line and returns what it printed.
///
/// # Panics
/// When it fails.
pub fn inspector(words: &[&str]) -> Value {
    let program = given("SKILLTENDER_INSPECTOR").join("clients/launcher/build/index.js");
    printed(
        Command::new(given("SKILLTENDER_NODE"))
            .arg(program)
            .arg("--cli")
            .args(words)
            .args(["--format", "json"])
            .env("INSPECTOR_SECRET_STORE", "memory"),
    )
}

fn printed(command: &mut Command) -> Value {
    let output = command.output().expect("the client starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the client failed: {out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("JSON, not {out}\n{err}"))
}
