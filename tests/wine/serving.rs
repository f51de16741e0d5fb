//! The endpoint, over HTTP and the named pipe.

use std::process::Stdio;

use tests::{Lines, SERVE, Serving, eventually, post};

use crate::home::Home;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"wine","version":"1"}}}"#;

#[test]
fn the_endpoint_answers_over_http_only_with_a_token() {
    let home = Home::new();
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    assert_eq!(post(&serving, &[("Authorization", "Bearer wrong")], INITIALIZE).status, 401);
    let answer = post(&serving, &[], INITIALIZE);
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("serverInfo"), "{}", answer.text);
    serving.kill();
}

#[test]
fn a_bridge_outlives_an_engine_that_is_killed() {
    let home = Home::new();
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    let mut client = Lines::initialized(&mut home.skilltender(&["mcp", "--client", "codex"]));
    assert_eq!(client.skills(), ["tea"]);
    serving.kill();
    assert_eq!(client.skills(), ["tea"], "it serves the same without an engine");
    let again = Serving::run(&mut home.skilltender(&SERVE));
    assert_eq!(client.skills(), ["tea"]);
    again.kill();
    client.close();
}

#[test]
fn an_engine_that_is_told_ends_and_another_takes_its_place() {
    let home = Home::new();
    let answers = || home.given(&["settings", "pause", "off"], "").status.success().then_some(());
    let serve = |words: &[&str]| home.skilltender(words).stdout(Stdio::null()).spawn().unwrap();
    let mut first = serve(&["serve"]);
    eventually("the first engine", || home.path("data/engine.pid").exists().then_some(()));
    eventually("an order is carried out", answers);
    let mut second = serve(&["serve", "--take-over"]);
    assert_eq!(first.wait().unwrap().code(), Some(0), "it ended by itself");
    eventually("the second engine", answers);
    assert!(second.try_wait().unwrap().is_none(), "it runs");
    second.kill().unwrap();
    second.wait().unwrap();
}
