//! The connections of HTTP: how long each may keep us waiting, and how many there are.
//!
//! Anybody on this computer can open one, with a token or without, and each costs an open file that reading
//! skills needs as well. So a head, a body and the silence between two requests have their time, and where
//! there are too many connections, the one that has used up most of its time gives way to the next. One whose
//! request is being answered, such as a stream of news, has no such time: [`super::room`] bounds those.

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
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use http_body::{Frame, SizeHint};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{Instant, Sleep, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::server::lock;

/// What unfinished bodies may hold in memory together, in bytes.
const MOST_BODIES: usize = 32 << 20;
/// How long we let others close files when the system gives us no more.
const PAUSE: Duration = Duration::from_millis(100);

/// How long one that gives way is waited for before it is looked at again.
const MOMENT: Duration = Duration::from_millis(2);

/// How long a connection may keep us waiting, and how many there may be.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the first byte of a request, or the start of the connection, to the end of its head.
    pub head: Duration,
    /// From there to the end of its body.
    pub body: Duration,
    /// From the end of an answer to the next request.
    pub idle: Duration,
    /// How many connections there are at most. Each is an open file.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { head: seconds(10), body: seconds(30), idle: seconds(60), connections: 1024 }
    }
}

/// Serves what connects until `stop` is cancelled, and then until what is being answered has ended.
pub(super) async fn serve(listener: TcpListener, app: Router, limits: Limits, stop: CancellationToken) {
    let all = Arc::new(Connections::new(limits));
    let mut tasks = JoinSet::new();
    let mut short = false;
    loop {
        // Those that give way hold their files until they have ended.
        while lock(&all.open).len() > limits.connections && !stop.is_cancelled() {
            sleep(MOMENT).await;
        }
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
            Some(_) = tasks.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                short = false;
                if let Some(connection) = all.admit() {
                    tasks.spawn(one(stream, app.clone(), connection, stop.clone()));
                }
            }
            // It ended before we came to it.
            Err(error) if is_its_own(&error) => {}
            Err(error) => {
                if !std::mem::replace(&mut short, true) {
                    tracing::warn!("A connection could not be let in: {error}.");
                }
                all.give_way(|_| true);
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

/// Serves one connection until it ends, takes too long, or has to give way.
async fn one(stream: TcpStream, app: Router, connection: Arc<Connection>, stop: CancellationToken) {
    // rmcp writes an answer in two pieces; without this, the second waits 40 ms for an acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("a connection stays slow: {error}");
    }
    let (app, of) = (TowerToHyperService::new(app), Arc::clone(&connection));
    let answer = service_fn(move |request: Request<Incoming>| {
        let of = Arc::clone(&of);
        of.enter(if request.body().is_end_stream() { Phase::Answering } else { Phase::Body });
        let answer = app.call(request.map(|body| Body::new(Given { body, of: Arc::clone(&of) })));
        async move { answer.await.map(|answer| answer.map(|body| Answer { body, of })) }
    });
    let stream = TokioIo::new(Watched { stream, of: Arc::clone(&connection) });
    let mut served = pin!(http1::Builder::new().header_read_timeout(None).serve_connection(stream, answer));
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
        // Its phase changes only while it is polled, so what is asked for here is never too late.
        if gives_way.as_mut().poll(context).is_ready() {
            Poll::Ready(())
        } else {
            connection.late(alarm.as_mut(), context)
        }
    })
    .await;
}

/// All that are open.
struct Connections {
    limits: Limits,
    open: Mutex<HashMap<u64, Weak<Connection>>>,
    count: AtomicU64,
    /// Bytes of unfinished bodies.
    bodies: AtomicUsize,
}

impl Connections {
    fn new(limits: Limits) -> Self {
        Self { limits, open: Mutex::default(), count: AtomicU64::new(0), bodies: AtomicUsize::new(0) }
    }

    /// One more. Where there are too many, another gives way to it; `None` where all others are being answered.
    fn admit(self: &Arc<Self>) -> Option<Arc<Connection>> {
        if self.present().len() >= self.limits.connections && !self.give_way(|_| true) {
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
        lock(&self.open).insert(id, Arc::downgrade(&connection));
        Some(connection)
    }

    /// Those that were not told to give way.
    fn present(&self) -> Vec<Arc<Connection>> {
        let open: Vec<_> = lock(&self.open).values().filter_map(Weak::upgrade).collect();
        open.into_iter().filter(|one| !one.gives_way.is_cancelled()).collect()
    }

    /// Of those that keep us waiting and `may` go, the one that has used up most of its time goes. Whether there is one.
    fn give_way(&self, may: impl Fn(&Connection) -> bool) -> bool {
        let present = self.present();
        let waiting = present.iter().filter(|one| may(one)).filter_map(|one| Some((one.used()?, one)));
        let Some((_, last)) = waiting.max_by(|(one, _), (other, _)| one.total_cmp(other)) else { return false };
        last.gives_way.cancel();
        true
    }
}

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Its next request has begun, or it is new.
    Head,
    /// The head of a request has come.
    Body,
    /// A request has come and is being answered.
    Answering,
    /// An answer was given.
    Idle,
}

struct Connection {
    id: u64,
    /// What it is doing, since when.
    at: Mutex<(Phase, Instant)>,
    /// Bytes of the body that is coming.
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

    /// Enters a phase from another; from any other, nothing happens.
    fn move_on(&self, from: Phase, to: Phase) {
        if lock(&self.at).0 == from {
            self.enter(to);
        }
    }

    /// Takes note of a piece of a body. Where all of them together are too much, another one gives way.
    fn carry(&self, bytes: usize) {
        self.body.fetch_add(bytes, Ordering::Relaxed);
        if self.all.bodies.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST_BODIES {
            let holds_more = |other: &Connection| other.id != self.id && other.body.load(Ordering::Relaxed) > 0;
            self.all.give_way(holds_more);
        }
    }

    /// How long it may do what it does; `None` while it is being answered.
    fn time(&self, phase: Phase) -> Option<Duration> {
        match phase {
            Phase::Head => Some(self.all.limits.head),
            Phase::Body => Some(self.all.limits.body),
            Phase::Idle => Some(self.all.limits.idle),
            Phase::Answering => None,
        }
    }

    /// How much of its time it has used up, as a share; `None` while it is being answered.
    fn used(&self) -> Option<f64> {
        let (phase, since) = *lock(&self.at);
        Some(since.elapsed().as_secs_f64() / self.time(phase)?.as_secs_f64())
    }

    /// Ready when it has used up its time.
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
        lock(&self.all.open).remove(&self.id);
    }
}

/// A stream that tells when a request begins.
struct Watched {
    stream: TcpStream,
    of: Arc<Connection>,
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, into));
        if into.filled().len() > before {
            self.of.move_on(Phase::Idle, Phase::Head);
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        // The end of an answer is given when its client has taken it.
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

/// The body of a request, which tells how much of it has come and when that is all.
struct Given {
    body: Incoming,
    of: Arc<Connection>,
}

impl HttpBody for Given {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame {
            self.of.carry(frame.data_ref().map_or(0, Bytes::len));
        }
        if frame.is_none() || self.body.is_end_stream() {
            self.of.move_on(Phase::Body, Phase::Answering);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer; dropped, it is given.
struct Answer {
    body: Body,
    of: Arc<Connection>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.of.enter(Phase::Idle);
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
