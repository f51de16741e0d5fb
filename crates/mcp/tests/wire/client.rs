//! A client that speaks lines: the tests check the wire itself, not another library's reading of it.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use mcp::{Caller, Host, Peer, Transport, serve_stream};
use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf,
        WriteHalf, split,
    },
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

pub(crate) const MODERN: &str = "2026-07-28";
/// A request and its answer pass through as many tasks as a change and its notification, so one round would do; a few
/// more allow for a longer way.
const ROUNDS: usize = 5;
pub(crate) const LEGACY: &str = "2025-11-25";

pub(crate) struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: Option<WriteHalf<DuplexStream>>,
    /// Present in every request of a client without a handshake.
    meta: Option<Value>,
    last: u64,
    /// Messages that are not answers.
    pub(crate) unasked: Vec<Value>,
}

pub(crate) fn me() -> Caller {
    Caller::of("test")
}

/// The introduction of the client in these tests.
pub(crate) fn tester(protocol: &str, transport: Transport) -> Peer {
    let (name, version) = (Some("tester".to_owned()), Some("1".to_owned()));
    Peer { name, version, protocol: protocol.to_owned(), capabilities: Vec::new(), transport }
}

/// A server on a pipe, and the other end of that pipe.
pub(crate) fn serve(host: Arc<impl Host>) -> (DuplexStream, JoinHandle<std::io::Result<()>>) {
    serve_as(host, me())
}

/// The same for this client.
pub(crate) fn serve_as(host: Arc<impl Host>, caller: Caller) -> (DuplexStream, JoinHandle<std::io::Result<()>>) {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = split(theirs);
    (ours, tokio::spawn(serve_stream(host, caller, SystemTime::now(), read, write, CancellationToken::new())))
}

impl Client {
    pub(crate) fn on(stream: DuplexStream) -> Self {
        let (read, write) = split(stream);
        Self { lines: BufReader::new(read).lines(), write: Some(write), meta: None, last: 0, unasked: Vec::new() }
    }

    /// A client of 2026-07-28 and later.
    pub(crate) fn modern(host: Arc<impl Host>) -> Self {
        Self::on(serve(host).0).without_handshake()
    }

    pub(crate) fn without_handshake(mut self) -> Self {
        self.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }));
        self
    }

    /// A client of the older revisions, after its handshake.
    pub(crate) async fn legacy(host: Arc<impl Host>) -> Self {
        Self::legacy_that(host, json!({})).await
    }

    /// The same with these capabilities.
    pub(crate) async fn legacy_that(host: Arc<impl Host>, capabilities: Value) -> Self {
        let mut client = Self::on(serve(host).0);
        client.handshake_that(LEGACY, capabilities).await;
        client
    }

    pub(crate) async fn handshake(&mut self, version: &str) -> Value {
        self.handshake_that(version, json!({})).await
    }

    async fn handshake_that(&mut self, version: &str, capabilities: Value) -> Value {
        let hello = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": {"name": "tester", "version": "1"},
        });
        let answer = self.ask("initialize", hello).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        let write = self.write.as_mut().expect("not closed yet");
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The next request, not sent yet.
    pub(crate) fn message(&mut self, method: &str, mut params: Value) -> Value {
        self.last += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
    }

    /// Sends a request and returns its id.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> u64 {
        let message = self.message(method, params);
        self.send(&message).await;
        self.last
    }

    /// The whole answer to a request; earlier messages are kept in `unasked`.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        self.answer_to(id).await
    }

    pub(crate) async fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await.expect("an answer before the end");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.unasked.push(message);
        }
    }

    /// The next message of the server, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(Duration::from_secs(60), self.lines.next_line()).await;
        let line = line.expect("an answer in time").expect("a stream that can be read")?;
        Some(serde_json::from_str(&line).expect("a line of JSON"))
    }

    /// Waits until the first bytes of the next message are there, and leaves them unread.
    pub(crate) async fn is_spoken_to(&mut self) {
        assert!(!self.lines.get_mut().fill_buf().await.unwrap().is_empty(), "a message before the end");
    }

    /// The number of bytes until the end.
    pub(crate) async fn rest(self) -> usize {
        let (mut stream, mut bytes) = (self.lines.into_inner(), Vec::new());
        stream.read_to_end(&mut bytes).await.unwrap()
    }

    /// Waits for these notifications, and checks that no others come before the answers to later requests.
    pub(crate) async fn hears(&mut self, expected: &[&str]) {
        while self.unasked.len() < expected.len() {
            let message = self.next().await.expect("a notification before the end");
            self.unasked.push(message);
        }
        for _ in 0..ROUNDS {
            self.ask("tools/list", json!({})).await;
        }
        assert_eq!(self.unasked.drain(..).map(|message| told(&message)).collect::<Vec<_>>(), expected);
    }

    /// Closes the stream towards the server.
    pub(crate) async fn close(&mut self) {
        if let Some(mut write) = self.write.take() {
            write.shutdown().await.unwrap();
        }
    }
}

/// A client of each era.
pub(crate) async fn both(host: &Arc<impl Host>) -> [Client; 2] {
    [Client::modern(host.clone()), Client::legacy(host.clone()).await]
}

/// The URIs of a list's items.
pub(crate) fn uris(listed: &[Value]) -> Vec<&str> {
    listed.iter().map(|one| one["uri"].as_str().expect("each has a URI")).collect()
}

/// A notification in short: its method without `notifications/`, and its URI.
pub(crate) fn told(message: &Value) -> String {
    let method = message["method"].as_str().unwrap_or("an answer");
    let uri = message["params"]["uri"].as_str().map(|uri| format!(" {uri}")).unwrap_or_default();
    format!("{}{uri}", method.trim_start_matches("notifications/"))
}

/// The text of the first block of a tool's result.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().expect("a text block")
}
