//! The first line in each direction on the engine's socket. The bridge says which client it stands
//! for; the engine answers with its version, or with a sentence that says why it cannot serve.
//! Version 1 is accepted for ever; only a bridge that is newer than the engine is turned away
//! (decision 3). After these two lines the stream carries MCP, one message per line.

use std::io;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::Caller;

/// The version of these two lines.
const VERSION: u32 = 1;
/// A hello is never longer, in bytes.
const LONGEST: usize = 4096;

/// What the bridge says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hello {
    skilltender: u32,
    client: String,
}

/// What the engine answers.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Welcome {
    skilltender: u32,
    engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// The bridge's side: says who the client is and waits to be let in.
///
/// # Errors
/// When the stream breaks, when the other end does not speak this protocol, or with the engine's own
/// sentence when it refuses.
pub async fn say_hello(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
    caller: &Caller,
) -> io::Result<()> {
    send(write, &Hello { skilltender: VERSION, client: caller.client.clone() }).await?;
    match receive::<Welcome>(read).await?.refused {
        Some(sentence) => Err(io::Error::new(io::ErrorKind::Unsupported, sentence)),
        None => Ok(()),
    }
}

/// The engine's side: learns who the client is and lets it in, or says why not.
///
/// # Errors
/// When the stream breaks, when the other end does not speak this protocol, or when its version is
/// newer than ours.
pub async fn hear_hello(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
) -> io::Result<Caller> {
    let hello: Hello = receive(read).await?;
    let engine = env!("CARGO_PKG_VERSION").to_owned();
    let refused = (hello.skilltender > VERSION)
        .then(|| format!("The running Skilltender ({engine}) is older than this program. Restart it, then try again."));
    send(write, &Welcome { skilltender: VERSION, engine, refused: refused.clone() }).await?;
    match refused {
        Some(sentence) => Err(io::Error::new(io::ErrorKind::Unsupported, sentence)),
        None => Ok(Caller { client: hello.client }),
    }
}

async fn send(write: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    write.write_all(&line).await?;
    write.flush().await
}

/// One line, byte by byte, so that nothing of what follows it is taken from the stream.
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

    async fn meet(first: &str) -> (io::Result<Caller>, String) {
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
        let caller = Caller { client: "claude-desktop".into() };
        let (said, heard) = tokio::join!(
            say_hello(&mut bridge_read, &mut bridge_write, &caller),
            hear_hello(&mut engine_read, &mut engine_write),
        );
        said.unwrap();
        assert_eq!(heard.unwrap(), caller);
        bridge_write.write_all(b"{}").await.unwrap();
        let mut rest = [0; 2];
        engine_read.read_exact(&mut rest).await.unwrap();
        assert_eq!(&rest, b"{}");
    }

    #[tokio::test]
    async fn the_first_version_is_accepted_with_whatever_else_it_says() {
        let (heard, written) = meet("{\"skilltender\":1,\"client\":\"codex\",\"more\":[]}\n").await;
        assert_eq!(heard.unwrap().client, "codex");
        assert_eq!(written, format!("{{\"skilltender\":1,\"engine\":\"{}\"}}\n", env!("CARGO_PKG_VERSION")));
    }

    #[tokio::test]
    async fn a_newer_bridge_is_told_what_to_do() {
        let (heard, written) = meet("{\"skilltender\":2,\"client\":\"codex\"}\n").await;
        assert!(heard.unwrap_err().to_string().ends_with("Restart it, then try again."));
        let said = say_hello(&mut written.as_bytes(), &mut Vec::new(), &Caller { client: "codex".into() }).await;
        assert!(said.unwrap_err().to_string().ends_with("Restart it, then try again."));
    }

    #[tokio::test]
    async fn whatever_else_speaks_first_is_turned_away() {
        let endless = "x".repeat(LONGEST + 1);
        for first in ["", "\n", "{}\n", "GET / HTTP/1.1\r\n", endless.as_str()] {
            assert!(meet(first).await.0.is_err(), "{first}");
        }
    }
}
