//! Notifications of changes, in both eras over a byte stream.

use serde_json::{Value, json};

use crate::{
    client::{Client, told},
    memory::Memory,
};

const TEA: &str = "skill://tea/SKILL.md";

#[tokio::test]
async fn a_record_that_says_why_its_skill_is_not_ready_is_updated_when_that_changes() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    for uri in ["resource://catalog/skills/tea", "resource://catalog/skills_index", "skill://tea/SKILL.md"] {
        client.ask("resources/subscribe", json!({"uri": uri})).await;
    }
    client.unasked.clear();
    for remark in ["It lacks a secret.", "Its server is off."] {
        host.remark_on("tea", remark);
        host.announce();
        client.hears(&["resources/updated resource://catalog/skills/tea"]).await;
    }
    host.announce();
    client.hears(&[]).await;
}

/// wire contract 41
#[tokio::test]
async fn a_client_of_a_handshake_hears_that_a_list_changed_only_when_it_did() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    client.hears(&[]).await;

    host.announce();
    client.hears(&[]).await;
    host.enable("tea", false);
    client.hears(&["prompts/list_changed", "resources/list_changed"]).await;
    host.enable("water", false);
    client.hears(&["prompts/list_changed", "resources/list_changed"]).await;
    host.write("rum", "SKILL.md", b"---\nname: rum\ndescription: Pours rum.\n---\n");
    client.hears(&["prompts/list_changed", "resources/list_changed"]).await;
    host.write("rum", "more.md", b"More rum.");
    client.hears(&["resources/list_changed"]).await;
    host.pause(true);
    client.hears(&["tools/list_changed", "prompts/list_changed", "resources/list_changed"]).await;
    host.enable("tea", true);
    client.hears(&[]).await;
    host.pause(false);
    client.hears(&["tools/list_changed", "prompts/list_changed", "resources/list_changed"]).await;
}

/// wire contract 41
#[tokio::test]
async fn a_client_of_a_handshake_hears_of_the_files_that_it_subscribed_to() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    assert_eq!(client.ask("resources/subscribe", json!({"uri": TEA})).await["result"], json!({}));
    let edit = |text: &str| {
        host.write("tea", "SKILL.md", format!("---\nname: tea\ndescription: Brews tea.\n---\n{text}\n").as_bytes());
    };

    edit("one");
    client.hears(&["resources/list_changed", "resources/updated skill://tea/SKILL.md"]).await;
    host.write("tea", "scripts/brew", b"exit 0");
    client.hears(&["resources/list_changed"]).await;
    // The same size at the same time: only the digest differs.
    edit("two");
    client.hears(&["resources/updated skill://tea/SKILL.md"]).await;

    client.ask("resources/unsubscribe", json!({"uri": TEA})).await;
    edit("ten");
    client.hears(&[]).await;
    let later = json!({"uri": "skill://rum/SKILL.md"});
    assert_eq!(client.ask("resources/subscribe", later).await["result"], json!({}), "it may come");
    host.write("rum", "SKILL.md", b"---\nname: rum\ndescription: Pours rum.\n---\n");
    client.hears(&["prompts/list_changed", "resources/list_changed", "resources/updated skill://rum/SKILL.md"]).await;
}

#[tokio::test]
async fn whatever_is_made_of_a_skill_is_told_of_when_the_skill_changes() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    let watched = [
        "resource://catalog/skills/tea",
        "resource://catalog/skills_index",
        "resource://docs/index.md",
        "resource://docs/skills/tea/references/green%20tea.md",
        "resource://skills/tea/document",
        "skill://index.json",
    ];
    for uri in watched {
        assert_eq!(client.ask("resources/subscribe", json!({"uri": uri})).await["result"], json!({}), "{uri}");
    }
    let hears = async |client: &mut Client, lists: &[&str], uris: &[&str]| {
        let lists = lists.iter().map(|list| format!("{list}/list_changed"));
        let expected: Vec<_> = lists.chain(uris.iter().map(|uri| format!("resources/updated {uri}"))).collect();
        client.hears(&expected.iter().map(String::as_str).collect::<Vec<_>>()).await;
    };
    let both = ["prompts", "resources"];
    // Another description, and another field of the frontmatter.
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    hears(&mut client, &both, &[watched[0], watched[1], watched[2], watched[4], watched[5]]).await;
    host.write("tea", "SKILL.md", b"---\nname: tea\nlicense: MIT\ndescription: Brews more tea.\n---\n");
    hears(&mut client, &["resources"], &[watched[4], watched[5]]).await;
    host.write("tea", "references/green tea.md", b"Eighty degrees.");
    hears(&mut client, &["resources"], &[watched[3]]).await;
    host.enable("tea", false);
    hears(&mut client, &both, &watched).await;
}

#[tokio::test]
async fn a_connection_may_watch_sixty_four_files() {
    let mut client = Client::legacy(Memory::of(65)).await;
    for number in 0..65 {
        let uri = format!("skill://skill-{number:04}/SKILL.md");
        let answer = client.ask("resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(answer.get("result").is_some(), number < 64, "{answer}");
    }
}

/// wire contract 40
#[tokio::test]
async fn a_listen_stream_hears_what_it_asked_for_under_its_id() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    let filter = json!({"notifications": {"resourcesListChanged": true, "resourceSubscriptions": [TEA]}});
    let lists = client.request("subscriptions/listen", filter).await;
    let tools = client.request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    for _ in 0..2 {
        let first = client.next().await.unwrap();
        assert_eq!(told(&first), "subscriptions/acknowledged");
        let accepted = &first["params"]["notifications"];
        assert_eq!(accepted.get("toolsListChanged").is_some(), subscription(&first) == tools);
    }

    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    for expected in ["resources/list_changed", "resources/updated skill://tea/SKILL.md"] {
        let message = client.next().await.unwrap();
        assert_eq!((told(&message).as_str(), subscription(&message)), (expected, lists));
    }
    host.pause(true);
    let mut heard: Vec<_> = [client.next().await.unwrap(), client.next().await.unwrap()]
        .iter()
        .map(|message| (told(message), subscription(message)))
        .collect();
    heard.sort();
    assert_eq!(heard, [("resources/list_changed".to_owned(), lists), ("tools/list_changed".to_owned(), tools)]);
}

#[tokio::test]
async fn a_cancelled_listen_stream_hears_nothing_more() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    let id = client.request("subscriptions/listen", json!({"notifications": {"resourcesListChanged": true}})).await;
    client.next().await.unwrap();
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    client.ask("tools/list", json!({})).await;
    host.enable("tea", false);
    client.hears(&[]).await;
}

fn subscription(message: &Value) -> u64 {
    message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].as_u64().expect("a subscription id")
}
