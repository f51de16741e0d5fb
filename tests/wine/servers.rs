//! Servers behind a `.cmd`, as npm installs them. Their processes are those of this computer: Wine's are listed in
//! `/proc` with their arguments.

use std::{fs, process::Command};

use serde_json::json;
use tests::{Lines, SERVE, Serving, eventually, given};

use crate::home::{Home, windows};

/// A home whose skill needs a server that a `.cmd` starts, with a secret.
fn home() -> Home {
    let home = Home::new();
    home.write("description", "Says what it is told");
    let server = given("SKILLTENDER_WINE_SERVER");
    // The wrapper itself waits for its child, and so is in the way of a plain kill.
    home.write("skills/tea/teapot.cmd", &format!("@\"{}\" %*\r\n", windows(&server)));
    let description = windows(&home.path("description"));
    let text = format!(
        "---\nname: tea\ndescription: Makes tea. Use when somebody wants tea.\nrequires-mcp-servers:\n  - name: teapot\n    description: To brew\n    command: ./teapot.cmd\n    args: [good, '{description}']\n    env: {{TEAPOT_KEY: \"${{KEY}}\"}}\n    parameters:\n      KEY: {{description: Opens it, sensitive: true, required: true}}\n---\nBoil water.\n"
    );
    home.write("skills/tea/SKILL.md", &text);
    home
}

/// The number of processes that were given this home's file: the wrapper and the server.
fn processes(home: &Home) -> usize {
    let mark = windows(&home.path("description"));
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let words = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    words.filter(|words| String::from_utf8_lossy(words).contains(&mark)).count()
}

/// Switches the skill on, keeps the secret, and approves the server.
fn approve(home: &Home) {
    home.given(&["enable", "tea", "--yes"], "");
    let stored = home.given(&["secrets", "set", "tea", "teapot", "KEY"], "canary-4711");
    assert!(stored.status.success(), "{}", String::from_utf8_lossy(&stored.stderr));
    let shown = home.json(&["servers", "show", "teapot", "--json"]);
    home.said(&["servers", "approve", "teapot", "--digest", shown["digest"].as_str().unwrap()]);
}

/// A client that has called the running server.
fn called(home: &Home) -> Lines {
    approve(home);
    let mut client = Lines::initialized(&mut home.skilltender(&["mcp", "--client", "codex"]));
    eventually("its tool is offered", || {
        let tools = client.call("tools/list", &json!({}))["tools"].to_string();
        tools.contains("teapot__environment").then_some(())
    });
    let answer = client.call("tools/call", &json!({"name": "teapot__environment", "arguments": {}}));
    let said = answer["content"][0]["text"].as_str().unwrap().to_owned();
    // The server says how long each value is, not what it is.
    assert!(said.contains("TEAPOT_KEY=11") && said.contains("USERNAME="), "{said}");
    assert!(!said.contains("WINEPREFIX"), "{said}");
    assert!(processes(home) > 1, "the wrapper and the server run");
    client
}

#[test]
fn a_server_gets_its_secret_and_ends_with_its_wrapper_when_it_is_stopped() {
    let home = home();
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    let mut client = called(&home);
    let said = home.given(&["secrets"], "");
    assert!(!String::from_utf8_lossy(&said.stdout).contains("canary"));
    home.said(&["servers", "stop", "teapot"]);
    eventually("the server is gone", || (processes(&home) == 0).then_some(()));
    client.close();
    serving.kill();
}

#[test]
fn a_server_and_its_wrapper_end_when_the_engine_is_killed() {
    let home = home();
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    let mut client = called(&home);
    serving.kill();
    eventually("the server is gone", || (processes(&home) == 0).then_some(()));
    client.close();
}

/// The client starts `skilltender run`, which is not the server itself on Windows.
fn started_by_its_client() -> (Home, Lines) {
    let home = home();
    approve(&home);
    let mut client = Lines::initialized(&mut home.skilltender(&["run", "teapot"]));
    let answer = client.call("tools/call", &json!({"name": "environment", "arguments": {}}));
    let said = answer["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("TEAPOT_KEY=11"), "{said}");
    assert!(processes(&home) > 1, "the wrapper and the server run");
    (home, client)
}

#[test]
fn a_server_of_a_clients_own_entry_ends_with_its_wrapper_when_that_entry_is_killed() {
    let (home, client) = started_by_its_client();
    // Its input stays open: nothing but the end of the program that was started tells the server to end.
    let killed = Command::new("kill").args(["-KILL", &client.id().to_string()]).status().unwrap();
    assert!(killed.success());
    eventually("the server is gone", || (processes(&home) == 0).then_some(()));
}

#[test]
fn a_server_of_a_clients_own_entry_ends_with_its_input_and_gives_its_code() {
    let (home, mut client) = started_by_its_client();
    assert_eq!(client.close().code(), Some(0));
    eventually("the server is gone", || (processes(&home) == 0).then_some(()));
}
