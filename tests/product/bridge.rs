//! The bridge while the engine runs, dies and returns.

use std::fs;

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, eventually, skill};

const CHANGED: &str = "notifications/resources/list_changed";

#[test]
fn a_bridge_without_an_engine_serves_and_moves_over_when_one_starts() {
    let home = Home::new();
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    assert_eq!(client.skills(), ["coffee", "tea"]);
    assert!(!home.data().join("engine.lock").exists(), "a reading engine takes no lock");

    home.choose(&["coffee"]);
    client.notified(CHANGED);
    assert_eq!(client.skills(), ["tea"], "it follows what the person chose elsewhere");

    let serving = Serving::start(&home);
    let record = home.data().join("audit/calls.jsonl");
    eventually("a call that the running engine answered", || {
        assert_eq!(client.skills(), ["tea"]);
        fs::read_to_string(&record).ok().filter(|record| record.contains("\"codex\""))
    });

    serving.stop();
    assert_eq!(client.skills(), ["tea"], "and it answers beside none again");
    home.write("skills/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    eventually("a new skill", || (client.skills() == ["cake", "tea"]).then_some(()));
    assert_eq!(client.close().code(), Some(0));
}

#[test]
fn a_crash_of_the_engine_costs_a_client_nothing_but_time() {
    assert!((0..5).any(|_| crashed_during_a_call()), "a call reaches the engine before it dies");
}

/// Whether the engine had the call when it died. If the bridge was slower than the kill, the call rightly goes to the
/// next engine, and nothing is shown.
fn crashed_during_a_call() -> bool {
    let home = Home::new();
    let serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    for uri in ["skill://tea/SKILL.md", "skill://coffee/SKILL.md"] {
        client.call("resources/subscribe", &json!({"uri": uri}));
    }
    let listen = client.ask("subscriptions/listen", &modern(json!({"notifications": {"resourcesListChanged": true}})));
    client.notified("notifications/subscriptions/acknowledged");

    // A frozen engine cannot answer; then it dies.
    serving.freeze();
    let call = client.ask("tools/call", &json!({"name": "server__tool", "arguments": {}}));
    let read = client.ask("resources/read", &json!({"uri": "skill://tea/references/water.md"}));
    serving.kill();

    assert_eq!(client.answer(read)["result"]["contents"][0]["text"], "Boil it.\n", "a read is repeated");
    let told = client.answer(call);
    if told["error"]["message"] == "There is no tool named server__tool." {
        return false;
    }
    assert_eq!(told["result"]["isError"], true, "a call is never sent twice: {told}");
    client.notified(CHANGED);
    for id in ["coffee", "tea"] {
        assert_eq!(updated(&mut client), id, "whatever changed meanwhile is read again");
    }
    for id in ["tea", "coffee"] {
        home.write(&format!("skills/{id}/SKILL.md"), &skill(id, "Something else."));
        assert_eq!(updated(&mut client), id);
    }
    home.write("skills/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    eventually("a new skill", || (client.skills() == ["cake", "coffee", "tea"]).then_some(()));

    let ended = client.close();
    let answers: Vec<_> = client.rest().iter().filter_map(|message| message["id"].as_u64()).collect();
    assert_eq!(answers, [listen], "nothing is answered twice, and a listen stream at its end");
    assert_eq!(ended.code(), Some(0));
    true
}

#[test]
fn two_bridges_of_one_client_live_and_die_apart() {
    let home = Home::new();
    let _serving = Serving::start(&home);
    let start = || Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    let (first, mut second) = (start(), start());
    drop(first);
    assert_eq!(second.skills(), ["coffee", "tea"]);
    fs::remove_dir_all(home.path("skills/coffee")).unwrap();
    second.notified(CHANGED);
    assert_eq!(second.skills(), ["tea"]);
}

/// The skill whose SKILL.md the notification names.
fn updated(client: &mut Lines) -> String {
    let uri = client.notified("notifications/resources/updated")["params"]["uri"].clone();
    uri.as_str().unwrap().trim_start_matches("skill://").trim_end_matches("/SKILL.md").to_owned()
}

/// Parameters as a client since 2026-07-28 sends them.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}
