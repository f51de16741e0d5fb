//! The bridge between a client and real servers that disappear at the worst moments.

use std::{
    collections::BTreeMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp::{Reached, bridge};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, split},
    sync::Notify,
    task::JoinHandle,
};

use crate::{
    client::{Client, LEGACY, serve, text, told},
    memory::Memory,
};

const TEA: &str = "skill://tea/SKILL.md";

/// A client whose bridge connects to an engine by `dial`.
fn bridged<F>(dial: impl FnMut() -> F + Send + 'static) -> (Client, Arc<Notify>, JoinHandle<io::Result<()>>)
where
    F: Future<Output = io::Result<Reached>> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = split(theirs);
    let better = Arc::new(Notify::new());
    let notified = better.clone();
    let running = tokio::spawn(async move { bridge(read, write, dial, &notified).await });
    (Client::on(ours), better, running)
}

fn upstream(stream: DuplexStream) -> Reached {
    let (read, write) = split(stream);
    Reached::new(read, write)
}

/// Engines of one host. The first two connections break after so many messages, the later ones hold.
fn breaking_after(host: &Arc<Memory>, messages: usize) -> impl FnMut() -> io::Result<Reached> + Send + 'static {
    let host = host.clone();
    let mut left = vec![messages; 2];
    move || {
        let (engine, _) = serve(host.clone());
        let Some(messages) = left.pop() else { return Ok(upstream(engine)) };
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(carry(theirs, engine, messages));
        Ok(upstream(ours))
    }
}

async fn carry(bridge: DuplexStream, engine: DuplexStream, messages: usize) {
    let (bridge_read, mut bridge_write) = split(bridge);
    let (engine_read, mut engine_write) = split(engine);
    let mut asked = BufReader::new(bridge_read).lines();
    let mut answered = BufReader::new(engine_read).lines();
    for _ in 0..messages {
        tokio::select! {
            Ok(Some(line)) = asked.next_line() => engine_write.write_all(format!("{line}\n").as_bytes()).await.unwrap(),
            Ok(Some(line)) = answered.next_line() => bridge_write.write_all(format!("{line}\n").as_bytes()).await.unwrap(),
            else => return,
        }
    }
}

/// Sends all requests at once, edits a file after the answers, waits for its notification, and ends. Returns how often
/// each id was answered, and the notification.
async fn ask_everything(mut client: Client, host: &Memory) -> (BTreeMap<u64, usize>, Value) {
    let mut counts = BTreeMap::new();
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({"name": "list_skills"})),
        ("tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}})),
        ("tools/call", json!({"name": "deploy"})),
        ("prompts/get", json!({"name": "init-skills"})),
        ("resources/read", json!({"uri": TEA})),
        ("resources/list", json!({})),
    ] {
        counts.insert(client.request(method, params).await, 0);
    }
    while counts.values().any(|count| *count == 0) {
        count_answer(&mut counts, &client.next().await.expect("every answer before the end"));
    }
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    let update = loop {
        let message = client.next().await.expect("a notification before the end");
        count_answer(&mut counts, &message);
        if told(&message) == "resources/updated skill://tea/SKILL.md" {
            break message;
        }
    };
    client.close().await;
    while let Some(message) = client.next().await {
        count_answer(&mut counts, &message);
    }
    (counts, update)
}

fn count_answer(counts: &mut BTreeMap<u64, usize>, message: &Value) {
    assert_ne!(told(message), "subscriptions/acknowledged", "a second time");
    if let (Some(id), None) = (message["id"].as_u64(), message.get("method")) {
        *counts.entry(id).or_default() += 1;
    }
}

#[tokio::test]
async fn wherever_the_engine_breaks_off_a_client_of_a_handshake_gets_each_answer_once() {
    for messages in 0..=26 {
        let host = Memory::new();
        let mut dial = breaking_after(&host, messages);
        let (mut client, _, running) = bridged(move || std::future::ready(dial()));
        client.handshake(LEGACY).await;
        client.ask("resources/subscribe", json!({"uri": TEA})).await;
        let (counts, _) = ask_everything(client, &host).await;
        running.await.unwrap().unwrap();
        assert!(counts.values().all(|count| *count == 1), "broken after {messages} messages: {counts:?}");
    }
}

#[tokio::test]
async fn wherever_the_engine_breaks_off_a_listen_stream_goes_on_and_each_answer_comes_once() {
    for messages in 0..=22 {
        let host = Memory::new();
        let mut dial = breaking_after(&host, messages);
        let (client, _, running) = bridged(move || std::future::ready(dial()));
        let mut client = client.without_handshake();
        let filter = json!({"notifications": {"resourcesListChanged": true, "resourceSubscriptions": [TEA]}});
        let listening = client.request("subscriptions/listen", filter).await;
        assert_eq!(told(&client.next().await.unwrap()), "subscriptions/acknowledged");
        let (counts, update) = ask_everything(client, &host).await;
        running.await.unwrap().unwrap();
        assert_eq!(update["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], listening);
        assert_eq!(counts.get(&listening), Some(&1), "broken after {messages} messages");
        assert!(counts.values().all(|count| *count == 1), "broken after {messages} messages: {counts:?}");
    }
}

#[tokio::test]
async fn a_better_engine_takes_over_and_the_client_is_told_to_look_again() {
    let (reading, writing) = (Memory::new(), Memory::of(1));
    let mut engines = vec![writing.clone(), reading.clone()];
    let (mut client, better, _running) = bridged(move || {
        let host = engines.pop().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
        std::future::ready(host.map(|host| upstream(serve(host).0)))
    });
    client.handshake(LEGACY).await;
    let list = json!({"name": "list_skills"});
    assert!(text(&client.ask("tools/call", list.clone()).await).contains("tea"));
    better.notify_one();
    for expected in ["tools/list_changed", "prompts/list_changed", "resources/list_changed"] {
        assert_eq!(told(&client.next().await.unwrap()), expected);
    }
    assert!(text(&client.ask("tools/call", list.clone()).await).contains("skill-0000"));

    better.notify_one();
    tokio::task::yield_now().await;
    assert!(text(&client.ask("tools/call", list).await).contains("skill-0000"));
    assert!(client.unasked.is_empty());
    writing.enable("skill-0000", false);
    assert_eq!(told(&client.next().await.unwrap()), "prompts/list_changed");
    assert_eq!(told(&client.next().await.unwrap()), "resources/list_changed");
}

#[tokio::test]
async fn an_engine_that_is_late_still_answers_a_client_that_has_ended() {
    let host = Memory::new();
    let dials = Arc::new(AtomicUsize::new(0));
    let count = dials.clone();
    let (client, _, running) = bridged(move || {
        let host = host.clone();
        let first = count.fetch_add(1, Ordering::SeqCst) < 2;
        async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            if first { Err(io::ErrorKind::ConnectionRefused.into()) } else { Ok(upstream(serve(host).0)) }
        }
    });
    let mut client = client.without_handshake();
    let asked = client.request("tools/list", json!({})).await;
    client.close().await;
    assert_eq!(client.answer_to(asked).await["result"]["tools"].as_array().unwrap().len(), 2);
    assert!(client.next().await.is_none());
    running.await.unwrap().unwrap();
    assert_eq!(dials.load(Ordering::SeqCst), 3);
}

/// A client that writes everything before it reads, and an engine that waits until each answer is read.
#[tokio::test]
async fn a_client_that_does_not_read_yet_and_an_engine_that_waits_for_room_do_not_wait_for_each_other() {
    const REQUESTS: usize = 300;
    let small = || tokio::io::duplex(1 << 10);
    let ((client, ours), (near, far)) = (small(), small());
    tokio::spawn(async move {
        let (read, mut write) = tokio::io::split(far);
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { break };
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"x": "x".repeat(1 << 10)}});
            write.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
        }
    });
    let mut near = Some(near);
    let dial = move || {
        let reached = near.take().map(|near| {
            let (read, write) = tokio::io::split(near);
            Reached::new(read, write)
        });
        std::future::ready(reached.ok_or_else(|| std::io::ErrorKind::NotFound.into()))
    };
    let (read, write) = tokio::io::split(ours);
    let never = Notify::new();
    let bridging = mcp::bridge(read, write, dial, &never);
    let talking = async move {
        let (read, mut write) = tokio::io::split(client);
        for id in 0..REQUESTS {
            let padding = "y".repeat(1 << 10);
            let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {"y": padding}});
            write.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        }
        let mut lines = BufReader::new(read).lines();
        for id in 0..REQUESTS {
            let answer: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
            assert_eq!(answer["id"], id);
        }
    };
    let both = async {
        tokio::select! {
            () = talking => {}
            ended = bridging => panic!("the bridge ended: {ended:?}"),
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), both).await.expect("neither waits for the other");
}
