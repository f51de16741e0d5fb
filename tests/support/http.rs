//! Handwritten HTTP: a test of the guard sends requests that a library would not.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use crate::{PATIENCE, Serving};

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The head and the body.
    pub text: String,
}

/// Posts `body` to the endpoint of `serving` with its token and a client's usual headers.
pub fn post(serving: &Serving, headers: &[(&str, &str)], body: &str) -> Answer {
    answer(open(serving, headers, body))
}

/// The same, without reading the answer yet.
///
/// # Panics
/// When no server listens.
pub fn open(serving: &Serving, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let host = format!("127.0.0.1:{}", serving.port());
    let bearer = format!("Bearer {}", serving.token);
    let mut all = vec![
        ("Host", host.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    for (name, value) in headers {
        all.retain(|(known, _)| known != name);
        all.push((name, value));
    }
    send(serving.port(), "POST /mcp HTTP/1.1", &all, body)
}

/// Sends exactly this request and reads until the connection closes. A header with an empty value is omitted.
///
/// # Panics
/// When no server listens or the answer is not HTTP.
pub fn request(port: u16, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    answer(send(port, line, headers, body))
}

fn send(port: u16, line: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
    let headers: String = headers
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let whole = format!("{line}\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(whole.as_bytes()).expect("it reads");
    stream
}

fn answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it answers and closes");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status: status.unwrap_or_else(|| panic!("no HTTP: {text}")), text }
}
