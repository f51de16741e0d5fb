//! Implements `skilltender mcp`: connects a client's stdio to the one writing engine, or answers from a read-only
//! engine in this process until that engine is available (decision 3).
//!
//! The client's open requests during the switch are left to [`mcp::bridge`].

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use choices::tokens::BY_HAND;
use files::store;
use machine::{
    Machine, socket,
    waiting::{Mutex, MutexGuard},
};
use mcp::{Caller, Reached, Visitor, WorkFolder, say_hello, serve_stream};
use tokio::{
    io::{AsyncRead, AsyncWrite, duplex, split},
    sync::Notify,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{Engine, Mode, StartError};

/// How often a read-only engine looks for the writing one.
const LOOK: Duration = Duration::from_millis(500);

/// How long an engine may take to accept us. One that takes longer hangs.
const HELLO: Duration = Duration::from_secs(2);

/// The capacity of a pipe to an engine in this process, in bytes.
const PIPE: usize = 64 << 10;

/// Answers one client from this engine until the client ends.
///
/// # Errors
/// When the stream breaks before the client's first request.
pub async fn answer(
    engine: &Engine,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let caller = Caller::of(BY_HAND);
    serve_stream(Arc::new(engine.clone()), caller, SystemTime::now(), read, write, CancellationToken::new()).await
}

/// Refuses a data folder that a newer program wrote, unless its engine runs: only that one could answer.
///
/// # Errors
/// When the folder is of a later version and no engine listens.
pub async fn refuse_newer(machine: &Machine) -> Result<(), StartError> {
    match store::refuse_newer(&machine.data) {
        Err(newer) if socket::connect(&machine.data).await.is_err() => Err(newer.into()),
        _ => Ok(()),
    }
}

/// Connects one client to the writing engine, or answers it from a read-only one, until the client ends. `client` is
/// its id; without one it is a connection made by hand. `folder` is where it works, unless it gives roots.
///
/// # Errors
/// When the client's stream breaks.
pub async fn carry(
    machine: Machine,
    client: Option<&str>,
    folder: Option<PathBuf>,
    read: impl AsyncRead + Unpin,
    write: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let folders = folder.into_iter().map(|path| WorkFolder { path, real: None }).collect();
    let caller = Caller { client: client.unwrap_or(BY_HAND).to_owned(), folders };
    let road = Arc::new(Road {
        machine,
        caller,
        since: SystemTime::now(),
        better: Notify::new(),
        found: Mutex::default(),
        here: AtomicBool::default(),
        told: AtomicBool::default(),
    });
    let dial = || Arc::clone(&road).dial();
    mcp::bridge(read, write, dial, &road.better).await
}

/// The connection to an engine.
struct Road {
    machine: Machine,
    caller: Caller,
    /// When the client started us; it read its config before that.
    since: SystemTime,
    /// Notified when the writing engine was found while a read-only one answers.
    better: Notify,
    /// The connection to the writing engine, until the next dial takes it.
    found: Mutex<Option<Reached>>,
    /// Whether an engine in this process answers.
    here: AtomicBool,
    /// Whether it was logged that the running engine refuses us, or that our files are of a later version.
    told: AtomicBool,
}

impl Road {
    /// Connects to the writing engine if it runs, otherwise to one in this process.
    ///
    /// # Errors
    /// When one in this process answers already and no writing engine runs.
    async fn dial(self: Arc<Self>) -> io::Result<Reached> {
        let found = self.found().take();
        let reached = match found {
            Some(upstream) => Ok(upstream),
            None => self.reach().await,
        };
        if reached.is_ok() {
            self.here.store(false, Ordering::Relaxed);
            return reached;
        }
        if self.here.swap(true, Ordering::Relaxed) {
            return reached;
        }
        let engine = Engine::start(self.machine.clone(), Mode::Reading).await.map_err(|error| {
            if matches!(error, StartError::Newer(_)) && !self.told.swap(true, Ordering::Relaxed) {
                tracing::warn!("{error}");
            }
            io::Error::other(error)
        })?;
        engine.record_alone();
        let (near, far) = duplex(PIPE);
        let (read, write) = split(far);
        let (caller, stop) = (self.caller.clone(), CancellationToken::new());
        tokio::spawn(serve_stream(Arc::new(engine), caller, self.since, read, write, stop));
        tokio::spawn(self.look());
        let (read, write) = split(near);
        Ok(Reached::new(read, write))
    }

    /// Looks for the writing engine until it is found, here or by a dial.
    async fn look(self: Arc<Self>) {
        while self.here.load(Ordering::Relaxed) {
            sleep(LOOK).await;
            if let Ok(upstream) = self.reach().await {
                *self.found() = Some(upstream);
                return self.better.notify_one();
            }
        }
    }

    /// The writing engine, after its hello.
    async fn reach(&self) -> io::Result<Reached> {
        let stream = socket::connect(&self.machine.data).await.inspect_err(|error| {
            if error.kind() == io::ErrorKind::PermissionDenied && !self.told.swap(true, Ordering::Relaxed) {
                tracing::warn!("The running Skilltender cannot be reached: {error}. The client is answered here.");
            }
        })?;
        let (mut read, mut write) = split(stream);
        let visitor = Visitor::Client { caller: self.caller.clone(), since: self.since };
        match timeout(HELLO, say_hello(&mut read, &mut write, &visitor)).await? {
            Ok(_) => Ok(Reached::new(read, write)),
            Err(error) => {
                if error.kind() == io::ErrorKind::Unsupported && !self.told.swap(true, Ordering::Relaxed) {
                    tracing::warn!("{error} Until then the client is answered here.");
                }
                Err(error)
            }
        }
    }

    fn found(&self) -> MutexGuard<'_, Option<Reached>> {
        self.found.lock()
    }
}
