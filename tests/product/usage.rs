//! What real clients use: over stdio and over HTTP, with and without a handshake, said by `skilltender usage`.

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, eventually, post};

use crate::persons::run;

const META: &str = "io.modelcontextprotocol/";

/// What `skilltender usage` says of a skill: its calls with their clients.
fn used(home: &Home, skill: &str) -> Vec<(String, u64)> {
    let out = home.skilltender().args(["usage", "--json"]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let skills = report["skills"].as_array().unwrap();
    let used = skills.iter().filter(|one| one["id"] == skill).flat_map(|one| one["used"].as_array().unwrap());
    used.map(|used| (used["client"].as_str().unwrap().to_owned(), used["calls"].as_u64().unwrap())).collect()
}

#[test]
fn calls_of_both_revisions_over_stdio_and_http_are_counted_and_known_at_once() {
    let home = Home::new();
    let serving = Serving::start(&home);
    let get = json!({"name": "get_skill", "arguments": {"id": "tea"}});
    let mut old = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    old.call("tools/call", &get);
    old.call("resources/read", &json!({"uri": "skill://tea/references/water.md"}));
    let meta = json!({format!("{META}protocolVersion"): "2026-07-28", format!("{META}clientCapabilities"): {}});
    let mut new = Lines::start(home.skilltender().args(["mcp", "--client", "zed"]));
    let mut params = get.clone();
    params["_meta"] = meta.clone();
    new.call("tools/call", &params);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_skill")];
    let answer = post(&serving, &headers, &body);
    assert_eq!(answer.status, 200, "{}", answer.text);
    let expected = [("by-hand", 1), ("codex", 2), ("zed", 1)].map(|(client, calls)| (client.to_owned(), calls));
    let seen = eventually("the calls are counted", || {
        let seen = used(&home, "tea");
        (seen.iter().map(|(_, calls)| calls).sum::<u64>() == 4).then_some(seen)
    });
    assert_eq!(seen, expected);
    assert_eq!(used(&home, "coffee"), []);
    serving.stop();
    assert_eq!(used(&home, "tea"), expected, "without an engine too");
    run(&home, &["usage", "--wipe"], "");
    assert_eq!(used(&home, "tea"), []);
}

#[test]
fn a_client_that_finds_no_engine_is_counted_too() {
    let home = Home::new();
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": "tea"}}));
    eventually("the call is counted", || (used(&home, "tea") == [("codex".to_owned(), 1)]).then_some(()));
}
