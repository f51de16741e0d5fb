//! The time limits of HTTP connections: a slow connection keeps no other out.

use std::{io::ErrorKind, sync::Arc};

use mcp::Limits;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Duration, sleep, timeout},
};

use crate::{
    client::told,
    memory::Memory,
    web::{Web, until},
};

/// Long enough to fail a test that waits for it.
const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(100);

fn filter() -> serde_json::Value {
    json!({"notifications": {"resourcesListChanged": true}})
}

fn limits() -> Limits {
    Limits { head: LONG, body: LONG, idle: LONG, connections: 1024 }
}

async fn within(limits: Limits) -> Web {
    Web::serve_within(Memory::new(), None, limits).await
}

async fn connect(web: &Web, head: &str) -> TcpStream {
    let mut socket = TcpStream::connect(("127.0.0.1", web.port)).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

/// Reads until the other side ends the connection.
async fn until_its_end(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = timeout(Duration::from_secs(20), socket.read_to_end(&mut text)).await;
    // A connection closed with unread data is reset.
    drop(read.expect("an end in time"));
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether the other side has not ended the connection yet; what it has sent is read.
fn is_open(socket: &TcpStream) -> bool {
    loop {
        match socket.try_read(&mut [0; 4096]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

/// A request whose body lacks one byte.
async fn half_a_body(web: &Web) -> TcpStream {
    let request = web.modern_request("tools/list", json!({}));
    let length = request.text_of_body().len() + 1;
    request.with("Content-Length", &length.to_string()).write().await
}

async fn is_served(web: &Web) -> bool {
    web.modern("tools/list", json!({})).await.status == 200
}

#[tokio::test]
async fn a_head_that_does_not_come_to_its_end_is_given_up() {
    let web = within(Limits { head: SHORT, ..limits() }).await;
    for head in ["", "POST", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"] {
        assert_eq!(until_its_end(&mut connect(&web, head).await).await, "", "{head}");
    }
    // Data that keeps arriving does not extend the limit.
    let mut socket = connect(&web, "POST /mcp HTTP/1.1\r\n").await;
    let trickle = async {
        while socket.write_all(b"X: y\r\n").await.is_ok() {
            sleep(SHORT / 10).await;
        }
    };
    timeout(Duration::from_secs(20), trickle).await.expect("an end in time");
    assert!(is_served(&web).await);
}

#[tokio::test]
async fn the_head_of_a_second_request_has_its_time_too() {
    let web = within(Limits { head: SHORT, ..limits() }).await;
    let mut socket = web.modern_request("tools/list", json!({})).write().await;
    let mut answers = [0; 16];
    socket.read_exact(&mut answers).await.unwrap();
    assert_eq!(&answers, b"HTTP/1.1 200 OK\r");
    // A connection that began later is given up: the silence was longer than a head may take.
    assert_eq!(until_its_end(&mut connect(&web, "").await).await, "");
    assert!(is_open(&socket), "silence after an answer is no head that does not come");
    socket.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
    until_its_end(&mut socket).await;
}

#[tokio::test]
async fn a_body_that_does_not_come_to_its_end_is_given_up() {
    let web = within(Limits { body: SHORT, ..limits() }).await;
    assert_eq!(until_its_end(&mut half_a_body(&web).await).await, "");
    let chunked = web.request("POST", "secret-one").with("Transfer-Encoding", "chunked").text("4\r\n{\"a\"\r\n");
    assert_eq!(until_its_end(&mut chunked.write().await).await, "");
    assert!(is_served(&web).await);
}

#[tokio::test]
async fn a_connection_that_nobody_uses_is_closed_and_one_that_listens_is_not() {
    let host = Memory::new();
    let short = Limits { head: SHORT, body: SHORT, idle: SHORT, connections: 1024 };
    let web = Web::serve_within(host.clone(), None, short).await;
    let filter = json!({"notifications": {"toolsListChanged": true, "resourcesListChanged": true}});
    let mut stream = web.modern_request("subscriptions/listen", filter).open().await;
    assert_eq!(told(&stream.event().await.unwrap()), "subscriptions/acknowledged");

    let mut used = web.modern_request("tools/list", json!({})).write().await;
    assert!(until_its_end(&mut used).await.starts_with("HTTP/1.1 200"));
    // It began later than the stream and was silent for its whole time, so the stream was silent for longer.
    host.enable("tea", false);
    assert_eq!(told(&stream.event().await.unwrap()), "resources/list_changed");
}

#[tokio::test]
async fn half_bodies_keep_nobody_out() {
    let web = within(limits()).await;
    let mut halves = Vec::new();
    for _ in 0..300 {
        halves.push(half_a_body(&web).await);
    }
    assert!(is_served(&web).await);
    // The server still waits for them.
    halves[0].write_all(b" ").await.unwrap();
    let mut answer = [0; 15];
    halves[0].read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
}

#[tokio::test]
async fn of_too_many_connections_the_one_that_has_waited_longest_gives_way() {
    let host = Memory::new();
    let web = Web::serve_within(host.clone(), None, Limits { connections: 8, ..limits() }).await;
    let mut stream = web.modern_request("subscriptions/listen", filter()).open().await;
    assert_eq!(told(&stream.event().await.unwrap()), "subscriptions/acknowledged");
    let mut heads = Vec::new();
    for _ in 0..40 {
        heads.push(connect(&web, "POST /mcp HTTP/1.1\r\n").await);
        assert!(is_served(&web).await);
    }
    assert_eq!(until_its_end(&mut heads[0]).await, "");
    host.enable("tea", false);
    assert_eq!(told(&stream.event().await.unwrap()), "resources/list_changed", "what is answered does not give way");
}

#[tokio::test]
async fn a_body_in_malformed_pieces_is_refused() {
    let web = within(limits()).await;
    for body in ["zz\r\n{}\r\n0\r\n\r\n", "-1\r\n\r\n", "2\r\n{}xx0\r\n\r\n", "ffffffffffffffffff\r\n{}", "\r\n\r\n"] {
        let request = web.modern_request("tools/list", json!({})).with("Transfer-Encoding", "chunked").text(body);
        assert_eq!(request.send().await.status, 400, "{body:?}");
    }
}

/// Each stream and each session holds the host, so its reference count shows what is left of them.
#[tokio::test]
async fn of_streams_that_have_ended_nothing_is_left() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    web.is_left().await;
    let before = Arc::strong_count(&host);
    for _ in 0..5 {
        let mut streams = Vec::new();
        for _ in 0..40 {
            let mut stream = web.modern_request("subscriptions/listen", filter()).open().await;
            assert_eq!(told(&stream.event().await.unwrap()), "subscriptions/acknowledged");
            streams.push(stream);
            streams.push(web.request("GET", "secret-one").session(&session).open().await);
            assert_eq!(web.modern("tools/list", json!({})).await.status, 200);
        }
        assert!(Arc::strong_count(&host) >= before + 40);
        drop(streams);
        web.is_left().await;
        until(|| Arc::strong_count(&host) == before).await;
    }
}
