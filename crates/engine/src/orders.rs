//! Orders from the command line to the writing engine: an action, by its name. A running engine gets the order
//! over the socket, so that the window shows the result at once. Without one, an engine starts for this order
//! only.
//!
//! An order is one line of JSON, and so is its answer. Access to the socket is left to [`machine::socket`], the
//! effect of an action to [`crate::actions`].

mod carry_out;
mod given;
mod order;
mod servers;

use std::{io, time::Duration};

use crate::{Engine, StartError, actions};
use api::{ActionError, ErrorKind, failed};
use carry_out::carry_out;
pub use given::{GivenOrder, SecretText};
use machine::{Machine, lock::LockError, socket};
use mcp::{Visitor, say_hello};
pub use order::Order;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use servers::{ServerInFull, ServerOrder};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, split},
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

/// The longest order or answer, in bytes.
const LONGEST: u64 = 64 << 20;

/// Capacity in bytes for an order with the longest secret, including JSON escapes.
const ROOM: usize = 32 << 10;

/// How long a running engine may take to accept a connection. One that takes longer hangs.
const HELLO: Duration = Duration::from_secs(5);

/// The answer to an order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Done(Value),
    Failed(ActionError),
}

/// Has an order carried out, by the running engine or by one of this process.
///
/// # Errors
/// When the action fails, or the running engine cannot be reached.
pub async fn give(machine: Machine, order: Order) -> Result<Value, ActionError> {
    if let Some(answer) = ask_running(&machine, &order).await? {
        return answer;
    }
    let data = machine.data.clone();
    let engine = match Engine::start_alone(machine).await {
        Ok(engine) => engine,
        Err(error) => {
            let hints = match &error {
                StartError::Lock(LockError::Held { .. }) => vec![match socket::connect(&data).await {
                    Err(closed) if closed.kind() == io::ErrorKind::PermissionDenied => {
                        format!("Its socket cannot be used: {closed}.")
                    }
                    _ => "It does not answer on its socket: quit it, then try again.".to_owned(),
                }],
                _ => Vec::new(),
            };
            return Err(ActionError { hints, ..failed(ErrorKind::System, error.to_string()) });
        }
    };
    // Orders need the same skills that `list` shows before the first run.
    if engine.snapshot().first_run {
        actions::begin_alone(&engine).await?;
    }
    let done = carry_out(&engine, order).await;
    // In this process, no other task follows the changes.
    crate::skill_folders::renew(&engine).await;
    engine.stop().await;
    done
}

/// Reads one order of a visitor at the socket and answers it. A stop ends the wait for an order; one that was
/// received is carried out.
///
/// # Errors
/// When the stream breaks.
pub(crate) async fn hear(
    engine: &Engine,
    read: impl AsyncRead + Unpin,
    mut write: impl AsyncWrite + Unpin,
    stop: &CancellationToken,
) -> io::Result<()> {
    let Some(line) = stop.run_until_cancelled(line(read)).await.transpose()? else { return Ok(()) };
    let done = match serde_json::from_str(&line) {
        Ok(order) => carry_out(engine, order).await,
        Err(error) => Err(failed(
            ErrorKind::Input,
            format!(
                "The running Skilltender does not know this order ({error}). It may be another version: restart it."
            ),
        )),
    };
    let answer = match done {
        Ok(value) => Answer::Done(value),
        Err(error) => Answer::Failed(error),
    };
    send(&mut write, &answer).await
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

async fn send(write: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    // A message may hold a secret. With room for the longest from the start it never moves, so no piece of it
    // stays behind.
    let mut line = Zeroizing::new(Vec::with_capacity(ROOM));
    serde_json::to_writer(&mut *line, message)?;
    line.push(b'\n');
    write.write_all(&line).await?;
    write.flush().await
}

async fn line(read: impl AsyncRead + Unpin) -> io::Result<Zeroizing<String>> {
    let mut line = Zeroizing::new(String::with_capacity(ROOM));
    let read = BufReader::new(read.take(LONGEST)).read_line(&mut line).await?;
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(line) }
}
