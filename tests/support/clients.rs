//! Real MCP clients: the official Python one and the Inspector.

use std::{path::Path, process::Command};

use serde_json::Value;

use crate::given;

/// Runs `tests/support/client.py` on a target and returns what it printed.
///
/// # Panics
/// When it fails.
pub fn python(target: &Value) -> Value {
    python_script("client.py", target)
}

/// Runs a Python script of `tests/support` on a target and returns what it printed.
///
/// # Panics
/// When it fails.
pub fn python_script(name: &str, target: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("support").join(name);
    printed(Command::new(given("SKILLTENDER_PYTHON")).arg(script).arg(target.to_string()))
}

/// Runs the Inspector's command line and returns what it printed.
///
/// # Panics
/// When it fails.
pub fn inspector(words: &[&str]) -> Value {
    printed(&mut inspecting(words))
}

/// Lets the Inspector read every file of every listed skill and compare digest, size and frontmatter. Returns each
/// skill's name and its number of verified files.
///
/// # Panics
/// When anything differs, or has no digest: the Inspector fails then.
pub fn verified_by_inspector(target: &[&str]) -> Vec<(String, usize)> {
    let list = ["--method", "skills/list", "--verify", "--require-digests"];
    let output = text_of(&mut inspecting(&[target, &list].concat()));
    let lines = output.lines().filter(|line| line.starts_with('{'));
    let skills = lines.map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON for each skill"));
    skills
        .map(|skill| {
            let files = skill["files"].as_array().expect("its files");
            let verified = files.iter().filter(|file| file["status"] == "verified").count();
            assert_eq!((&skill["ok"], verified), (&Value::Bool(true), files.len()), "{skill}");
            (skill["name"].as_str().unwrap_or_default().to_owned(), verified)
        })
        .collect()
}

fn inspecting(words: &[&str]) -> Command {
    let program = given("SKILLTENDER_INSPECTOR").join("clients/launcher/build/index.js");
    let mut command = Command::new(given("SKILLTENDER_NODE"));
    command.arg(program).arg("--cli").args(words).args(["--format", "json"]).env("INSPECTOR_SECRET_STORE", "memory");
    command
}

fn printed(command: &mut Command) -> Value {
    let text = text_of(command);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("JSON, not {text}"))
}

fn text_of(command: &mut Command) -> String {
    let output = command.output().expect("the client starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the client failed: {out}\n{err}");
    out.into_owned()
}
