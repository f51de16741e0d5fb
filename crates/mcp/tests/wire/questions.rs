//! Another server's questions to the user of a client during a call.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    gateway::{Played, host_of, offered, tool},
    memory::Memory,
    web::Web,
};

const ASKED: &str =
    r#""method":"elicitation/create","params":{"message":"How many cups?","requestedSchema":{"b": 1.0,"a":2}}"#;

async fn host() -> (Arc<Memory>, Played) {
    host_of(offered(vec![tool("brew", "Brews")])).await
}

async fn forms(host: &Arc<Memory>) -> Client {
    let mut client = Client::legacy_that(host.clone(), json!({"elicitation": {}})).await;
    client.ask("tools/list", json!({})).await;
    client
}

/// Begins a call, and waits for it at the server.
async fn begin(client: &mut Client, played: &mut Played, meta: Value) -> (u64, Value) {
    let id = client.request("tools/call", json!({"name": "pot__brew", "arguments": {}, "_meta": meta})).await;
    (id, played.hears().await.0)
}

/// The server asks a question and gets the answer.
async fn asks(played: &mut Played) -> Value {
    played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
    played.hears().await.0
}

async fn finish(client: &mut Client, played: &mut Played, id: u64, asked: &Value) {
    played.answers(asked, r#"{"content":[{"type":"text","text":"Done"}]}"#).await;
    assert_eq!(text(&client.answer_to(id).await), "Done");
}

#[tokio::test]
async fn a_question_reaches_the_client_that_calls_and_its_answer_goes_back_as_it_is() {
    let (host, mut played) = host().await;
    // One call is passed on directly, the other by rmcp because of its token.
    for meta in [json!({}), json!({"progressToken": 1})] {
        let mut client = forms(&host).await;
        let (id, asked) = begin(&mut client, &mut played, meta).await;
        played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
        let question = client.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create");
        let params = r#"{"message":"pot asks: How many cups?","requestedSchema":{"b":1.0,"a":2}}"#;
        assert_eq!(question["params"].to_string(), params);
        let answer = r#"{"action":"accept","content":{"cups":2.50,"later":{"z":1}},"more":true}"#;
        client.send_line(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{answer}}}"#, question["id"])).await;
        let (_, heard) = played.hears().await;
        assert_eq!(heard.trim(), format!(r#"{{"jsonrpc":"2.0","id":"q","result":{answer}}}"#));
        finish(&mut client, &mut played, id, &asked).await;
    }
}

#[tokio::test]
async fn who_cannot_be_asked_declines() {
    let (host, mut played) = host().await;
    let links = Client::legacy_that(host.clone(), json!({"elicitation": {"url": {}}})).await;
    for mut client in [Client::modern(host.clone()), Client::legacy(host.clone()).await, links] {
        client.ask("tools/list", json!({})).await;
        let (id, asked) = begin(&mut client, &mut played, json!({})).await;
        assert_eq!(asks(&mut played).await["result"], json!({"action": "decline"}));
        finish(&mut client, &mut played, id, &asked).await;
        assert_eq!(client.unasked, [Value::Null; 0]);
    }
    assert_eq!(asks(&mut played).await["result"], json!({"action": "decline"}), "without a call");
    let mut client = forms(&host).await;
    let (id, asked) = begin(&mut client, &mut played, json!({})).await;
    played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
    let question = client.next().await.unwrap();
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32601, "message": "no"}})).await;
    assert_eq!(played.hears().await.0["result"], json!({"action": "decline"}));
    finish(&mut client, &mut played, id, &asked).await;
}

#[tokio::test]
async fn with_calls_of_two_clients_under_way_nobody_is_asked() {
    let (host, mut played) = host().await;
    let (mut one, mut other) = (forms(&host).await, forms(&host).await);
    let (first, asked_first) = begin(&mut one, &mut played, json!({})).await;
    let (second, asked_second) = begin(&mut other, &mut played, json!({})).await;
    assert_eq!(asks(&mut played).await["result"], json!({"action": "decline"}));
    finish(&mut one, &mut played, first, &asked_first).await;
    // Two calls of one client count as one.
    let (third, asked_third) = begin(&mut other, &mut played, json!({})).await;
    played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
    let question = other.next().await.unwrap();
    other.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "cancel"}})).await;
    assert_eq!(played.hears().await.0["result"], json!({"action": "cancel"}));
    finish(&mut other, &mut played, second, &asked_second).await;
    finish(&mut other, &mut played, third, &asked_third).await;
}

#[tokio::test]
async fn a_question_ends_with_its_call() {
    let (host, mut played) = host().await;
    let mut client = forms(&host).await;
    let (id, asked) = begin(&mut client, &mut played, json!({})).await;
    played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
    let question = client.next().await.unwrap();
    played.answers(&asked, r#"{"content":[]}"#).await;
    client.answer_to(id).await;
    assert_eq!(played.hears().await.0["result"], json!({"action": "cancel"}));
    let told = match client.unasked.pop() {
        Some(told) => told,
        None => client.next().await.unwrap(),
    };
    assert_eq!(told["method"], "notifications/cancelled");
    assert_eq!(told["params"]["requestId"], question["id"]);
    // The client's late answer is ignored.
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "cancel"}})).await;
    client.ask("tools/list", json!({})).await;
}

#[tokio::test]
async fn over_http_a_session_is_asked_on_the_stream_of_its_call() {
    let (host, mut played) = host().await;
    let web = Web::serve(host).await;
    let session = web.handshake_that("secret-one", json!({"elicitation": {}})).await;
    let params = json!({"name": "pot__brew", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let mut stream = web.request("POST", "secret-one").session(&session).body(&call).open().await;
    let (asked, _) = played.hears().await;
    played.says(&format!(r#"{{"jsonrpc":"2.0","id":"q",{ASKED}}}"#)).await;
    let question = stream.event().await.unwrap();
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], "pot asks: How many cups?");
    let result = json!({"action": "accept", "content": {"cups": 2}});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    let status = web.request("POST", "secret-one").session(&session).body(&answer).send().await.status;
    assert_eq!(status, 202);
    assert_eq!(played.hears().await.0["result"], result);
    played.answers(&asked, r#"{"content":[{"type":"text","text":"Done"}]}"#).await;
    assert_eq!(text(&stream.event().await.unwrap()), "Done");
}
