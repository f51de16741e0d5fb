//! A keychain that never answers, as with an unanswered prompt: everything that does not need it continues.

use std::{
    io::Write as _,
    os::unix::net::UnixListener,
    process::{Child, Output, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::Value;
use tests::{Home, Serving};

const SKILL: &str = "---\nname: notes\ndescription: Finds notes. Use when notes are wanted.\nrequires-mcp-servers:\n  \
    - name: github\n    command: npx\n    args: [server]\n    env: {TOKEN: \"${TOKEN}\", OTHER: \"${OTHER}\"}\n    \
    parameters:\n      TOKEN: {description: A token, sensitive: true}\n      OTHER: {description: Another, sensitive: true}\n\
    ---\n\nAsk the server.\n";

/// A session bus that accepts connections and never answers. The receiver gets one message per connection.
fn silent_bus(home: &Home) -> (String, Receiver<()>) {
    let path = home.path("bus");
    let listener = UnixListener::bind(&path).unwrap();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            open.push(stream);
            tell.send(()).ok();
        }
    });
    (format!("unix:path={}", path.display()), told)
}

fn run(home: &Home, words: &[&str]) -> Output {
    let output = home.skilltender().args(words).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn set(home: &Home, name: &str) -> Child {
    let mut command = home.skilltender();
    command.args(["secrets", "set", "notes", "github", name]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"canary").unwrap();
    child
}

#[test]
fn an_unanswered_keychain_keeps_nobody_waiting_who_does_not_need_it_and_stopping_least_of_all() {
    let home = Home::new();
    home.write("skills/notes/SKILL.md", SKILL);
    let (address, asked) = silent_bus(&home);
    let serving = Serving::start_with(&home, |command| command.env("DBUS_SESSION_BUS_ADDRESS", &address));
    asked.recv().unwrap();
    let setting = [set(&home, "TOKEN"), set(&home, "OTHER")];

    run(&home, &["trash", "coffee"]);
    run(&home, &["disable", "tea"]);
    run(&home, &["settings", "prompts", "off"]);
    run(&home, &["servers"]);
    run(&home, &["values"]);
    let all: Value = serde_json::from_slice(&run(&home, &["list", "--json"]).stdout).unwrap();
    assert!(!all.to_string().contains("coffee"), "{all}");

    for child in setting {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let listed = String::from_utf8(run(&home, &["secrets"]).stdout).unwrap();
    assert_eq!(listed.matches("in memory until Skilltender quits").count(), 2, "{listed}");
    run(&home, &["secrets", "delete", "notes", "github", "TOKEN"]);
    // The prompt is open all the time.
    assert_eq!(serving.stop(), 0);
}

#[test]
fn a_command_of_its_own_ends_with_an_error_where_the_keychain_says_nothing() {
    let home = Home::new();
    home.write("skills/notes/SKILL.md", SKILL);
    let (address, _asked) = silent_bus(&home);
    let mut command = home.skilltender();
    command.env("DBUS_SESSION_BUS_ADDRESS", &address).args(["secrets", "set", "notes", "github", "TOKEN"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"canary").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("so it was not stored"), "{output:?}");
}
