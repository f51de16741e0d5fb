//! The bridge's current engine and the next one: dials, reads, and reports events.

use std::{io, pin::Pin, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::lines::{Lines, Outbox};

/// How long a better engine waits for the answers that the current one still owes.
const PATIENCE: Duration = Duration::from_secs(2);
/// The pause before a second dial; it doubles up to `LONGEST_PAUSE`.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A connected engine: a socket after its hello, or a pipe to one in this process.
pub struct Reached {
    read: Box<dyn AsyncRead + Send + Unpin>,
    write: Box<dyn AsyncWrite + Send + Unpin>,
}

impl Reached {
    /// Takes both halves of a stream that carries MCP from here on.
    pub fn new(read: impl AsyncRead + Send + Unpin + 'static, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self { read: Box::new(read), write: Box::new(write) }
    }
}

/// An event at the engine's end.
pub(super) enum Event {
    /// The engine sent a line.
    Line(Vec<u8>),
    /// The engine is gone.
    Lost,
    /// An engine connected; before, the bridge had none.
    Joined,
    /// A better engine connected. It waits until `take_next` accepts it.
    Better,
}

type Dialing = Pin<Box<dyn Future<Output = io::Result<Reached>> + Send>>;

pub(super) struct Engines<'a, D> {
    dial: D,
    better: &'a Notify,
    dialing: Option<Dialing>,
    /// When to dial again.
    dial_at: Option<Instant>,
    /// The pause before the next dial; zero after an engine that answered.
    pause: Duration,
    present: Option<Present>,
    next: Option<(Reached, Instant)>,
}

struct Present {
    lines: Lines<Box<dyn AsyncRead + Send + Unpin>>,
    write: Box<dyn AsyncWrite + Send + Unpin>,
    out: Outbox,
}

impl From<Reached> for Present {
    fn from(upstream: Reached) -> Self {
        Self { lines: Lines::new(upstream.read), write: upstream.write, out: Outbox::default() }
    }
}

impl<'a, D, F> Engines<'a, D>
where
    D: FnMut() -> F,
    F: Future<Output = io::Result<Reached>> + Send + 'static,
{
    pub(super) fn new(dial: D, better: &'a Notify) -> Self {
        let dial_at = Some(Instant::now());
        Self { dial, better, dialing: None, dial_at, pause: Duration::ZERO, present: None, next: None }
    }

    /// Waits for the next event and meanwhile writes queued lines. `reads` says whether the engine's lines are read
    /// now. Cancel-safe.
    pub(super) async fn event(&mut self, reads: bool) -> Event {
        loop {
            let idle = self.dialing.is_none() && self.dial_at.is_none() && self.next.is_none();
            tokio::select! {
                line = next_line(&mut self.present, reads) => {
                    if let Ok(Some(line)) = line {
                        self.pause = Duration::ZERO;
                        return Event::Line(line);
                    }
                    self.present = None;
                    if idle {
                        self.dial_after_pause();
                    }
                    return Event::Lost;
                }
                dialled = completed(&mut self.dialing) => {
                    self.dialing = None;
                    match dialled {
                        Ok(upstream) if self.present.is_some() => {
                            self.next = Some((upstream, Instant::now() + PATIENCE));
                            return Event::Better;
                        }
                        Ok(upstream) => {
                            self.present = Some(upstream.into());
                            return Event::Joined;
                        }
                        Err(error) => tracing::debug!("no engine at this dial: {error}"),
                    }
                    if self.present.is_none() {
                        self.dial_after_pause();
                    }
                }
                () = until(self.dial_at) => {
                    self.dial_at = None;
                    self.dialing = Some(Box::pin((self.dial)()));
                }
                () = self.better.notified(), if idle => self.dial_at = Some(Instant::now()),
                () = until(self.next.as_ref().map(|(_, patience)| *patience)) => return Event::Better,
            }
        }
    }

    /// Switches to the better engine, if one is connected and the current one owes nothing or took too long.
    pub(super) fn take_next(&mut self, owes_nothing: bool) -> bool {
        match self.next.take() {
            Some((upstream, patience)) if owes_nothing && self.has_sent_all() || Instant::now() >= patience => {
                self.present = Some(upstream.into());
                true
            }
            waiting => {
                self.next = waiting;
                false
            }
        }
    }

    /// Queues a line for the current engine. Only reading detects that the engine is gone.
    pub(super) fn send(&mut self, line: Vec<u8>) {
        if let Some(present) = &mut self.present {
            present.out.push(line);
        }
    }

    /// Whether more lines may be accepted for the engine.
    pub(super) fn has_room(&self) -> bool {
        self.present.as_ref().is_none_or(|present| present.out.has_room())
    }

    fn has_sent_all(&self) -> bool {
        self.present.as_ref().is_none_or(|present| present.out.is_empty())
    }

    fn dial_after_pause(&mut self) {
        self.dial_at = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).clamp(PAUSE, LONGEST_PAUSE);
    }
}

/// The engine's next line; meanwhile writes the lines queued for it.
async fn next_line(present: &mut Option<Present>, reads: bool) -> io::Result<Option<Vec<u8>>> {
    let Some(Present { lines, write, out }) = present else { return std::future::pending().await };
    loop {
        tokio::select! {
            line = lines.next(), if reads => return line,
            written = out.write_to(write), if !out.is_empty() => if let Err(error) = written {
                tracing::debug!("the engine does not listen: {error}");
                *out = Outbox::default();
            },
            else => return std::future::pending().await,
        }
    }
}

async fn completed(dialing: &mut Option<Dialing>) -> io::Result<Reached> {
    match dialing {
        Some(dialing) => dialing.await,
        None => std::future::pending().await,
    }
}

/// Waits until `moment`, or forever if it is `None`.
pub(super) async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
