//! A stand-in for a client's model: it records requests and refuses them.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

/// Listens on this computer until the test process ends.
pub(crate) struct Model {
    port: u16,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Model {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let model = Self { port: listener.local_addr().unwrap().port(), asked: Arc::default() };
        let asked = Arc::clone(&model.asked);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let asked = Arc::clone(&asked);
                // A client that disconnects early is not an error.
                thread::spawn(move || drop(answer(client, &asked)));
            }
        });
        model
    }

    /// Its address, with a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The names of all tools that the model was offered.
    pub(crate) fn tools(&self) -> Vec<String> {
        let mut names = Vec::new();
        for asked in &*self.asked.lock().unwrap() {
            name_in(&asked["tools"], &mut names);
        }
        names
    }

    /// All that it was sent, as text.
    pub(crate) fn told(&self) -> String {
        let mut told = String::new();
        self.asked.lock().unwrap().iter().for_each(|asked| texts_in(asked, &mut told));
        told
    }
}

/// Collects every text below a value, one to a line.
fn texts_in(value: &Value, told: &mut String) {
    match value {
        Value::String(text) => told.extend([text, "\n"]),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, told)),
        Value::Object(members) => members.values().for_each(|value| texts_in(value, told)),
        _ => {}
    }
}

/// Collects every `name` below a value: each provider nests its list of tools differently.
fn name_in(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| name_in(item, names)),
        Value::Object(members) => {
            names.extend(members.get("name").and_then(Value::as_str).map(str::to_owned));
            members.values().filter(|value| !value.is_string()).for_each(|value| name_in(value, names));
        }
        _ => {}
    }
}

fn answer(mut client: TcpStream, asked: &Mutex<Vec<Value>>) -> io::Result<()> {
    let mut request = BufReader::new(client.try_clone()?);
    let (mut length, mut in_pieces) = (0, false);
    loop {
        let mut line = String::new();
        request.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        match line.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap_or(0),
            Some(("transfer-encoding", value)) => in_pieces = value == "chunked",
            _ if line.is_empty() => break,
            _ => {}
        }
    }
    let body = if in_pieces { pieces(&mut request)? } else { exactly(&mut request, length)? };
    if let Ok(body) = serde_json::from_slice(&body) {
        asked.lock().unwrap().push(body);
    }
    let refusal = r#"{"error":{"code":400,"message":"There is no model here.","status":"INVALID_ARGUMENT","type":"invalid_request_error"}}"#;
    write!(
        client,
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{refusal}",
        refusal.len()
    )
}

fn exactly(request: &mut impl io::Read, length: usize) -> io::Result<Vec<u8>> {
    let mut body = vec![0; length];
    request.read_exact(&mut body)?;
    Ok(body)
}

fn pieces(request: &mut impl io::BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        request.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        body.extend(exactly(request, length)?);
        request.read_line(&mut line)?;
        if length == 0 {
            return Ok(body);
        }
    }
}
