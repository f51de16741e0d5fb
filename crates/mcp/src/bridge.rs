//! Carries one client over the restart of the engine behind it (decision 3): `skilltender mcp` is
//! this, with its own stdin and stdout as the client and whatever `dial` finds as the engine. What is
//! remembered and replayed is decided in `relay`; `engines` dials; here lines are moved.

mod engines;
mod hello;
mod lines;
mod message;
mod relay;

use std::{io, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::Notify,
    time::Instant,
};

pub use self::{
    engines::Reached,
    hello::{Visitor, hear_hello, say_hello},
};
use self::{
    engines::{Engines, Event, until},
    lines::Lines,
    relay::{Out, Relay},
};

/// The line by which the bridge says that its client has nothing more to ask: a named pipe cannot be
/// closed in one direction.
pub(crate) const END: &str = "end";

/// How long open requests may still be answered after the client has nothing more to ask.
const DRAIN: Duration = Duration::from_secs(5);

/// Serves the client at `read` and `write` until it has nothing more to ask.
///
/// `dial` finds an engine. It is asked at the start, whenever the engine is lost, and when `better` is
/// notified; it is then an error of `dial` that there is no better one. While there is no engine at
/// all, it is asked again and again, with a pause of a second at most.
///
/// # Errors
/// When the client's stream breaks.
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
    let mut client = Lines::new(read);
    let mut engines = Engines::new(dial, better);
    let mut relay = Relay::default();
    let mut deadline = None;
    loop {
        let out = tokio::select! {
            line = client.next(), if deadline.is_none() => match line? {
                Some(line) => relay.client_says(line),
                None => {
                    deadline = Some(Instant::now() + DRAIN);
                    relay.ended()
                }
            },
            event = engines.event() => match event {
                Event::Line(line) => relay.engine_says(line),
                Event::Joined => relay.joined(),
                Event::Better => relay.leave(),
                Event::Lost => relay.lost(),
            },
            () = until(deadline) => return Ok(()),
        };
        deliver(out, &mut engines, &mut write).await?;
        if engines.take_next(relay.is_idle()) {
            deliver(relay.lost(), &mut engines, &mut write).await?;
            deliver(relay.joined(), &mut engines, &mut write).await?;
        }
        if relay.is_done() {
            return Ok(());
        }
    }
}

async fn deliver<D, F>(
    out: Vec<Out>,
    engines: &mut Engines<'_, D>,
    client: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()>
where
    D: FnMut() -> F,
    F: Future<Output = io::Result<Reached>> + Send + 'static,
{
    for line in out {
        match line {
            Out::Upstream(line) => engines.send(line).await,
            Out::Client(line) => send_line(client, line).await?,
        }
    }
    Ok(())
}

async fn send_line(to: &mut (impl AsyncWrite + Unpin), mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    to.write_all(&line).await?;
    to.flush().await
}
