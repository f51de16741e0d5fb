//! An order that arrives at the socket of the running engine.

use std::io;

use api::{ErrorKind, failed};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::{
    ask::{Answer, line, send},
    carry_out::carry_out,
};
use crate::Engine;

/// Reads one order of a visitor at the socket and answers it. A stop ends the wait for an order; one that was
/// received is carried out.
///
/// # Errors
/// When the stream breaks.
pub(crate) async fn serve(
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
