//! Changes on the disk are notified to clients.

use std::fs;

use serde_json::json;
use tests::{Home, Lines, Serving, skill};

const CHANGED: &str = "notifications/resources/list_changed";
const UPDATED: &str = "notifications/resources/updated";

/// wire contract 41
#[test]
fn an_edit_is_told_to_whoever_subscribed() {
    let home = Home::new();
    let _serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    client.call("resources/subscribe", &json!({"uri": "skill://tea/SKILL.md"}));
    home.write("skills/tea/SKILL.md", &skill("tea", "Makes green tea."));
    assert_eq!(client.notified(UPDATED)["params"]["uri"], "skill://tea/SKILL.md");
    let tea = client.call("resources/read", &json!({"uri": "skill://tea/SKILL.md"}));
    assert!(tea["contents"][0]["text"].as_str().unwrap().contains("green"));
}

#[test]
fn a_skill_that_comes_or_goes_is_told_to_every_client() {
    let home = Home::new();
    let folder = home.path("skills");
    let _serving = Serving::start(&home);
    let bridge = || Lines::initialized(home.skilltender().arg("mcp"));
    let plain = Lines::initialized(home.skilltender().args(["mcp", "--skills-dir"]).arg(folder));
    let mut clients = [bridge(), bridge(), plain];

    home.write("skills/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    for client in &mut clients {
        client.notified(CHANGED);
        assert_eq!(client.skills(), ["cake", "coffee", "tea"]);
    }
    fs::remove_dir_all(home.path("skills/coffee")).unwrap();
    for client in &mut clients {
        client.notified(CHANGED);
        assert_eq!(client.skills(), ["cake", "tea"]);
    }
}
