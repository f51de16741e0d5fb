//! Which HTTP requests are admitted: see security rules 1 and 2.

use std::{
    fs::{self, File},
    net::TcpListener,
};

use serde_json::json;
use tests::{Home, Lines, Serving, post, request};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"guard","version":"1"}}}"#;

/// wire contract 10
#[test]
fn without_the_right_token_nobody_is_served() {
    let home = Home::new();
    let serving = Serving::start(&home);
    assert_eq!(post(&serving, &[], PING).status, 200);
    let cut = format!("Bearer {}", &serving.token[1..]);
    let basic = format!("Basic {}", serving.token);
    for wrong in ["", "Bearer ", "Bearer wrong", &cut, &basic, &serving.token] {
        let answer = post(&serving, &[("Authorization", wrong)], PING);
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(answer.text.to_lowercase().contains("www-authenticate: bearer"), "{}", answer.text);
        assert!(!answer.text.contains("resource_metadata"), "{}", answer.text);
    }
}

/// wire contract 9
#[test]
fn web_pages_and_other_hosts_are_refused() {
    let home = Home::new();
    let serving = Serving::start(&home);
    let port = serving.port();
    for origin in ["https://evil.example", "null", "http://localhost:5173", &format!("http://127.0.0.1:{port}")] {
        assert_eq!(post(&serving, &[("Origin", origin)], PING).status, 403, "{origin}");
    }
    for host in ["evil.example", "localhost.evil.example", "localhost", &format!("127.0.0.1.nip.io:{port}"), "0.0.0.0"]
    {
        assert_eq!(post(&serving, &[("Host", host)], PING).status, 403, "{host}");
    }
    assert_eq!(post(&serving, &[("Host", &format!("localhost:{port}"))], PING).status, 200);
    let bearer = format!("Bearer {}", serving.token);
    let elsewhere = request(port, "POST http://evil.example/mcp HTTP/1.1", &[("Authorization", &bearer)], PING);
    assert_eq!(elsewhere.status, 403, "{}", elsewhere.text);
}

/// wire contract 9
#[test]
fn an_origin_that_the_person_allowed_is_served() {
    let home = Home::new();
    let serving = Serving::start_with(&home, |command| command.args(["--allow-origin", "http://localhost:5173"]));
    assert_eq!(post(&serving, &[("Origin", "http://localhost:5173")], PING).status, 200);
    for origin in ["http://localhost:5174", "https://localhost:5173", "http://localhost:5173.evil.example"] {
        assert_eq!(post(&serving, &[("Origin", origin)], PING).status, 403, "{origin}");
    }
}

#[test]
fn a_port_once_taken_is_kept_and_never_changed_in_silence() {
    let home = Home::new();
    home.settle_port();
    let first = Serving::start(&home);
    let port = first.port();
    first.stop();
    let squatter = TcpListener::bind(("127.0.0.1", port)).unwrap();

    let second = Serving::start(&home);
    assert_eq!(second.url, "", "HTTP is off");
    let mut client = Lines::initialized(home.skilltender().arg("mcp"));
    assert_eq!(client.skills(), ["coffee", "tea"], "stdio works all the same");
    second.stop();

    drop(squatter);
    assert_eq!(Serving::start(&home).port(), port);
}

/// wire contract 14
#[test]
fn a_session_goes_on_after_a_restart_of_the_engine() {
    let home = Home::new();
    home.settle_port();
    let serving = Serving::start(&home);
    let begun = post(&serving, &[], PING);
    let session =
        begun.text.lines().find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let session = session.unwrap_or_else(|| panic!("no session: {}", begun.text));
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(post(&serving, &[("Mcp-Session-Id", &session)], ready).status, 202);
    serving.stop();

    let serving = Serving::start(&home);
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let answer = post(&serving, &[("Mcp-Session-Id", &session)], list);
    assert!(answer.status == 200 && answer.text.contains("get_skill"), "{}", answer.text);
    assert_eq!(post(&serving, &[("Mcp-Session-Id", "00000000-0000-4000-8000-000000000000")], list).status, 404);
}

#[test]
fn the_log_holds_no_request_whatever_it_is_asked_to_say() {
    let home = Home::new();
    let log = home.path("log");
    let serving =
        Serving::start_with(&home, |command| command.env("RUST_LOG", "trace").stderr(File::create(&log).unwrap()));
    let call = PING.replace("guard", "canary-in-a-request");
    let answer = post(&serving, &[], &call);
    assert_eq!(answer.status, 200);
    let mut client = Lines::initialized(home.skilltender().arg("mcp"));
    client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": "canary-in-a-call"}}));
    serving.stop();
    let said = fs::read_to_string(log).unwrap();
    assert!(said.contains("by-hand is connected over the socket"), "what is ours is said: {said}");
    assert!(!said.contains("canary"), "{said}");
}
