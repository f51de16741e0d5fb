//! The activity of clients: who they are, when they came, and how far that proves their entries.

use std::{
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use api::{Client, Proof};
use engine::Engine;
use mcp::{Caller, ClientEvent, Host as _, Peer, Surface, Transport};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex, split};

use crate::home::{ADD, Home, change_client, comes, until};

const CLIENT: &str = "claude-desktop";

fn caller() -> Caller {
    Caller::of(CLIENT)
}

fn peer(protocol: &str, transport: Transport) -> Peer {
    let (name, version) = (Some("claude-ai".to_owned()), Some("0.1.0".to_owned()));
    Peer { name, version, protocol: protocol.to_owned(), capabilities: vec!["roots".to_owned()], transport }
}

fn connected(since: SystemTime) -> ClientEvent {
    ClientEvent::Connected { caller: caller(), peer: peer("2025-11-25", Transport::Stdio), since }
}

fn called(ok: bool) -> ClientEvent {
    ClientEvent::Called {
        caller: caller(),
        surface: Surface::Tools,
        method: "tools/call".to_owned(),
        target: "get_skill".to_owned(),
        skill: Some("tea".to_owned()),
        ok,
        why: None,
        took: Duration::from_millis(1),
        bytes_in: 2,
        bytes_out: 10,
    }
}

async fn client(engine: &Engine, holds: impl Fn(&Client) -> bool) -> Client {
    let snapshot = until(engine, |snapshot| snapshot.clients.iter().any(|row| row.id == CLIENT && holds(row))).await;
    snapshot.clients.iter().find(|row| row.id == CLIENT).unwrap().clone()
}

async fn connect(engine: &Engine) {
    change_client(engine, CLIENT, ADD).await;
}

#[tokio::test]
async fn the_snapshot_tells_who_is_connected_and_how_the_last_call_ended() {
    let home = Home::new();
    let engine = home.start().await;
    engine.note(connected(SystemTime::now()));
    engine.note(called(false));
    let row = client(&engine, |row| row.calls == 1).await;
    let said = row.peer.unwrap();
    assert_eq!((said.name.as_deref(), said.version.as_deref()), (Some("claude-ai"), Some("0.1.0")));
    assert_eq!((said.protocol.as_str(), said.transport), ("2025-11-25", Transport::Stdio));
    assert_eq!(said.capabilities, ["roots"]);
    assert!(row.live && row.connected.is_some());
    let last = row.called.unwrap();
    assert_eq!((last.method.as_str(), last.target.as_str(), last.ok), ("tools/call", "get_skill", false));
    assert_eq!(engine.snapshot().endpoint.connected, 1);

    // Clients start twice and end at any time: the end of one of two connections leaves the other.
    engine.note(connected(SystemTime::now()));
    engine.note(ClientEvent::Disconnected { caller: caller() });
    engine.note(called(true));
    client(&engine, |row| row.calls == 2).await;
    assert_eq!(engine.snapshot().endpoint.connected, 1);
    engine.note(ClientEvent::Disconnected { caller: caller() });
    until(&engine, |snapshot| snapshot.endpoint.connected == 0).await;
    assert!(client(&engine, |row| !row.live).await.peer.is_some(), "what it said of itself stays known");
}

#[tokio::test]
async fn who_came_is_known_after_a_restart_too() {
    let home = Home::new();
    let engine = home.start().await;
    engine.note(connected(UNIX_EPOCH + Duration::from_secs(1_000)));
    engine.note(called(true));
    let before = client(&engine, |row| row.calls == 1).await;
    engine.stop().await;
    drop(engine);

    let after = client(&home.start().await, |_| true).await;
    assert_eq!((after.connected, after.calls, after.live), (Some(1_000_000), 1, false));
    assert_eq!((after.peer, after.called), (before.peer, before.called));
}

#[tokio::test]
async fn a_record_of_clients_that_cannot_be_read_is_set_aside_and_said() {
    let home = Home::new();
    fs::write(home.machine.data.join("seen.json"), "half a li").unwrap();
    let engine = home.start().await;
    assert!(engine.snapshot().notices.iter().any(|notice| notice.message.contains("seen.json")));
    assert_eq!(client(&engine, |_| true).await.connected, None);
}

#[tokio::test]
async fn a_connection_from_before_the_entry_was_written_does_not_prove_it() {
    let home = Home::new();
    let engine = home.start().await;
    assert_eq!(client(&engine, |_| true).await.proof, Proof::NotAdded);
    engine.note(connected(UNIX_EPOCH + Duration::from_secs(1_000)));
    client(&engine, |row| row.live && row.proof == Proof::NotAdded).await;
    connect(&engine).await;
    engine.note(called(true));
    assert_eq!(client(&engine, |row| row.calls == 1).await.proof, Proof::Waiting, "it runs with its old config");

    // Moments have milliseconds: the first connection may be of the same one as that call.
    comes(async || {
        engine.note(connected(SystemTime::now()));
        client(&engine, |_| true).await.proof == Proof::Connected
    })
    .await;
    engine.note(called(true));
    client(&engine, |row| row.proof == Proof::Called).await;
}

#[tokio::test]
async fn over_http_without_a_handshake_every_call_proves_the_entry() {
    let home = Home::new();
    let engine = home.start().await;
    let since = Some(UNIX_EPOCH + Duration::from_secs(1_000));
    engine.note(ClientEvent::Met { caller: caller(), peer: peer("2026-07-28", Transport::Http), since });
    connect(&engine).await;
    client(&engine, |row| row.proof == Proof::Waiting).await;
    engine.note(called(true));
    client(&engine, |row| row.proof == Proof::Called).await;
}

/// One line to the bridge, and the answer.
async fn ask(stream: &mut DuplexStream, message: &Value) -> Value {
    stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    BufReader::with_capacity(1, stream).read_line(&mut line).await.unwrap();
    serde_json::from_str(&line).unwrap()
}

#[tokio::test]
async fn a_bridge_that_finds_the_next_engine_connected_when_its_client_started_it() {
    let home = Home::new();
    let engine = home.start().await;
    let (mut ours, theirs) = duplex(1 << 16);
    let (read, write) = split(theirs);
    let machine = home.machine.clone();
    let bridge = tokio::spawn(engine::bridge::carry(machine, Some(CLIENT), None, read, write));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"sampling": {}}, "clientInfo": {"name": "t", "version": "1"}});
    ask(&mut ours, &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})).await;
    ours.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();
    let before = client(&engine, |row| row.live).await;
    assert_eq!(before.peer.as_ref().unwrap().capabilities, ["sampling"]);
    connect(&engine).await;
    engine.stop().await;
    drop(engine);

    let engine = home.start().await;
    let after = client(&engine, |row| row.live).await;
    assert_eq!((after.connected, after.proof), (before.connected, Proof::Waiting));
    bridge.abort();
}
