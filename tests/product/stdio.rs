//! The program on a client's standard input and output.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, skill};

const META: &str = "io.modelcontextprotocol/";
const COFFEE: &str = "skill://coffee/SKILL.md";
const LIST_CHANGED: &str = "notifications/resources/list_changed";

/// wire contract 4, 8
#[test]
fn one_process_serves_both_eras_and_ends_with_its_input() {
    let home = Home::new();
    let folder = home.path("skills");
    let mut client = Lines::start(home.skilltender().args(["mcp", "--skills-dir"]).arg(folder));
    let meta = json!({format!("{META}protocolVersion"): "2026-07-28", format!("{META}clientCapabilities"): {}});
    let found = client.call("server/discover", &json!({"_meta": meta}));
    assert_eq!(found["resultType"], "complete", "{found}");
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    });
    assert_eq!(client.call("initialize", &hello)["protocolVersion"], "2025-11-25");
    client.notify("notifications/initialized");
    assert_eq!(client.skills(), ["coffee", "tea"]);
    // Any output that is not a line of JSON fails the reader.
    assert_eq!(client.close().code(), Some(0));
    assert!(client.rest().is_empty());
}

/// wire contract 42
#[test]
fn many_changes_at_once_are_told_a_few_times() {
    let home = Home::new();
    let _serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    client.call("tools/list", &json!({}));
    client.call("resources/subscribe", &json!({"uri": COFFEE}));
    client.rest();
    let began = Instant::now();
    for number in 0..100 {
        home.write(&format!("skills/tea/references/{number}.md"), "Boil it.\n");
        // As a program that works between two files: at once, they would be one change however soon it is told.
        thread::sleep(Duration::from_millis(10));
    }
    // A loaded machine writes slowly: one notification per half second is allowed.
    let most = 3 + usize::try_from(began.elapsed().as_millis() / 500).unwrap();
    home.write("skills/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    // Changes are told in their order, so the others are told before this one.
    home.write("skills/coffee/SKILL.md", &skill("coffee", "Makes coffee. Use when somebody is very tired."));
    let is_last =
        |message: &Value| message["method"] == "notifications/resources/updated" && message["params"]["uri"] == COFFEE;
    client.wait_for("the last change", is_last);
    let told = client.rest().iter().filter(|message| message["method"] == LIST_CHANGED).count();
    assert!((1..=most + 2).contains(&told), "told {told} times");
    assert_eq!(client.skills(), ["cake", "coffee", "tea"]);
    assert_eq!(fs::read_dir(home.path("skills/tea/references")).unwrap().count(), 101);
}
