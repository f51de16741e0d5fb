//! One order to the running engine and its answer: a line of JSON each, over the socket.

use std::{io, time::Duration};

use api::{ActionError, ErrorKind, failed};
use machine::{Machine, socket};
use mcp::{Visitor, say_hello};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, split},
    time::timeout,
};
use zeroize::Zeroizing;

use super::Order;

/// The longest order or answer, in bytes.
const LONGEST: u64 = 64 << 20;

/// Capacity in bytes for an order with the longest secret, including JSON escapes.
const ROOM: usize = 32 << 10;

/// How long a running engine may take to accept a connection. One that takes longer hangs.
const HELLO: Duration = Duration::from_secs(5);

/// The answer to an order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Done(Value),
    Failed(ActionError),
}

/// The answer of the running engine; `None` without one.
pub(crate) async fn ask_running(
    machine: &Machine,
    order: &Order,
) -> Result<Option<Result<Value, ActionError>>, ActionError> {
    let Ok(stream) = socket::connect(&machine.data).await else { return Ok(None) };
    let (mut read, mut write) = split(stream);
    let lost =
        |error: io::Error| failed(ErrorKind::System, format!("The running Skilltender did not answer: {error}."));
    match timeout(HELLO, say_hello(&mut read, &mut write, &Visitor::Orders)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) if error.kind() == io::ErrorKind::Unsupported => {
            return Err(failed(ErrorKind::Refused, error.to_string()));
        }
        Ok(Err(error)) => return Err(lost(error)),
        Err(late) => return Err(lost(late.into())),
    }
    send(&mut write, order).await.map_err(lost)?;
    let line = line(read).await.map_err(lost)?;
    match serde_json::from_str(&line) {
        Ok(Answer::Done(value)) => Ok(Some(Ok(value))),
        Ok(Answer::Failed(error)) => Ok(Some(Err(error))),
        Err(error) => Err(lost(error.into())),
    }
}

pub(super) async fn send(write: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    // A message may hold a secret. With room for the longest from the start it never moves, so no piece of it
    // stays behind.
    let mut line = Zeroizing::new(Vec::with_capacity(ROOM));
    serde_json::to_writer(&mut *line, message)?;
    line.push(b'\n');
    write.write_all(&line).await?;
    write.flush().await
}

pub(super) async fn line(read: impl AsyncRead + Unpin) -> io::Result<Zeroizing<String>> {
    let mut line = Zeroizing::new(String::with_capacity(ROOM));
    let read = BufReader::new(read.take(LONGEST)).read_line(&mut line).await?;
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(line) }
}
