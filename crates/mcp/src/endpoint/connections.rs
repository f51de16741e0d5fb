//! HTTP connections: their time limits and their number.
//!
//! Any program on this computer can open one, with or without a token, and each costs an open file, which reading
//! skills needs too. So a head, a body and the silence between two requests have time limits, and above the maximum
//! number the connection that has used up most of its time gives way to the next. Where the system refuses to open a
//! file before that, the maximum is lowered for a while. A connection whose request is being answered, such as a stream
//! of news, has no time limit: [`super::concurrency_limit`] bounds those.

use std::{
    collections::HashMap,
    future::poll_fn,
    io,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody as _},
    extract::Request,
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::watch,
    task::JoinSet,
    time::{Instant, Sleep, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{body::Seen, entrance::Listens};
use crate::lock::lock;

/// The maximum bytes of all unfinished bodies in memory.
const MOST_BODIES: usize = 32 << 20;
/// The pause after the system refuses to open a file, so that others can close theirs.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of files that connections leave to others once the system has refused one.
const SPARE: usize = 8;
/// The time without a refusal after which connections may use all files again.
const RECOVERY: Duration = Duration::from_secs(60);

/// The pause between two checks for a connection that gives way.
const MOMENT: Duration = Duration::from_millis(2);

/// The time limits of a connection, and the maximum number of connections.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the first byte of a request, or the start of the connection, to the end of its head.
    pub head: Duration,
    /// From there to the end of its body.
    pub body: Duration,
    /// From the end of an answer to the next request.
    pub idle: Duration,
    /// The maximum number of connections. Each is an open file.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { head: seconds(10), body: seconds(30), idle: seconds(60), connections: 1024 }
    }
}

/// Serves connections until `stop` is cancelled, and then until the open answers have ended. Reports the number of
/// connections to `present`.
pub(super) async fn serve(
    mut listener: impl Listens,
    app: Router,
    limits: Limits,
    present: watch::Sender<usize>,
    stop: CancellationToken,
) {
    let all = Arc::new(Connections::new(limits, present));
    let mut tasks = JoinSet::new();
    let mut refused: Option<Instant> = None;
    loop {
        if refused.is_some_and(|at| at.elapsed() > RECOVERY) {
            refused = None;
            all.maximum.store(limits.connections, Ordering::Relaxed);
        }
        // Connections that give way hold their files until they have ended.
        while all.waits_for_closing() && !stop.is_cancelled() {
            sleep(MOMENT).await;
        }
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
        };
        match accepted {
            Ok(stream) => {
                if let Some(connection) = all.admit() {
                    tasks.spawn(one(stream, app.clone(), connection, stop.clone()));
                }
            }
            // The connection ended before it was accepted.
            Err(error) if is_its_own(&error) => {}
            Err(error) => {
                if refused.replace(Instant::now()).is_none() {
                    tracing::warn!("A connection could not be let in: {error}.");
                }
                all.spare_files();
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

fn is_its_own(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection until it ends, exceeds a time limit, or has to give way.
async fn one(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    app: Router,
    connection: Arc<Connection>,
    stop: CancellationToken,
) {
    let (app, of) = (TowerToHyperService::new(app), Arc::clone(&connection));
    let answering = service_fn(move |request: Request<Incoming>| {
        let of = Arc::clone(&of);
        of.enter(if request.body().is_end_stream() { Phase::Answering } else { Phase::Body });
        let answered = app.call(request.map(|body| Body::new(counted_body(body, &of))));
        async move { answered.await.map(|answered| answered.map(|body| answer(body, of))) }
    });
    let stream = TokioIo::new(Watched { stream, of: Arc::clone(&connection) });
    let mut served = pin!(http1::Builder::new().header_read_timeout(None).serve_connection(stream, answering));
    let (mut stopping, mut gives_way) = (pin!(stop.cancelled()), pin!(connection.gives_way.cancelled()));
    let (mut alarm, mut told) = (pin!(sleep(Duration::ZERO)), false);
    poll_fn(|context| {
        if !told && stopping.as_mut().poll(context).is_ready() {
            told = true;
            served.as_mut().graceful_shutdown();
        }
        if let Poll::Ready(ended) = served.as_mut().poll(context) {
            if let Err(error) = ended {
                tracing::debug!("a connection ended: {error}");
            }
            return Poll::Ready(());
        }
        // The phase changes only while the connection is polled, so the alarm set here is never too late.
        if gives_way.as_mut().poll(context).is_ready() {
            Poll::Ready(())
        } else {
            connection.late(alarm.as_mut(), context)
        }
    })
    .await;
}

/// All open connections.
struct Connections {
    limits: Limits,
    /// The number above which a connection gives way to the next: the limit, or less where files are short.
    maximum: AtomicUsize,
    open: Mutex<HashMap<u64, Weak<Connection>>>,
    count: AtomicU64,
    /// Bytes of unfinished bodies.
    bodies: AtomicUsize,
    /// Receives the number of connections.
    told: watch::Sender<usize>,
}

impl Connections {
    fn new(limits: Limits, told: watch::Sender<usize>) -> Self {
        let maximum = AtomicUsize::new(limits.connections);
        Self { limits, maximum, open: Mutex::default(), count: AtomicU64::new(0), bodies: AtomicUsize::new(0), told }
    }

    /// Admits one more. Above the maximum, another gives way to it; `None` if all others are being answered and the
    /// limit is reached.
    fn admit(self: &Arc<Self>) -> Option<Arc<Connection>> {
        let present = self.present().len();
        if present >= self.maximum.load(Ordering::Relaxed)
            && !self.give_way(|_| true)
            && present >= self.limits.connections
        {
            return None;
        }
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            id,
            at: Mutex::new((Phase::Head, Instant::now())),
            body: AtomicUsize::new(0),
            gives_way: CancellationToken::new(),
            all: Arc::clone(self),
        });
        self.change_open(|open| drop(open.insert(id, Arc::downgrade(&connection))));
        Some(connection)
    }

    /// Closes connections so that others can open files, and lowers the maximum to what remains.
    fn spare_files(&self) {
        let present = self.present().len();
        let lowered = present.saturating_sub(SPARE).min(self.maximum.load(Ordering::Relaxed)).max(1);
        self.maximum.store(lowered, Ordering::Relaxed);
        // At least one: its file lets in the connection that was refused.
        for _ in lowered..present.max(lowered + 1) {
            self.give_way(|_| true);
        }
    }

    /// Whether there are more than the maximum, and some of them are closing.
    fn waits_for_closing(&self) -> bool {
        let open = lock(&self.open).len();
        open > self.maximum.load(Ordering::Relaxed) && open > self.present().len()
    }

    /// Changes the set of open connections, and reports its size.
    fn change_open(&self, change: impl FnOnce(&mut HashMap<u64, Weak<Connection>>)) {
        let mut open = lock(&self.open);
        change(&mut open);
        self.told.send_replace(open.len());
    }

    /// The connections that have not been asked to give way.
    fn present(&self) -> Vec<Arc<Connection>> {
        let open: Vec<_> = lock(&self.open).values().filter_map(Weak::upgrade).collect();
        open.into_iter().filter(|one| !one.gives_way.is_cancelled()).collect()
    }

    /// Closes the connection that has used up most of its time, among those with a time limit for which `may` holds.
    /// Returns whether one was found.
    fn give_way(&self, may: impl Fn(&Connection) -> bool) -> bool {
        let present = self.present();
        let waiting = present.iter().filter(|one| may(one)).filter_map(|one| Some((one.used()?, one)));
        let Some((_, last)) = waiting.max_by(|(one, _), (other, _)| one.total_cmp(other)) else { return false };
        last.gives_way.cancel();
        true
    }
}

/// The phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A request has begun, or the connection is new.
    Head,
    /// The head of a request has arrived.
    Body,
    /// A request has arrived and is being answered.
    Answering,
    /// An answer was sent.
    Idle,
}

struct Connection {
    id: u64,
    /// The current phase and its start.
    at: Mutex<(Phase, Instant)>,
    /// Bytes of the arriving body.
    body: AtomicUsize,
    gives_way: CancellationToken,
    all: Arc<Connections>,
}

impl Connection {
    fn enter(&self, phase: Phase) {
        *lock(&self.at) = (phase, Instant::now());
        if phase != Phase::Body {
            self.all.bodies.fetch_sub(self.body.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Switches from phase `from` to phase `to`; does nothing in any other phase.
    fn move_on(&self, from: Phase, to: Phase) {
        if lock(&self.at).0 == from {
            self.enter(to);
        }
    }

    /// Counts a piece of a body. If all bodies together exceed the maximum, another connection gives way.
    fn carry(&self, bytes: usize) {
        self.body.fetch_add(bytes, Ordering::Relaxed);
        if self.all.bodies.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST_BODIES {
            let holds_more = |other: &Connection| other.id != self.id && other.body.load(Ordering::Relaxed) > 0;
            self.all.give_way(holds_more);
        }
    }

    /// The time limit of a phase; `None` while a request is answered.
    fn time(&self, phase: Phase) -> Option<Duration> {
        match phase {
            Phase::Head => Some(self.all.limits.head),
            Phase::Body => Some(self.all.limits.body),
            Phase::Idle => Some(self.all.limits.idle),
            Phase::Answering => None,
        }
    }

    /// The used share of its time limit; `None` while a request is answered.
    fn used(&self) -> Option<f64> {
        let (phase, since) = *lock(&self.at);
        Some(since.elapsed().as_secs_f64() / self.time(phase)?.as_secs_f64())
    }

    /// Ready when the time limit is reached.
    fn late(&self, mut alarm: Pin<&mut Sleep>, context: &mut Context<'_>) -> Poll<()> {
        let (phase, since) = *lock(&self.at);
        let Some(time) = self.time(phase) else { return Poll::Pending };
        if alarm.deadline() != since + time {
            alarm.as_mut().reset(since + time);
        }
        alarm.poll(context)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.enter(Phase::Idle);
        self.all.change_open(|open| drop(open.remove(&self.id)));
    }
}

/// A stream that reports when a request begins.
struct Watched<S> {
    stream: S,
    of: Arc<Connection>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, into));
        if into.filled().len() > before {
            self.of.move_on(Phase::Idle, Phase::Head);
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        // An answer has ended when its client has taken it.
        self.of.move_on(Phase::Idle, Phase::Idle);
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, pieces));
        self.of.move_on(Phase::Idle, Phase::Idle);
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The body of a request, counted as it arrives.
fn counted_body<B>(body: B, of: &Arc<Connection>) -> Seen<B, impl FnMut(Option<&Bytes>, bool) + Send + Unpin + use<B>> {
    let of = Arc::clone(of);
    let see = move |piece: Option<&Bytes>, ends| {
        of.carry(piece.map_or(0, Bytes::len));
        if ends {
            of.move_on(Phase::Body, Phase::Answering);
        }
    };
    Seen { body, see }
}

/// The body of an answer; dropping it marks the answer as sent.
fn answer(body: Body, of: Arc<Connection>) -> Body {
    struct Given(Arc<Connection>);
    impl Drop for Given {
        fn drop(&mut self) {
            self.0.enter(Phase::Idle);
        }
    }
    let given = Given(of);
    Body::new(Seen {
        body,
        see: move |_: Option<&Bytes>, _| {
            let _lasts = &given;
        },
    })
}
