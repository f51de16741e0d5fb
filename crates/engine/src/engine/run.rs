//! The start of an engine: the choices are read, the loop runs, and what an engine of this mode does by itself begins.

use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use arc_swap::{ArcSwap, ArcSwapOption};
use files::{
    Digests,
    replace_file::ReplaceError,
    store::{self, Newer},
};
use gateway::{Gateway, Parts};
use library::{Library, disk_latency::Pace, walk::Scope, watch::Fence};
use machine::{
    Machine, Mode,
    lock::{Lock, LockError},
    malloc, open_files,
    waiting::{Mutex, Turn},
};
use mcp::MemoryBudget;
use state::StateHandle;
use tokio::{runtime::Handle, time::interval};
use tokio_util::sync::CancellationToken;

use super::{Engine, Inner, Rest};
use crate::{
    ServeAt,
    actions::{ask_keychain, keep_asking, retry_keychain},
    client_folders,
    serve::listen::Opened,
    start,
};

/// Why the engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another engine of this user is running.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The data folder is of a later version.
    #[error(transparent)]
    Newer(#[from] Newer),
    /// The files of an earlier version cannot be brought forward.
    #[error("Skilltender's own files are of an earlier version, and could not be brought forward. {0}")]
    Forward(#[from] ReplaceError),
    /// HTTP cannot be served where it was wanted.
    #[error("{0}")]
    Listen(String),
    /// The system could not start a thread.
    #[error("Skilltender could not start: {0}.")]
    System(#[from] io::Error),
}

/// How often the snapshot says how much of the library was read.
const TELL: Duration = Duration::from_millis(200);

/// An engine that has not read its library yet, as its snapshot says. It serves nobody before [`Beginning::finish`].
#[must_use]
pub struct Beginning {
    engine: Engine,
    lock: Option<Lock>,
    opened: Option<Opened>,
    token: Option<String>,
}

impl Beginning {
    /// The engine, for whoever shows it meanwhile.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Reads the library, and nothing more.
    pub(crate) async fn read(self) {
        self.engine.read_first().await;
    }

    /// Reads the library, and then serves, watches and looks around.
    pub async fn finish(self) {
        let Self { engine, lock, opened, token } = self;
        engine.read_fenced().await;
        if engine.inner.stopping.load(Ordering::SeqCst) {
            return;
        }
        if let Some(lock) = lock {
            processes::sweep(engine.machine());
            // Before any client is served.
            engine.gateway().reconcile().await;
            engine.gateway().keep_up();
            engine.open_endpoint(Some(lock), opened, token).await;
            ask_keychain(&engine);
            let tidied = engine.clone();
            tokio::spawn(async move { tidied.tidy_trash().await });
        }
        start::look_around(&engine);
        if engine.inner.mode == Mode::Writing {
            engine.keep_cache();
            client_folders::keep_up(&engine);
            keep_asking(&engine);
            engine.examine();
        }
    }
}

impl Engine {
    /// Starts the engine and reads the library: the first snapshot is complete.
    ///
    /// # Errors
    /// When the system refuses a required resource.
    pub async fn start(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        Self::start_at(machine, mode, ServeAt::default()).await
    }

    /// The same; a writing engine serves HTTP at this place.
    ///
    /// # Errors
    /// Also when nothing can listen there.
    pub async fn start_at(machine: Machine, mode: Mode, at: ServeAt) -> Result<Self, StartError> {
        let beginning = Self::begin_at(machine, mode, at)?;
        let engine = beginning.engine.clone();
        beginning.finish().await;
        Ok(engine)
    }

    /// Starts an engine whose first snapshot is there at once, before the library is read. Called within a runtime.
    ///
    /// # Errors
    /// When the system refuses a required resource.
    pub fn begin(machine: Machine, mode: Mode) -> Result<Beginning, StartError> {
        Self::begin_at(machine, mode, ServeAt::default())
    }

    fn begin_at(machine: Machine, mode: Mode, at: ServeAt) -> Result<Beginning, StartError> {
        // Before anything of ours is written.
        let opened = at.open().map_err(StartError::Listen)?;
        let lock = if mode == Mode::Writing { Some(take_over(&machine)?) } else { None };
        let engine = Self::unread_yet(machine, mode, lock.is_some(), None)?;
        Ok(Beginning { engine, lock, opened, token: at.token })
    }

    /// Starts an engine for a single query: it watches nothing, because watching costs more than the query. It writes
    /// nothing, whatever its mode is.
    ///
    /// # Errors
    /// When the system refuses a required resource.
    pub async fn start_once(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let mode = if mode == Mode::Writing { Mode::Reading } else { mode };
        let engine = Self::unread_yet(machine, mode, false, None)?;
        engine.read_first().await;
        Ok(engine)
    }

    /// Starts a writing engine for a single action while no other engine runs: it serves no client and watches nothing.
    ///
    /// # Errors
    /// When another engine of this user is running, or the system refuses a required resource.
    pub(crate) async fn start_alone(machine: Machine) -> Result<Self, StartError> {
        let lock = take_over(&machine)?;
        let engine = Self::unread_yet(machine, Mode::Writing, false, Some(lock))?;
        engine.read_first().await;
        Ok(engine)
    }

    /// Reads the library for the first time, and notices from then on whether anything changes.
    pub(super) async fn read_fenced(&self) {
        self.inner.fence.store(Fence::new().map(Arc::new));
        self.read_first().await;
    }

    /// Reads the library for the first time; meanwhile the snapshot says how much was read.
    async fn read_first(&self) {
        if self.inner.mode == Mode::Writing && self.state().now().choices.first_run {
            // The first run offers what is found, and is shown once the library was read.
            let engine = self.clone();
            drop(tokio::task::spawn_blocking(move || start::find(&engine)).await);
        }
        let engine = self.clone();
        drop(tokio::task::spawn_blocking(move || engine.begin_with_cache()).await);
        let mut told = interval(TELL);
        // Its first tick is at once.
        told.tick().await;
        let read = self.sweep(Scope::All);
        tokio::pin!(read);
        loop {
            tokio::select! {
                () = &mut read => break,
                _ = told.tick() => {
                    let so_far = self.inner.looked_at.load(Ordering::Relaxed);
                    self.state().change_now(move |state| {
                        if let Some(reading) = &mut state.first_reading {
                            *reading = so_far;
                        }
                    });
                }
            }
        }
        // A library that could not be read ends this too.
        drop(self.state().change(|state| state.first_reading = None).await);
    }

    /// Creates an engine that has not read the library.
    fn unread_yet(machine: Machine, mode: Mode, records: bool, alone: Option<Lock>) -> Result<Self, StartError> {
        if !matches!(mode, Mode::Plain { .. }) {
            store::refuse_newer(&machine.data)?;
        }
        malloc::give_back_large_pieces();
        open_files::raise();
        let machine = Arc::new(machine);
        let mut state = start::state(&machine, &mode);
        state.first_reading = Some(0);
        let secrets = start::read_values(&mut state, &mode);
        let audit = if records { start::audit(&mut state) } else { None };
        let state = StateHandle::start(state, mode == Mode::Writing, alone.is_none())?;
        let digests = Arc::<Digests>::default();
        let looked_at = Arc::<AtomicU32>::default();
        let (rest, ended) = (Arc::<Rest>::default(), CancellationToken::new());
        tokio::spawn(ended.clone().run_until_cancelled_owned(Arc::clone(&rest).follow()));
        let server = Arc::clone(&rest);
        let gateway = Gateway::new(Parts {
            machine: Arc::clone(&machine),
            secrets: secrets.clone(),
            digests: Arc::clone(&digests),
            state: state.clone(),
            over: Box::new(move || drop(server.works())),
        });
        let engine = Self {
            inner: Arc::new(Inner {
                machine,
                mode,
                digests,
                room: MemoryBudget::default(),
                pace: Pace::default(),
                rest,
                _ends: ended.drop_guard(),
                secrets,
                serving: Mutex::default(),
                audit: audit.map(OnceLock::from).unwrap_or_default(),
                usage: OnceLock::default(),
                state,
                library: Turn::new(Library::counting(Arc::clone(&looked_at))),
                looked_at,
                swept: Mutex::default(),
                fence: ArcSwapOption::default(),
                short: AtomicBool::default(),
                reread: Arc::default(),
                cached: Mutex::default(),
                unread: ArcSwap::default(),
                watch: Mutex::default(),
                search: Turn::default(),
                cancel: Mutex::default(),
                client_files: Turn::default(),
                stopping: AtomicBool::default(),
                tokens: Turn::default(),
                end_asked: CancellationToken::new(),
                files: Mutex::default(),
                gateway,
                _alone: alone,
            }),
        };
        if records {
            engine.count_usage(false);
        }
        engine.follow_late_secrets();
        Ok(engine)
    }

    /// When the keychain answers late, publishes the result and moves the secrets set in the meantime there.
    fn follow_late_secrets(&self) {
        let (engine, runtime) = (self.downgrade(), Handle::current());
        self.inner.secrets.when_late(move || {
            if let Some(engine) = engine() {
                runtime.spawn(async move { retry_keychain(&engine).await });
            }
        });
    }
}

/// Takes the lock of a data folder whose files this program knows, and brings them to this program's version.
fn take_over(machine: &Machine) -> Result<Lock, StartError> {
    store::refuse_newer(&machine.data)?;
    let lock = Lock::take(&machine.data)?;
    // Under the lock again: what was looked at before may have been brought forward meanwhile.
    store::refuse_newer(&machine.data)?;
    store::bring_forward(&machine.data)?;
    Ok(lock)
}
