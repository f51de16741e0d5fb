//! Any head of an HTTP request: an admitted request names this host, has the token, and is not from a web page. The
//! guard's source is compiled in directly, because it is private to its crate.

#[path = "../../crates/mcp/src/endpoint/guard.rs"]
#[expect(dead_code, unreachable_pub, reason = "only the decision is asked for, not what becomes of it")]
mod guard;

use axum::http::{HeaderName, HeaderValue, Request, Version};
use guard::{Access, Hosts, Token, admit};

/// Replaces the crate's own type.
pub(crate) struct Caller {
    pub(crate) client: String,
}

impl Caller {
    pub(crate) fn of(client: String) -> Self {
        Self { client }
    }
}

const PORT: u16 = 8363;
const TOKEN: &str = "0123456789abcdef";

/// The first line is a method and a target; each other line is a header.
pub(crate) fn run(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let Some(request) = lines.next().and_then(|first| head(first, lines)) else { return };
    let access = Access {
        tokens: vec![
            Token { client: "nobody".to_owned(), value: String::new() },
            Token { client: "someone".to_owned(), value: TOKEN.to_owned() },
        ],
        origins: vec!["http://localhost:5173".to_owned()],
    };
    let Ok(caller) = admit(&request, Hosts::ThisComputer(PORT), &access) else { return };
    let all = |name: &str| request.headers().get_all(name).iter().map(HeaderValue::as_bytes).collect::<Vec<_>>();
    assert_eq!(caller.client, "someone");
    assert_eq!(request.uri().path(), "/mcp");
    assert!(request.uri().authority().is_none() && request.version() != Version::HTTP_2);
    let [host] = all("host")[..] else { panic!("{request:?}") };
    let ours = ["127.0.0.1:8363", "localhost:8363", "[::1]:8363"];
    assert!(ours.iter().any(|name| name.as_bytes() == host), "{request:?}");
    assert!(all("origin").iter().all(|origin| *origin == b"http://localhost:5173"), "{request:?}");
    assert!(all("sec-fetch-site").iter().all(|site| *site == b"none"), "{request:?}");
    let [token] = all("authorization")[..] else { panic!("{request:?}") };
    assert_eq!(&token[7..], TOKEN.as_bytes(), "{request:?}");
}

fn head<'l>(first: &[u8], lines: impl Iterator<Item = &'l [u8]>) -> Option<Request<()>> {
    let mut words = first.split(|byte| *byte == b' ');
    let mut request = Request::builder().method(words.next()?).uri(words.next()?);
    if words.next() == Some(b"HTTP/2") {
        request = request.version(Version::HTTP_2);
    }
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        request = request.header(name, HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?);
    }
    request.body(()).ok()
}
