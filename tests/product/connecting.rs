//! Clients connected from the command line: what is written into their files can be started as it stands there.

use std::{fs, process::Command};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, post};

fn run(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let output = home.skilltender().args(words).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn file(home: &Home, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(home.path(path)).unwrap()).unwrap()
}

#[test]
fn what_connect_writes_can_be_started_and_disconnect_leaves_no_byte() {
    let home = Home::new();
    let theirs = "{\n\t\"theme\": \"dark\"\n}";
    home.write(".claude.json", theirs);
    let (code, shown) = run(&home, &["connect", "claude-code", "--dry-run"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("+ \t\t\"skilltender\": {"), "{shown}");
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
    let (code, said) = run(&home, &["connect", "claude-code"]);
    assert_eq!((code, said.contains("--yes")), (Some(2), true), "nobody is there to ask: {said}");

    assert_eq!(run(&home, &["connect", "claude-code", "--yes"]).0, Some(0));
    let entry = &file(&home, ".claude.json")["mcpServers"]["skilltender"];
    let args = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let mut command = Command::new(entry["command"].as_str().unwrap());
    // As a client starts it: with HOME and PATH, in a folder of its own.
    command.env_clear().env("HOME", home.path("")).env("PATH", "/usr/bin:/bin").current_dir("/").args(args);
    let mut client = Lines::initialized(&mut command);
    assert_eq!(client.skills(), ["coffee", "tea"]);
    client.close();

    assert_eq!(run(&home, &["undo", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
    assert_eq!(run(&home, &["undo", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(run(&home, &["disconnect", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
}

#[test]
fn the_engine_that_runs_connects_over_http_and_answers_the_token_that_it_wrote() {
    let home = Home::new();
    let serving = Serving::start(&home);
    assert_eq!(run(&home, &["connect", "cursor", "--http", "--yes"]).0, Some(0));
    let entry = &file(&home, ".cursor/mcp.json")["mcpServers"]["skilltender"];
    assert_eq!(entry["url"], serving.url.as_str());
    let bearer = entry["headers"]["Authorization"].as_str().unwrap();
    assert_ne!(bearer, format!("Bearer {}", serving.token), "it is the client's own");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}).to_string();
    let ask = |bearer: &str| post(&serving, &[("Authorization", bearer)], &ping).status;
    assert_ne!(ask(bearer), 401);
    assert_eq!(ask("Bearer nobody's"), 401);

    let clients: Value = serde_json::from_str(&run(&home, &["clients", "--json"]).1).unwrap();
    assert_eq!(clients[0]["id"], "cursor");
    assert_eq!((&clients[0]["standing"]["state"], &clients[0]["transport"]), (&json!("added"), &json!("http")));
    assert_eq!(run(&home, &["disconnect", "cursor", "--yes"]).0, Some(0));
    assert_eq!(ask(bearer), 401, "what is disconnected needs no key");
    assert!(!home.path(".cursor").exists());
}
