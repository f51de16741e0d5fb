//! One run of a server, as its callers and the gateway see it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use machine::waiting::{Mutex, MutexGuard};
use mcp::Upstream;
use processes::Log;
use servers::LaunchSpec;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A server without calls for this long is stopped; the next call starts it again.
const IDLE: Duration = Duration::from_mins(10);

/// The phase of one run, for those who wait for it.
#[derive(Clone)]
pub(crate) enum Phase {
    /// It has not answered yet.
    Starting,
    /// It answers.
    Up(Upstream),
    /// It answers, but a person must first review what it advertises.
    Held,
    /// It is over, with the reason unless the end was wanted.
    Over(Option<StartFailure>),
}

/// State shared by a run and its users.
pub(crate) struct Shared {
    pub(crate) spec: LaunchSpec,
    pub(crate) phase: watch::Sender<Phase>,
    /// Cancelled when it is to end; calls under way see that at once.
    pub(crate) stop: CancellationToken,
    /// Cancelled when all of it is gone.
    ended: CancellationToken,
    log: Mutex<Option<Log>>,
    /// Calls under way.
    busy: AtomicU32,
    /// When the last call ended.
    used: Mutex<Instant>,
}

impl Shared {
    pub(crate) fn new(spec: LaunchSpec) -> Self {
        Self {
            spec,
            phase: watch::Sender::new(Phase::Starting),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            log: Mutex::default(),
            busy: AtomicU32::new(0),
            used: Mutex::new(Instant::now()),
        }
    }

    /// Whether it has neither ended nor been asked to.
    pub(crate) fn is_active(&self) -> bool {
        !self.stop.is_cancelled() && !matches!(*self.phase.borrow(), Phase::Over(_))
    }

    /// Waits until all of it is gone and its result is reported.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// The run counts as ended when the returned guard is dropped.
    pub(crate) fn lasts(&self) -> DropGuard {
        self.ended.clone().drop_guard()
    }

    /// What it wrote, with the time of each line.
    pub(crate) fn lines(&self) -> Vec<(u64, String)> {
        self.log().as_ref().map(Log::lines).unwrap_or_default()
    }

    /// Counts a call until the result is dropped.
    pub(crate) fn call(self: &Arc<Self>) -> Calling {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Calling(Arc::clone(self))
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Option<Log>> {
        self.log.lock()
    }

    /// When it will have been idle for long enough; `None` during a call.
    pub(crate) fn idle_at(&self) -> Option<Instant> {
        let used = *self.used.lock();
        (self.busy.load(Ordering::Relaxed) == 0).then(|| used + IDLE)
    }
}

/// A call under way.
pub(crate) struct Calling(Arc<Shared>);

impl Drop for Calling {
    fn drop(&mut self) {
        *self.0.used.lock() = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a server does not run, though it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StartFailure {
    /// It wants the person to sign in.
    SignIn,
    /// Nothing of it was started: it was refused before, or its address was not reached. As a sentence.
    NotStarted(String),
    /// Anything else, as a sentence.
    Failed(String),
}

impl From<String> for StartFailure {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl StartFailure {
    /// The message for an agent that called one of the server's tools.
    pub(crate) fn sentence(&self, name: &str) -> String {
        match self {
            Self::SignIn => format!(
                "The server {name} wants the user to sign in. They can do it under Servers in Skilltender's window, or with `skilltender servers sign-in {name}`."
            ),
            Self::NotStarted(message) | Self::Failed(message) => message.clone(),
        }
    }

    /// The same, as it happened before anything was started.
    pub(crate) fn before_start(self) -> Self {
        match self {
            Self::Failed(message) => Self::NotStarted(message),
            other => other,
        }
    }
}
