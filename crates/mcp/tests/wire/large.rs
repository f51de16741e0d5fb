//! Large answers: together they are limited, and a client that stops reading does not block the others.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use crate::{
    client::Client,
    memory::Memory,
    web::{Web, until},
};

/// Two of them exceed the maximum weight of all answers in these tests.
const LARGE: usize = 6_300_000;
const URI: &str = "skill://tea/assets/large.bin";

fn host() -> Arc<Memory> {
    with_the_file(Memory::new())
}

fn with_the_file(host: Arc<Memory>) -> Arc<Memory> {
    host.write("tea", "assets/large.bin", &vec![0xff; LARGE]);
    host
}

/// Whether the whole large file arrives.
async fn read_whole(web: &Web) -> bool {
    let request = web.modern_request("resources/read", json!({"uri": URI})).with("Connection", "close");
    request.open().await.rest().await > LARGE / 3 * 4
}

fn size(answer: &Value) -> usize {
    answer["result"]["contents"][0]["blob"].as_str().map_or(0, |blob| blob.len() / 4 * 3)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_nobody_reads_gives_way_to_one_that_is_read() {
    let web = Web::serve(host()).await;
    let stopped = web.modern_request("resources/read", json!({"uri": URI})).open().await;
    assert!(read_whole(&web).await);
    assert!(stopped.rest().await < LARGE, "the other one is cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_does_not_read_gives_way_too() {
    let web = Web::serve(host()).await;
    let session = web.handshake("secret-one").await;
    let read = json!({"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": URI}});
    let mut stopped = web.request("POST", "secret-one").session(&session).body(&read).open().await;
    stopped.is_told("blob").await;
    assert!(read_whole(&web).await);
    assert!(stopped.rest().await < LARGE, "the other one is cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_lines_that_does_not_read_is_let_go() {
    let host = host();
    let (mut stopped, mut other) = (Client::modern(host.clone()), Client::modern(host.clone()));
    stopped.request("resources/read", json!({"uri": URI})).await;
    stopped.is_spoken_to().await;
    assert_eq!(size(&other.ask("resources/read", json!({"uri": URI})).await), LARGE);
    assert_eq!(size(&other.ask("resources/read", json!({"uri": URI})).await), LARGE, "and again");
    assert!(stopped.rest().await < LARGE, "its answer is cut off");
}

/// On one thread: a task that waits for memory has looked for stalled answers before this one goes on.
#[tokio::test]
async fn who_holds_up_only_itself_is_left_in_peace() {
    let host = with_the_file(Memory::within(Duration::ZERO));
    let mut slow = Client::modern(host.clone());
    slow.request("resources/read", json!({"uri": URI})).await;
    slow.is_spoken_to().await;
    slow.request("resources/read", json!({"uri": URI})).await;
    until(|| host.asked_for_room() == 3).await;
    for _ in 0..2 {
        assert_eq!(size(&slow.next().await.unwrap()), LARGE);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_large_answers_come_one_after_the_other() {
    let web = Arc::new(Web::serve(host()).await);
    let read = |_| {
        let web = web.clone();
        tokio::spawn(async move { read_whole(&web).await })
    };
    for answer in (0..3).map(read).collect::<Vec<_>>() {
        assert!(answer.await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_leaves_no_weight_behind() {
    let host = host();
    let mut client = Client::modern(host.clone()).without_handshake();
    for early in [true, false] {
        host.hold(early);
        let id = client.request("resources/read", json!({"uri": URI})).await;
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        client.send(&cancelled).await;
        host.hold(false);
    }
    let id = client.request("resources/read", json!({"uri": URI})).await;
    // A request that is cancelled too late is answered.
    let answer = client.answer_to(id).await;
    assert_eq!(size(&answer), LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_of_a_session_is_forgotten() {
    let host = host();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    host.hold(true);
    let read = json!({"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": URI}});
    let mut stream =
        web.request("POST", "secret-one").session(&session).with("Connection", "close").body(&read).open().await;
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    let told = web.request("POST", "secret-one").session(&session).body(&cancelled).send().await;
    assert_eq!(told.status, 202);
    assert_eq!(stream.event().await, None);
    host.hold(false);
    // If the answer were kept, its sent part would be sent again.
    let resumed = web.request("GET", "secret-one").session(&session).with("Last-Event-ID", "0/0").send().await;
    assert_eq!((resumed.status, resumed.body.as_str()), (200, ""));
    assert!(read_whole(&web).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_would_swell_in_json_comes_as_bytes() {
    let host = Memory::new();
    host.write("tea", "references/bells.txt", &vec![7; (1 << 20) + 1]);
    let mut client = Client::modern(host);
    let answer = client.ask("resources/read", json!({"uri": "skill://tea/references/bells.txt"})).await;
    let contents = &answer["result"]["contents"][0];
    assert!(contents["blob"].is_string() && contents["mimeType"] == "text/plain", "{}", contents["mimeType"]);
}
