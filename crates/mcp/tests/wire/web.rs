//! A client that writes its HTTP by hand, so that a test can send what no library would.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use mcp::{Access, Entrance, Host, Limits, Token, serve_http};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::{Duration, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::client::{LEGACY, MODERN};

/// A served endpoint.
pub(crate) struct Web {
    pub(crate) port: u16,
    access: Arc<Mutex<Arc<Access>>>,
    stop: CancellationToken,
    server: JoinHandle<std::io::Result<()>>,
    /// The number of connections.
    pub(crate) present: watch::Receiver<usize>,
}

/// A request that can be changed before it is sent.
#[derive(Clone)]
pub(crate) struct Exchange {
    port: u16,
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

/// A complete answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// An answer that stays open.
pub(crate) struct Stream {
    socket: TcpStream,
    read: String,
}

impl Web {
    /// Serves with the tokens `secret-one` (of the client `test`) and `secret-two`.
    pub(crate) async fn serve(host: Arc<impl Host>) -> Self {
        Self::serve_with(host, None).await
    }

    /// The same with a folder in which sessions are kept.
    pub(crate) async fn serve_with(host: Arc<impl Host>, sessions: Option<PathBuf>) -> Self {
        Self::serve_within(host, sessions, Limits::default()).await
    }

    /// The same with other connection limits.
    pub(crate) async fn serve_within(host: Arc<impl Host>, sessions: Option<PathBuf>, limits: Limits) -> Self {
        Self::serve_at(Entrance::ThisComputer, host, sessions, limits).await
    }

    /// The same at another entrance.
    pub(crate) async fn serve_at(
        entrance: impl FnOnce(TcpListener) -> Entrance,
        host: Arc<impl Host>,
        sessions: Option<PathBuf>,
        limits: Limits,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let access = Arc::new(Mutex::new(Arc::<Access>::default()));
        let stop = CancellationToken::new();
        let entrance = entrance(listener);
        let now = access.clone();
        let access_now = move || now.lock().unwrap().clone();
        let (told, present) = watch::channel(0);
        let server = tokio::spawn(serve_http(host, entrance, access_now, sessions, limits, told, stop.clone()));
        let web = Self { port, access, stop, server, present };
        web.tokens(&["secret-one", "secret-two"]);
        web
    }

    /// Replaces the valid tokens; no page's origin is allowed.
    pub(crate) fn tokens(&self, tokens: &[&str]) {
        self.access(tokens, &[]);
    }

    pub(crate) fn access(&self, tokens: &[&str], origins: &[&str]) {
        let token = |value: &&str| Token {
            client: if *value == "secret-one" { "test" } else { "other" }.into(),
            value: (*value).to_owned(),
        };
        let access = Access {
            tokens: tokens.iter().map(token).collect(),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
        };
        *self.access.lock().unwrap() = Arc::new(access);
    }

    /// Waits until no connection is left.
    pub(crate) async fn is_left(&self) {
        until(|| *self.present.borrow() == 0).await;
    }

    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    pub(crate) async fn stopped(self) {
        timeout(Duration::from_secs(20), self.server).await.expect("a stop in time").unwrap().unwrap();
    }

    /// A request with the usual headers.
    pub(crate) fn request(&self, method: &str, token: &str) -> Exchange {
        let headers = [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Authorization", format!("Bearer {token}")),
            ("Content-Type", "application/json".into()),
            ("Accept", "application/json, text/event-stream".into()),
        ];
        Exchange {
            port: self.port,
            line: format!("{method} /mcp HTTP/1.1"),
            headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            body: String::new(),
        }
    }

    /// A request of 2026-07-28, with id 1.
    pub(crate) fn modern_request(&self, method: &str, params: Value) -> Exchange {
        let mut params = params;
        if params.get("_meta").is_none() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let mut request =
            self.request("POST", "secret-one").replace("MCP-Protocol-Version", MODERN).replace("Mcp-Method", method);
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            request = request.replace("Mcp-Name", name);
        }
        request.body(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    }

    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        self.modern_request(method, params).send().await
    }

    /// A handshake; returns the session's id.
    pub(crate) async fn handshake(&self, token: &str) -> String {
        self.handshake_that(token, json!({})).await
    }

    /// The same for a client with these capabilities.
    pub(crate) async fn handshake_that(&self, token: &str, capabilities: Value) -> String {
        let client = json!({"name": "tester", "version": "1"});
        let params = json!({"protocolVersion": LEGACY, "capabilities": capabilities, "clientInfo": client});
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = self.request("POST", token).body(&hello).send().await;
        let session = answer.header("mcp-session-id").expect("a session").to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.request("POST", token).session(&session).body(&ready).send().await.status, 202);
        session
    }
}

/// Waits until the condition holds.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(60), waiting).await.expect("it never holds");
}

impl Exchange {
    pub(crate) fn line(mut self, line: &str) -> Self {
        self.line = line.to_owned();
        self
    }

    pub(crate) fn text(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    pub(crate) fn body(mut self, message: &Value) -> Self {
        self.body = message.to_string();
        self
    }

    pub(crate) fn text_of_body(&self) -> &str {
        &self.body
    }

    pub(crate) fn session(self, id: &str) -> Self {
        self.replace("Mcp-Session-Id", id)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self
    }

    pub(crate) fn replace(self, name: &str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    pub(crate) async fn send(self) -> Answer {
        let mut socket = self.with("Connection", "close").write().await;
        let mut bytes = Vec::new();
        timeout(Duration::from_secs(20), socket.read_to_end(&mut bytes)).await.expect("an answer in time").unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if chunked { joined(body.as_bytes()) } else { body.to_owned() };
        Answer { status, head: head.to_owned(), body }
    }

    /// Sends the request and leaves the answer open.
    pub(crate) async fn open(self) -> Stream {
        let mut stream = Stream { socket: self.write().await, read: String::new() };
        stream.read_until("\r\n\r\n").await;
        assert!(stream.read.starts_with("HTTP/1.1 200"), "{}", stream.read);
        stream
    }

    /// Sends the request and returns the connection.
    pub(crate) async fn write(self) -> TcpStream {
        let mut text = format!("{}\r\n", self.line);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !self.headers.iter().any(|(name, _)| name == "Content-Length" || name == "Transfer-Encoding") {
            text += &format!("Content-Length: {}\r\n", self.body.len());
        }
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        // A request that is refused by its head may be closed before its body is written.
        let _ = socket.write_all(format!("{text}\r\n{}", self.body).as_bytes()).await.is_ok();
        socket
    }
}

/// The chunks of a body as one text, up to the last received one.
fn joined(mut body: &[u8]) -> String {
    let mut bytes = Vec::new();
    while let Some(end) = body.windows(2).position(|window| window == b"\r\n") {
        let size = str::from_utf8(&body[..end]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let chunk = &body[end + 2..];
        let size = size.unwrap_or_default().min(chunk.len());
        bytes.extend(&chunk[..size]);
        body = chunk[size..].strip_prefix(b"\r\n").unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The one message of the body, whether it is JSON or an event.
    pub(crate) fn message(&self) -> Value {
        let line = self.body.lines().map(|line| line.trim_start_matches("data: ")).find(|line| line.starts_with('{'));
        serde_json::from_str(line.unwrap_or_else(|| panic!("no message in {self:?}"))).unwrap()
    }
}

impl Stream {
    /// The next message, or `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Value> {
        loop {
            self.read_until("data: {").await.then_some(())?;
            let start = self.read.find("data: {").expect("it was just read") + "data: ".len();
            self.read.drain(..start);
            if self.read_until("\n").await {
                let line: String = self.read.drain(..=self.read.find('\n').expect("it was just read")).collect();
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }

    /// Waits until this part of a message is there.
    pub(crate) async fn is_told(&mut self, part: &str) {
        assert!(self.read_until(part).await, "no {part} before the end");
    }

    /// The first line of the body, after the length of its piece.
    pub(crate) async fn first_line(mut self) -> String {
        self.read.drain(..self.read.find("\r\n\r\n").expect("a head") + 4);
        self.read_until("\r\n").await;
        self.read_until("\n\n").await;
        self.read.lines().nth(1).unwrap_or_default().to_owned()
    }

    /// The number of bytes until the end, or until the connection breaks.
    pub(crate) async fn rest(mut self) -> usize {
        let mut bytes = Vec::new();
        let read = timeout(Duration::from_secs(60), self.socket.read_to_end(&mut bytes)).await.expect("an end in time");
        self.read.len() + read.unwrap_or(bytes.len())
    }

    async fn read_until(&mut self, needle: &str) -> bool {
        while !self.read.contains(needle) {
            let mut bytes = [0; 4096];
            let count = timeout(Duration::from_secs(60), self.socket.read(&mut bytes)).await.expect("in time");
            let Ok(count @ 1..) = count else { return false };
            self.read += &String::from_utf8_lossy(&bytes[..count]);
        }
        true
    }
}
