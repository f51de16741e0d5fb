//! Skills as prompts, which clients offer as slash commands (decision 26).

use mcp::instructions;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    memory::Memory,
};

async fn prompts(client: &mut Client) -> Vec<Value> {
    client.ask("prompts/list", json!({})).await["result"]["prompts"].as_array().unwrap().clone()
}

fn names(prompts: &[Value]) -> Vec<&str> {
    prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect()
}

/// wire contract 32
#[tokio::test]
async fn the_guide_is_a_prompt_without_arguments_and_its_text_is_the_command_lines() {
    let mut client = Client::modern(Memory::new());
    let listed = prompts(&mut client).await;
    assert_eq!(listed[0]["name"], "init-skills");
    assert!(listed[0].get("arguments").is_none());
    let answer = client.ask("prompts/get", json!({"name": "init-skills"})).await;
    let messages = &answer["result"]["messages"];
    assert_eq!(messages, &json!([{"role": "user", "content": {"type": "text", "text": instructions(false)}}]));
}

#[tokio::test]
async fn every_skill_that_people_may_call_is_a_prompt_named_by_its_id() {
    let host = Memory::new();
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews tea.\nargument-hint: <cups>\n---\nBrew.\n");
    host.write("secret", "SKILL.md", b"---\nname: secret\ndescription: No.\nuser-invocable: false\n---\nNo.\n");
    let mut client = Client::modern(host);
    let listed = prompts(&mut client).await;
    assert_eq!(names(&listed), ["init-skills", "coffee", "tea", "water"]);
    assert_eq!(
        listed[2],
        json!({
            "name": "tea",
            "title": "tea",
            "description": "Brews tea.",
            "arguments": [{"name": "arguments", "description": "<cups>", "required": false}],
        })
    );
    assert_eq!(listed[3]["title"], "Water for People");
    for name in ["secret", "nothing"] {
        let refused = client.ask("prompts/get", json!({"name": name})).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[tokio::test]
async fn a_prompt_is_the_skill_as_it_is_now_with_the_arguments_in_their_places() {
    let host = Memory::new();
    let skill = "---\nname: tea\ndescription: Brews tea.\narguments: cups kind\n---\n\nBrew $cups of $kind.\n";
    host.write("tea", "SKILL.md", skill.as_bytes());
    for mut client in [Client::modern(host.clone()), Client::legacy(host.clone()).await] {
        let names: Vec<_> = prompts(&mut client).await[2]["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|argument| argument["name"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["cups", "kind"]);
        let ask = json!({"name": "tea", "arguments": {"cups": "two cups", "kind": "oolong"}});
        let answer = client.ask("prompts/get", ask).await;
        assert_eq!(
            answer["result"]["messages"][0]["content"]["text"],
            "Base directory for this skill: /memory/tea\n\nBrew two cups of oolong.\n"
        );
        assert_eq!(answer["result"]["description"], "Brews tea.");
    }
    host.write("tea", "SKILL.md", skill.replace("Brew", "Boil").as_bytes());
    let mut client = Client::modern(host);
    let answer = client.ask("prompts/get", json!({"name": "tea"})).await;
    assert!(answer.to_string().contains("Boil $cups of $kind."), "{answer}");
}

#[tokio::test]
async fn a_skill_that_models_are_not_told_of_is_left_out_of_the_list_and_readable_by_id() {
    let host = Memory::new();
    let skill = b"---\nname: tea\ndescription: Brews tea.\ndisable-model-invocation: true\n---\nBrew.\n";
    host.write("tea", "SKILL.md", skill);
    let mut client = Client::modern(host);
    let listed = client.ask("tools/call", json!({"name": "list_skills"})).await;
    assert!(!text(&listed).contains("\"tea\""), "{listed}");
    let got = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}})).await;
    assert_eq!(got["result"]["structuredContent"]["content"], "Brew.\n");
    assert!(names(&prompts(&mut client).await).contains(&"tea"));
}

#[tokio::test]
async fn a_change_of_the_prompts_is_told_and_another_file_is_none() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    host.write("tea", "new.md", b"new");
    client.hears(&["resources/list_changed"]).await;
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews tea.\nargument-hint: <cups>\n---\nBrew.\n");
    client.hears(&["prompts/list_changed", "resources/list_changed"]).await;
}
