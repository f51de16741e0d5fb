//! Requests that are accepted and refused over HTTP (security rules 1 and 2).

mod vectors;

use serde_json::json;

use self::vectors::VECTORS;
use crate::{
    memory::Memory,
    web::{Exchange, Web},
};

/// A request line, changes of a valid request, and the resulting status. `PORT` is the endpoint's port.
type Row = (&'static str, &'static [(&'static str, &'static str)], u16);

const OTHERS: [&str; 3] = ["GET /mcp HTTP/1.1", "DELETE /mcp HTTP/1.1", "OPTIONS /mcp HTTP/1.1"];

const TARGETS: &[Row] = &[
    ("POST /mcp HTTP/1.0", &[("-", "Host")], 403),
    // The request target: a path, without the name of another server.
    ("POST http://evil.example/mcp HTTP/1.1", &[], 403),
    ("POST http://127.0.0.1:PORT/mcp HTTP/1.1", &[], 403),
    ("POST https://localhost:PORT/mcp HTTP/1.1", &[], 403),
    ("CONNECT 127.0.0.1:PORT HTTP/1.1", &[], 403),
    ("CONNECT evil.example:443 HTTP/1.1", &[], 403),
    ("OPTIONS * HTTP/1.1", &[], 403),
    ("POST //evil.example/mcp HTTP/1.1", &[], 404),
    ("POST / HTTP/1.1", &[], 404),
    ("POST /mcp/ HTTP/1.1", &[], 404),
    ("POST /mcp/../mcp HTTP/1.1", &[], 404),
    ("POST /%6dcp HTTP/1.1", &[], 404),
    ("POST /MCP HTTP/1.1", &[], 404),
    ("GET /.well-known/oauth-protected-resource HTTP/1.1", &[], 404),
    ("PUT /mcp HTTP/1.1", &[], 405),
    ("OPTIONS /mcp HTTP/1.1", &[], 405),
    ("TRACE /mcp HTTP/1.1", &[], 405),
    ("OPTIONS /mcp HTTP/1.1", &[("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")], 403),
    ("OPTIONS /mcp HTTP/1.1", &[("Access-Control-Request-Private-Network", "true"), ("Origin", "null")], 403),
    ("POST /mcp?token=secret-one HTTP/1.1", &[("-", "Authorization")], 401),
    ("POST /mcp?access_token=secret-one HTTP/1.1", &[("-", "Authorization")], 401),
    ("POST /nowhere HTTP/1.1", &[("-", "Authorization")], 401),
    ("GET /mcp HTTP/1.1", &[("-", "Authorization")], 401),
    ("DELETE /mcp HTTP/1.1", &[("-", "Authorization")], 401),
    // Not HTTP/1 at all.
    ("PRI * HTTP/2.0", &[], 400),
];

/// wire contract 9, 10, 13
#[tokio::test]
async fn only_what_is_meant_for_us_and_shows_a_token_reaches_the_server() {
    let mut rows: Vec<Row> = TARGETS.to_vec();
    for (changes, status) in VECTORS {
        rows.push(("POST /mcp HTTP/1.1", changes, *status));
        // No other method is served since 2026-07-28, but it is refused for its head first.
        let beyond = if *status == 200 { 405 } else { *status };
        rows.extend(OTHERS.map(|line| (line, *changes, beyond)));
    }
    assert!(VECTORS.len() >= 120);
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let port = web.port.to_string();
    for (line, changes, status) in rows {
        let before = host.notes().len();
        let filled = |text: &str| text.replace("PORT", &port);
        let mut request = web.modern_request("tools/list", json!({})).line(&filled(line));
        for (name, value) in changes {
            request = change(request, name, &filled(value));
        }
        let answer = request.send().await;
        assert_eq!(answer.status, status, "{line} {changes:?}");
        assert_eq!(host.notes().len() > before, status == 200, "{line} {changes:?}");
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{}", answer.head);
        let asks = answer.header("www-authenticate");
        assert_eq!(asks, (status == 401).then_some("Bearer"), "{line} {changes:?}");
        assert!(status != 401 || answer.body.is_empty());
    }
}

#[tokio::test]
async fn an_origin_opens_only_letter_by_letter_and_only_with_a_token() {
    let web = Web::serve(Memory::new()).await;
    web.access(&["secret-one"], &["http://localhost:5173"]);
    for (origin, status) in [
        ("http://localhost:5173", 200),
        ("http://localhost:5174", 403),
        ("http://localhost", 403),
        ("https://localhost:5173", 403),
        ("http://localhost:5173/", 403),
        ("http://localhost:51730", 403),
        ("http://LOCALHOST:5173", 403),
        ("null", 403),
    ] {
        let request = web.modern_request("tools/list", json!({})).replace("Origin", origin);
        let answer = request.clone().send().await;
        assert_eq!(answer.status, status, "{origin}");
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"));
        let expected = if status == 200 { 401 } else { status };
        assert_eq!(request.without("Authorization").send().await.status, expected, "{origin}");
    }
}

#[tokio::test]
async fn an_empty_token_opens_nothing() {
    let web = Web::serve(Memory::new()).await;
    web.tokens(&["", "secret-one"]);
    let request = web.modern_request("tools/list", json!({}));
    assert_eq!(request.clone().send().await.status, 200);
    assert_eq!(request.replace("Authorization", "Bearer ").send().await.status, 401);
}

#[tokio::test]
async fn a_refused_request_is_answered_without_waiting_for_its_body() {
    let web = Web::serve(Memory::new()).await;
    let request = web.request("POST", "wrong").with("Content-Length", "4000000");
    assert_eq!(request.send().await.status, 401);
}

/// Applies a row's change: `-` removes a header, `+` adds a second one, any other name sets one.
fn change(request: Exchange, name: &str, value: &str) -> Exchange {
    match (name, value.split_once(": ")) {
        ("-", _) => request.without(value),
        ("+", Some((name, value))) => request.with(name, value),
        _ => request.replace(name, value),
    }
}

/// wire contract 9, 10
#[tokio::test]
async fn behind_a_proxy_or_in_a_container_any_one_name_is_ours_and_everything_else_is_asked_as_ever() {
    let web = Web::serve_at(mcp::Entrance::Container, Memory::new(), None, mcp::Limits::default()).await;
    let list = || web.modern_request("tools/list", json!({}));
    for host in ["skilltender", "skills.example", "skills.example:443", "127.0.0.1:1"] {
        assert_eq!(list().replace("Host", host).send().await.status, 200, "{host}");
        // The fast path serves a call; rmcp, which has a check of its own, everything else.
        let call = web.modern_request("tools/call", json!({"name": "list_skills"}));
        assert_eq!(call.replace("Host", host).send().await.status, 200, "{host}");
        let page = list().replace("Host", host).with("Origin", "http://skills.example");
        assert_eq!(page.send().await.status, 403, "{host}");
        let wrong = list().replace("Host", host).replace("Authorization", "Bearer secret-three");
        assert_eq!(wrong.send().await.status, 401, "{host}");
    }
    assert_eq!(list().with("Host", "another.example").send().await.status, 403, "two names");
    assert_eq!(list().without("Host").send().await.status, 403, "none");
}
