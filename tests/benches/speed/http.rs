//! An HTTP client with almost no cost of its own: connections stay open, with one request at a time on each.

use std::{
    env, fmt,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

/// The metadata of each tool call since 2026-07-28.
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"#;
const HEADERS: &str = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_skill\r\n";
const INITIALIZE: &str = r#""method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#;

/// The client's version of the protocol.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Era {
    /// In a session that starts with a handshake.
    Session,
    /// Independent requests, as since 2026-07-28.
    Stateless,
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Self::Session { "2025-11-25" } else { "2026-07-28" })
    }
}

/// A running server, ended on drop.
pub(crate) struct Server {
    child: Child,
    _output: BufReader<ChildStdout>,
    address: String,
    token: String,
    _home: tempfile::TempDir,
}

impl Server {
    /// `skilltender serve --skills-dir`.
    pub(crate) fn skilltender(skills: &Path) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(env::var("SKILLTENDER_PROGRAM").expect("`cargo xtask bench` names the program"));
        command.arg("--home").arg(home.path()).args(["serve", "--json", "--skills-dir"]).arg(skills);
        let (child, output, line) = start(&mut command);
        let said: Value = serde_json::from_str(&line).unwrap();
        let url = said["url"].as_str().unwrap();
        let address = url.strip_prefix("http://").and_then(|url| url.strip_suffix("/mcp")).unwrap().to_owned();
        let token = said["token"].as_str().unwrap().to_owned();
        Self { child, _output: output, address, token, _home: home }
    }

    /// A program that gives every call the same answer; see `crates/mcp/examples/constant.rs`.
    pub(crate) fn constant(word: &str) -> Self {
        let (child, output, port) = start(super::limits::constant_server().arg(word));
        let address = format!("127.0.0.1:{}", port.trim());
        Self { child, _output: output, address, token: String::new(), _home: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Starts a program and waits for its first line.
fn start(command: &mut Command) -> (Child, BufReader<ChildStdout>, String) {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    (child, output, line)
}

/// Open connections to a server.
pub(crate) struct Client {
    connections: Vec<BufReader<TcpStream>>,
    head: String,
    meta: &'static str,
    last: usize,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(server: &Server, era: Era, connections: usize) -> Self {
        let Server { address, token, .. } = server;
        let connect = |_| {
            let stream = TcpStream::connect(address).unwrap();
            stream.set_nodelay(true).unwrap();
            BufReader::new(stream)
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n"
        );
        let connections = (0..connections).map(connect).collect();
        let mut client = Self { connections, head, meta: "", last: 0, body: Vec::new() };
        match era {
            Era::Session => client.shake_hands(),
            Era::Stateless => {
                client.head += HEADERS;
                client.meta = META;
            }
        }
        client
    }

    fn shake_hands(&mut self) {
        self.send(0, INITIALIZE);
        let headers = self.receive(0);
        let session = headers.iter().find_map(|header| header.strip_prefix("mcp-session-id: "));
        // The constant axum server has no sessions.
        if let Some(session) = session {
            self.head += &format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
            self.post(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            self.receive(0);
        }
    }

    pub(crate) fn send(&mut self, connection: usize, request: &str) {
        self.last += 1;
        let request = request.replacen("\"params\":{", &format!("\"params\":{{{}", self.meta), 1);
        self.post(connection, &format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{request}}}", self.last));
    }

    fn post(&mut self, connection: usize, body: &str) {
        let request = format!("{}Content-Length: {}\r\n\r\n{body}", self.head, body.len());
        self.connections[connection].get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// Waits for an answer and returns its headers; the body is in [`Client::body`].
    pub(crate) fn receive(&mut self, connection: usize) -> Vec<String> {
        let connection = &mut self.connections[connection];
        let headers: Vec<_> = std::iter::from_fn(|| Some(line(connection)).filter(|line| !line.is_empty())).collect();
        assert!(headers[0].contains(" 20"), "{}", headers[0]);
        self.body.clear();
        let length = headers.iter().find_map(|header| header.strip_prefix("content-length: "));
        if let Some(length) = length {
            self.body.resize(length.parse().unwrap(), 0);
            connection.read_exact(&mut self.body).unwrap();
        } else if headers.iter().any(|header| header == "transfer-encoding: chunked") {
            loop {
                let (length, start) = (usize::from_str_radix(&line(connection), 16).unwrap(), self.body.len());
                self.body.resize(start + length, 0);
                connection.read_exact(&mut self.body[start..]).unwrap();
                assert_eq!(line(connection), "");
                if length == 0 {
                    break;
                }
            }
        }
        headers
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }
}

fn line(connection: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    assert_ne!(connection.read_line(&mut line).unwrap(), 0, "the server closed the connection");
    line.truncate(line.trim_end().len());
    line
}
