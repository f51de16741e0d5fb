//! What a client sees where it works: by its roots, or by the folder that its bridge told of.

use std::{fs, sync::Arc};

use mcp::{Caller, WorkFolder};
use serde_json::{Value, json};

use crate::{
    client::{Client, serve, serve_as, text},
    memory::Memory,
    web::Web,
};

const LISTS: [&str; 2] = ["prompts/list_changed", "resources/list_changed"];

/// A host that shows tea in one folder and coffee in another.
fn host() -> Arc<Memory> {
    let host = Memory::new();
    host.bind("/work/tea", "tea");
    host.bind("/work/coffee", "coffee");
    host
}

/// A client that has roots, after its handshake.
async fn rooted(host: &Arc<Memory>) -> Client {
    Client::legacy_that(host.clone(), json!({"roots": {"listChanged": true}})).await
}

/// Answers the question for the roots, which is the next message.
async fn gives(client: &mut Client, roots: &[&str]) {
    let question = asked(client).await;
    let roots: Vec<_> = roots.iter().map(|uri| json!({"uri": uri, "name": "a folder"})).collect();
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": roots}})).await;
}

async fn asked(client: &mut Client) -> Value {
    let question = match client.unasked.pop() {
        Some(question) => question,
        None => client.next().await.unwrap(),
    };
    assert_eq!(question["method"], "roots/list", "{question}");
    question
}

async fn sees(client: &mut Client) -> Vec<String> {
    let answer = client.ask("tools/call", json!({"name": "list_skills", "arguments": {}})).await;
    let listed: Vec<Value> = serde_json::from_str(text(&answer)).unwrap();
    listed.iter().map(|skill| skill["id"].as_str().unwrap().to_owned()).collect()
}

/// wire contract 47
#[tokio::test]
async fn the_first_list_waits_for_the_roots_and_nothing_is_told_twice() {
    let host = host();
    let mut client = rooted(&host).await;
    let first = client.request("tools/call", json!({"name": "list_skills", "arguments": {}})).await;
    gives(&mut client, &["file:///work/tea"]).await;
    let answer = client.answer_to(first).await;
    assert!(text(&answer).contains("tea") && !text(&answer).contains("coffee"), "{answer}");
    assert_eq!(sees(&mut client).await, ["tea"]);
    client.hears(&[]).await;
    let gone = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "coffee"}})).await;
    assert_eq!(gone["result"]["isError"], true, "{gone}");
}

/// wire contract 47
#[tokio::test]
async fn when_roots_change_the_list_does_and_the_client_is_told() {
    let host = host();
    let mut client = rooted(&host).await;
    gives(&mut client, &["file:///work/tea"]).await;
    assert_eq!(sees(&mut client).await, ["tea"]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    gives(&mut client, &["file:///work/coffee/"]).await;
    client.hears(&LISTS).await;
    assert_eq!(sees(&mut client).await, ["coffee"]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    gives(&mut client, &["file:///work/coffee", "file:///work/tea", "https://example.com", "file:///elsewhere"]).await;
    client.hears(&LISTS).await;
    assert_eq!(sees(&mut client).await, ["coffee", "tea"], "those of both");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    gives(&mut client, &[]).await;
    client.hears(&LISTS).await;
    assert_eq!(sees(&mut client).await.len(), 3, "no folder is as without");
}

#[tokio::test]
async fn only_who_has_roots_is_asked_and_only_while_a_folder_shows_something_else() {
    let host = Memory::new();
    let mut client = rooted(&host).await;
    assert_eq!(sees(&mut client).await.len(), 3);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    client.hears(&[]).await;
    let mut without = Client::legacy(host.clone()).await;
    let mut modern = Client::modern(host.clone());
    host.bind("/work/tea", "tea");
    gives(&mut client, &["file:///work/tea"]).await;
    client.hears(&LISTS).await;
    assert_eq!(sees(&mut client).await, ["tea"]);
    for other in [&mut without, &mut modern] {
        assert_eq!(sees(other).await.len(), 3);
        assert!(other.unasked.is_empty(), "{:?}", other.unasked);
    }
}

#[tokio::test]
async fn a_client_that_does_not_answer_waits_a_moment_once_and_is_told_when_it_does() {
    let host = host();
    let mut client = rooted(&host).await;
    assert_eq!(sees(&mut client).await.len(), 3);
    gives(&mut client, &["file:///work/tea"]).await;
    client.hears(&LISTS).await;
    assert_eq!(sees(&mut client).await, ["tea"]);

    // One that never said that its handshake is over is not asked, and is answered all the same.
    let mut client = Client::on(serve(host.clone()).0);
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
    client.ask("initialize", hello).await;
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_answer_that_is_none_counts_as_no_roots() {
    for answer in [
        json!({"error": {"code": -32601, "message": "no"}}),
        json!({"result": {}}),
        json!({"result": {"roots": "many"}}),
        json!({"result": {"roots": [{"name": "nowhere"}, 7, {"uri": 7}, {"uri": "file:///work/tea/../../etc"}]}}),
    ] {
        let host = host();
        let mut client = rooted(&host).await;
        let mut said = json!({"jsonrpc": "2.0", "id": asked(&mut client).await["id"]});
        said.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        client.send(&said).await;
        assert_eq!(sees(&mut client).await.len(), 3, "{said}");
        client.hears(&[]).await;
    }
}

/// wire contract 47
#[tokio::test]
async fn the_folder_of_the_bridge_counts_in_both_eras_until_the_client_gives_a_root() {
    let host = host();
    let works = |folder: &str| Caller {
        folders: Arc::from([WorkFolder { path: folder.into(), real: None }]),
        ..Caller::of("test")
    };
    let on = |folder| Client::on(serve_as(host.clone(), works(folder)).0);
    let mut modern = on("/work/tea").without_handshake();
    assert_eq!(sees(&mut modern).await, ["tea"]);
    let mut legacy = on("/work/coffee");
    legacy.handshake("2025-11-25").await;
    assert_eq!(sees(&mut legacy).await, ["coffee"]);
    legacy.hears(&[]).await;

    let mut rooted = on("/work/coffee");
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
    rooted.ask("initialize", hello).await;
    rooted.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    gives(&mut rooted, &["file:///work/tea"]).await;
    assert_eq!(sees(&mut rooted).await, ["tea"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_root_counts_where_its_links_lead_and_one_that_leads_upwards_where_it_ends() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    for folder in ["tea", "other"] {
        fs::create_dir(home.join(folder)).unwrap();
    }
    std::os::unix::fs::symlink(home.join("tea"), home.join("link")).unwrap();
    let host = Memory::new();
    host.bind(home.join("tea"), "tea");
    for (root, count) in [("link", 1), ("other/../tea", 1), ("tea/../other", 3), ("gone/../tea", 3)] {
        let mut client = rooted(&host).await;
        gives(&mut client, &[&format!("file://{}/{root}", home.display())]).await;
        assert_eq!(sees(&mut client).await.len(), count, "{root}");
    }
}

#[tokio::test]
async fn a_client_that_calls_out_a_thousand_changes_is_asked_one_after_the_other() {
    let host = host();
    let mut client = rooted(&host).await;
    gives(&mut client, &["file:///work/tea"]).await;
    assert_eq!(sees(&mut client).await, ["tea"]);
    for _ in 0..1_000 {
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})).await;
    }
    let question = asked(&mut client).await;
    client.ask("ping", json!({})).await;
    assert!(client.unasked.is_empty(), "{:?}", client.unasked);
    let roots = json!({"roots": (0..1_000).map(|_| json!({"uri": "file:///work/coffee"})).collect::<Vec<_>>()});
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": roots})).await;
    // The changes that came while the question was open are one more question.
    client.hears(&[LISTS[0], LISTS[1], "roots/list"]).await;
    assert_eq!(sees(&mut client).await, ["coffee"]);
}

/// wire contract 47
#[tokio::test]
async fn a_session_over_http_is_asked_on_its_stream_of_news() {
    let host = host();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake_that("secret-one", json!({"roots": {}})).await;
    let mut news = web.request("GET", "secret-one").session(&session).open().await;
    let question = loop {
        let event = news.event().await.unwrap();
        if event["method"] == "roots/list" {
            break event;
        }
    };
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": "file:///work/tea"}]}});
    assert_eq!(web.request("POST", "secret-one").session(&session).body(&answer).send().await.status, 202);
    let call =
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list_skills", "arguments": {}}});
    for _ in 0..2 {
        let listed = web.request("POST", "secret-one").session(&session).body(&call).send().await;
        assert!(listed.body.contains("tea") && !listed.body.contains("coffee"), "{}", listed.body);
    }
}
