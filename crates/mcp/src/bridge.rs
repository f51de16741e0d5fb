//! Connects one client to the engine and survives the engine's restart (decision 3): `skilltender mcp` runs it with its
//! own stdin and stdout as the client and with `dial` to reach the engine.
//!
//! `relay` decides what is remembered and replayed; `engines` dials; this module moves lines, in both directions at
//! once: a client that writes everything before it reads, and an engine that waits until its answers are read, do not
//! wait for each other.

mod engines;
mod hello;
mod lines;
mod message;
mod relay;

use std::{io, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Notify,
    time::{Instant, timeout},
};

pub use self::{
    engines::Reached,
    hello::{Visitor, hear_hello, say_hello},
};
use self::{
    engines::{Engines, Event, until},
    lines::{Lines, Outbox},
    relay::{Out, Relay},
};

/// The line by which the bridge reports that its client sends no further requests: a named pipe cannot be closed in one
/// direction.
pub(crate) const END: &str = "end";

/// How long open requests may still be answered after the client has ended.
const DRAIN: Duration = Duration::from_secs(5);

/// Serves the client at `read` and `write` until it ends.
///
/// `dial` connects to an engine. It is called at the start, whenever the engine is lost, and when `better` is notified;
/// in the last case it returns an error if no better engine exists. Without any engine it is called repeatedly, with
/// pauses of at most a second.
///
/// # Errors
/// If the client's stream breaks.
pub async fn bridge<D, F>(
    read: impl AsyncRead + Unpin,
    mut write: impl AsyncWrite + Unpin,
    dial: D,
    better: &Notify,
) -> io::Result<()>
where
    D: FnMut() -> F,
    F: Future<Output = io::Result<Reached>> + Send + 'static,
{
    let (mut client, mut answers) = (Lines::new(read), Outbox::default());
    let mut engines = Engines::new(dial, better);
    let mut relay = Relay::default();
    let mut deadline = None;
    loop {
        let out = tokio::select! {
            line = client.next(), if deadline.is_none() && engines.has_room() => match line? {
                Some(line) => relay.client_says(line),
                None => {
                    deadline = Some(Instant::now() + DRAIN);
                    relay.ended()
                }
            },
            event = engines.event(answers.has_room()) => match event {
                Event::Line(line) => relay.engine_says(line),
                Event::Joined => relay.joined(),
                Event::Better => relay.leave(),
                Event::Lost => relay.lost(),
            },
            written = answers.write_to(&mut write), if !answers.is_empty() => {
                written?;
                continue;
            }
            () = until(deadline) => return Ok(()),
        };
        deliver(out, &mut engines, &mut answers);
        if engines.take_next(relay.is_idle()) {
            deliver(relay.lost(), &mut engines, &mut answers);
            deliver(relay.joined(), &mut engines, &mut answers);
        }
        if relay.is_done() {
            // A client that does not read its last answers loses nothing.
            return timeout(DRAIN, answers.write_to(&mut write)).await.unwrap_or(Ok(()));
        }
    }
}

fn deliver<D, F>(out: Vec<Out>, engines: &mut Engines<'_, D>, answers: &mut Outbox)
where
    D: FnMut() -> F,
    F: Future<Output = io::Result<Reached>> + Send + 'static,
{
    for line in out {
        match line {
            Out::Upstream(line) => engines.send(line),
            Out::Client(line) => answers.push(line),
        }
    }
}
