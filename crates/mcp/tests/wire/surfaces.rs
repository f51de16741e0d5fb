//! Parts of the server that the user switched off (decision 27).

use mcp::Surfaces;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    memory::Memory,
};

const ALL: Surfaces = Surfaces { tools: true, prompts: true, resources: true, skills: true };

#[tokio::test]
async fn tools_that_are_off_are_not_listed_and_a_call_says_where_they_are_switched_on() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    host.open(Surfaces { tools: false, ..ALL });
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"], json!([]));
    let call = client.ask("tools/call", json!({"name": "list_skills"})).await;
    assert_eq!(call["result"]["isError"], true);
    assert_eq!(
        text(&call),
        "Tools are switched off for this client. Switch them on in Skilltender's window, under Settings, then try again."
    );
    assert!(client.ask("resources/list", json!({})).await["result"]["resources"][0].is_object());
}

#[tokio::test]
async fn prompts_and_resources_that_are_off_are_not_listed_and_not_given() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    host.open(Surfaces { prompts: false, resources: false, ..ALL });
    for (method, list) in [
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ] {
        assert_eq!(client.ask(method, json!({})).await["result"][list], json!([]), "{method}");
    }
    for (method, params) in [
        ("prompts/get", json!({"name": "init-skills"})),
        ("resources/read", json!({"uri": "skill://tea/SKILL.md"})),
        ("resources/subscribe", json!({"uri": "skill://tea/SKILL.md"})),
    ] {
        let answer = client.ask(method, params).await;
        assert!(sentence(&answer).ends_with("under Settings, then try again."), "{method}: {answer}");
    }
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn completions_belong_to_the_part_of_what_is_completed() {
    let template = json!({"ref": {"type": "ref/resource", "uri": "resource://catalog/skills/{skill_id}"},
        "argument": {"name": "skill_id", "value": "t"}});
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    let mut values = async |surfaces| {
        host.open(surfaces);
        client.ask("completion/complete", template.clone()).await["result"]["completion"]["values"].clone()
    };
    assert_eq!(values(ALL).await[0], "tea");
    assert_eq!(values(Surfaces { prompts: false, ..ALL }).await[0], "tea");
    assert_eq!(values(Surfaces { resources: false, ..ALL }).await, json!([]));
}

#[tokio::test]
async fn a_switch_is_announced_and_what_is_off_is_not() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    client.ask("resources/subscribe", json!({"uri": "skill://tea/SKILL.md"})).await;
    client.unasked.clear();
    host.open(Surfaces { tools: false, ..ALL });
    client.hears(&["tools/list_changed"]).await;
    host.open(Surfaces { tools: false, resources: false, ..ALL });
    client.hears(&["resources/list_changed"]).await;
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews tea.\n---\nNew.\n");
    host.write("tea", "new.md", b"new");
    client.hears(&[]).await;
    host.open(ALL);
    client.hears(&["tools/list_changed", "resources/list_changed", "resources/updated skill://tea/SKILL.md"]).await;
}

#[tokio::test]
async fn archives_that_come_and_go_change_the_list() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    host.offer_archives(true);
    client.hears(&["resources/list_changed"]).await;
    host.offer_archives(false);
    client.hears(&["resources/list_changed"]).await;
}

#[tokio::test]
async fn a_skill_that_is_not_ready_says_so_in_a_text_of_its_own() {
    let host = Memory::new();
    host.remark_on("tea", "This skill is not ready: its server kettle still needs WATER.");
    let mut client = Client::modern(host);
    let tea = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}})).await;
    assert_eq!(tea["result"]["isError"], false);
    let content = &tea["result"]["content"];
    assert_eq!(content[1]["text"], "This skill is not ready: its server kettle still needs WATER.");
    // Claude Code gives its model only the structured content.
    let structured = &tea["result"]["structuredContent"];
    assert_eq!(structured["note"], "This skill is not ready: its server kettle still needs WATER.");
    assert_eq!(serde_json::from_str::<Value>(text(&tea)).unwrap(), tea["result"]["structuredContent"]);
    let coffee = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "coffee"}})).await;
    assert_eq!(coffee["result"]["content"].as_array().unwrap().len(), 1);
    assert_eq!(coffee["result"]["structuredContent"].get("note"), None);
    let all = client.ask("tools/call", json!({"name": "list_skills", "arguments": {}})).await;
    let rows = all["result"]["structuredContent"]["skills"].as_array().unwrap();
    assert!(rows.iter().all(|row| row.as_object().unwrap().len() == 3), "{rows:?}");
}

#[tokio::test]
async fn what_cannot_be_read_is_on_no_surface_said_to_be_unknown() {
    let host = Memory::new();
    host.cannot_read("wine", "Too many open files.");
    for mut client in [Client::modern(host.clone()), Client::legacy(host.clone()).await] {
        let got = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "wine"}})).await;
        let told = got["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(told, "The skill \"wine\" cannot be looked for or read now: Too many open files.");
        let get = |uri: &str| json!({"uri": uri});
        for (method, params) in [
            ("resources/read", get("skill://wine/SKILL.md")),
            ("resources/read", get("skill://team/wine/references/red.md")),
            ("resources/read", get("resource://skills/wine/document")),
            ("resources/read", get("resource://catalog/skills/wine")),
            ("resources/read", get("resource://docs/skills/wine/red.md")),
            ("skills/get", get("skill://wine/SKILL.md")),
            ("resources/directory/read", get("skill://wine")),
            ("prompts/get", json!({"name": "wine"})),
        ] {
            let answer = client.ask(method, params.clone()).await;
            assert_eq!(answer["error"]["code"], -32603, "{method} {params}: {answer}");
        }
        let other = client.ask("skills/get", get("skill://beer/SKILL.md")).await;
        assert_eq!(other["error"]["code"], -32602);
    }
}

fn sentence(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_default()
}
