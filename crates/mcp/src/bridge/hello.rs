//! The first line in each direction on the engine's socket. The bridge names its client; the engine answers with its
//! version, or with a sentence that says why it cannot serve.
//!
//! Version 1 is accepted forever; only a bridge that is newer than the engine is refused (decision 3). After these two
//! lines the stream carries MCP, one message per line, or, for the command line, one order and its answer, which are
//! left to `engine`.

use std::{
    io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::{Caller, WorkFolder};

/// The version of these two lines.
const VERSION: u32 = 1;
/// The maximum length of a hello, in bytes.
const LONGEST: usize = 4096;
/// The maximum length of a folder in it, in bytes: written as JSON, a character takes at most six.
const LONGEST_FOLDER: usize = 512;

/// A visitor at the socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visitor {
    /// A bridge that speaks MCP on behalf of a client.
    Client {
        /// The client.
        caller: Caller,
        /// When the client started the bridge. A bridge from before this field omits it and counts as started now.
        since: SystemTime,
    },
    /// The command line, with an order of its user.
    Orders,
}

/// The visitor's line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hello {
    skilltender: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    client: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    orders: bool,
    /// Milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
    /// The folder that the client works in. A bridge from before this field omits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
}

/// The engine's line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Welcome {
    skilltender: u32,
    engine: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    orders: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// The visitor's side: sends its hello and waits for the welcome. Returns the engine's version.
///
/// # Errors
/// If the stream breaks, if the other end does not speak this protocol, or with the engine's own sentence if it
/// refuses.
pub async fn say_hello(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
    visitor: &Visitor,
) -> io::Result<String> {
    let (client, since, orders, folder) = match visitor {
        Visitor::Client { caller, since } => {
            (caller.client.clone(), milliseconds(*since), false, told(&caller.folders))
        }
        Visitor::Orders => (String::new(), None, true, None),
    };
    send(write, &Hello { skilltender: VERSION, client, orders, since, folder }).await?;
    let welcome: Welcome = receive(read).await?;
    let refused = welcome.refused.or_else(|| (orders && !welcome.orders).then(|| older(&welcome.engine)));
    match refused {
        Some(sentence) => Err(io::Error::new(io::ErrorKind::Unsupported, sentence)),
        None => Ok(welcome.engine),
    }
}

/// The engine's side: reads the hello and accepts the visitor, or answers why not.
///
/// # Errors
/// If the stream breaks, if the other end does not speak this protocol, or if its version is newer than ours.
pub async fn hear_hello(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
) -> io::Result<Visitor> {
    let Hello { skilltender, client, orders, since, folder } = receive(read).await?;
    let engine = env!("CARGO_PKG_VERSION").to_owned();
    let refused = (skilltender > VERSION).then(|| older(&engine));
    send(write, &Welcome { skilltender: VERSION, engine, orders, refused: refused.clone() }).await?;
    match refused {
        Some(sentence) => Err(io::Error::new(io::ErrorKind::Unsupported, sentence)),
        None if orders => Ok(Visitor::Orders),
        None if client.is_empty() => Err(not_ours()),
        None => {
            let folders = folder.into_iter().map(|path| WorkFolder { path: path.into(), real: None }).collect();
            Ok(Visitor::Client { caller: Caller { client, folders }, since: moment(since) })
        }
    }
}

/// The folder that a hello tells of: the first one, where its links lead. One that would make the hello too long, or is
/// no text, is left out.
fn told(folders: &[WorkFolder]) -> Option<String> {
    let folder = folders.first()?;
    let path = folder.real.as_ref().unwrap_or(&folder.path).to_str()?;
    (path.len() <= LONGEST_FOLDER).then(|| path.to_owned())
}

fn milliseconds(time: SystemTime) -> Option<u64> {
    time.duration_since(UNIX_EPOCH).ok().and_then(|since| u64::try_from(since.as_millis()).ok())
}

/// The start, never later than now: a clock may have been set back.
fn moment(since: Option<u64>) -> SystemTime {
    let now = SystemTime::now();
    since.and_then(|since| UNIX_EPOCH.checked_add(Duration::from_millis(since))).map_or(now, |since| since.min(now))
}

fn older(engine: &str) -> String {
    format!("The running Skilltender ({engine}) is older than this program. Restart it, then try again.")
}

async fn send(write: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    write.write_all(&line).await?;
    write.flush().await
}

/// Reads one line byte by byte, so that nothing after it is taken from the stream.
async fn receive<T: DeserializeOwned>(read: &mut (impl AsyncRead + Unpin)) -> io::Result<T> {
    let mut line = Vec::new();
    loop {
        match read.read_u8().await? {
            b'\n' => break,
            _ if line.len() == LONGEST => return Err(not_ours()),
            byte => line.push(byte),
        }
    }
    serde_json::from_slice(&line).map_err(|_| not_ours())
}

fn not_ours() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "What answers on this socket is not Skilltender.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(id: &str) -> Visitor {
        let since = UNIX_EPOCH + Duration::from_millis(1_000);
        Visitor::Client { caller: Caller::of(id), since }
    }

    async fn meet(first: &str) -> (io::Result<Visitor>, String) {
        let mut read = first.as_bytes();
        let mut written = Vec::new();
        let heard = hear_hello(&mut read, &mut written).await;
        (heard, String::from_utf8(written).unwrap())
    }

    #[tokio::test]
    async fn both_ends_understand_each_other_and_leave_the_rest_of_the_stream() {
        let (bridge, engine) = tokio::io::duplex(1024);
        let (mut bridge_read, mut bridge_write) = tokio::io::split(bridge);
        let (mut engine_read, mut engine_write) = tokio::io::split(engine);
        let visitor = client("claude-desktop");
        let (said, heard) = tokio::join!(
            say_hello(&mut bridge_read, &mut bridge_write, &visitor),
            hear_hello(&mut engine_read, &mut engine_write),
        );
        said.unwrap();
        assert_eq!(heard.unwrap(), visitor);
        bridge_write.write_all(b"{}").await.unwrap();
        let mut rest = [0; 2];
        engine_read.read_exact(&mut rest).await.unwrap();
        assert_eq!(&rest, b"{}");
    }

    #[tokio::test]
    async fn the_first_version_is_accepted_with_whatever_else_it_says() {
        let (heard, written) = meet("{\"skilltender\":1,\"client\":\"codex\",\"more\":[]}\n").await;
        let Ok(Visitor::Client { caller, since }) = heard else { panic!("{heard:?}") };
        assert_eq!(caller.client, "codex");
        assert!(since > UNIX_EPOCH + Duration::from_millis(1_000), "it counts as started now");
        assert_eq!(written, format!("{{\"skilltender\":1,\"engine\":\"{}\"}}\n", env!("CARGO_PKG_VERSION")));
    }

    #[tokio::test]
    async fn a_bridge_did_not_start_after_now() {
        let (heard, _) = meet("{\"skilltender\":1,\"client\":\"codex\",\"since\":18446744073709551615}\n").await;
        assert!(matches!(heard, Ok(Visitor::Client { since, .. }) if since <= SystemTime::now()));
    }

    #[tokio::test]
    async fn a_newer_bridge_is_told_what_to_do() {
        let (heard, written) = meet("{\"skilltender\":2,\"client\":\"codex\"}\n").await;
        assert!(heard.unwrap_err().to_string().ends_with("Restart it, then try again."));
        let said = say_hello(&mut written.as_bytes(), &mut Vec::new(), &client("codex")).await;
        assert!(said.unwrap_err().to_string().ends_with("Restart it, then try again."));
    }

    #[tokio::test]
    async fn an_order_is_not_given_to_an_engine_that_hears_none() {
        let (heard, written) = meet("{\"skilltender\":1,\"orders\":true}\n").await;
        assert_eq!(heard.unwrap(), Visitor::Orders);
        say_hello(&mut written.as_bytes(), &mut Vec::new(), &Visitor::Orders).await.unwrap();
        let deaf = written.replace(",\"orders\":true", "");
        let said = say_hello(&mut deaf.as_bytes(), &mut Vec::new(), &Visitor::Orders).await;
        assert!(said.unwrap_err().to_string().contains("is older than this program"));
    }

    #[tokio::test]
    async fn whatever_else_speaks_first_is_turned_away() {
        let endless = "x".repeat(LONGEST + 1);
        for first in ["", "\n", "{}\n", "{\"skilltender\":1}\n", "GET / HTTP/1.1\r\n", endless.as_str()] {
            assert!(meet(first).await.0.is_err(), "{first}");
        }
    }
}
