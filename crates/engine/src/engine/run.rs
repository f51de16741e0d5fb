//! The start of an engine: the choices are read, the loop runs, and what an engine of this mode does by itself begins.

use std::{
    io,
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

use arc_swap::ArcSwap;
use files::{
    Digests,
    store::{self, Newer},
};
use gateway::{Gateway, Parts};
use library::{disk_latency::Pace, walk::Scope};
use machine::{
    Machine, Mode,
    lock::{Lock, LockError},
    malloc, open_files,
    waiting::{Mutex, Turn},
};
use mcp::MemoryBudget;
use state::StateHandle;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{Engine, Inner};
use crate::{
    ServeAt,
    actions::{ask_keychain, retry_keychain},
    client_folders, start,
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
    /// HTTP cannot be served where it was wanted.
    #[error("{0}")]
    Listen(String),
    /// The system could not start a thread.
    #[error("Skilltender could not start: {0}.")]
    System(#[from] io::Error),
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
        // Before anything of ours is written.
        let opened = at.open().map_err(StartError::Listen)?;
        let lock = if mode == Mode::Writing { Some(take_over(&machine)?) } else { None };
        let engine = Self::read(machine, mode, lock.is_some(), None).await?;
        if let Some(lock) = lock {
            processes::sweep(engine.machine());
            // Before any client is served.
            engine.gateway().reconcile().await;
            engine.gateway().keep_up();
            engine.open_endpoint(Some(lock), opened, at.token).await;
            ask_keychain(&engine);
            let tidied = engine.clone();
            tokio::spawn(async move { tidied.tidy_trash().await });
        }
        start::look_around(&engine);
        if engine.inner.mode == Mode::Writing {
            client_folders::keep_up(&engine);
            engine.examine();
        }
        Ok(engine)
    }

    /// Starts an engine for a single query: it watches nothing, because watching costs more than the query. It writes
    /// nothing, whatever its mode is.
    ///
    /// # Errors
    /// When the system refuses a required resource.
    pub async fn start_once(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let mode = if mode == Mode::Writing { Mode::Reading } else { mode };
        Self::read(machine, mode, false, None).await
    }

    /// Starts a writing engine for a single action while no other engine runs: it serves no client and watches nothing.
    ///
    /// # Errors
    /// When another engine of this user is running, or the system refuses a required resource.
    pub(crate) async fn start_alone(machine: Machine) -> Result<Self, StartError> {
        let lock = take_over(&machine)?;
        Self::read(machine, Mode::Writing, false, Some(lock)).await
    }

    /// Creates an engine that has read the library.
    async fn read(machine: Machine, mode: Mode, records: bool, alone: Option<Lock>) -> Result<Self, StartError> {
        if !matches!(mode, Mode::Plain { .. }) {
            store::refuse_newer(&machine.data)?;
        }
        malloc::give_back_large_pieces();
        open_files::raise();
        let machine = Arc::new(machine);
        let mut state = start::state(&machine, &mode);
        let secrets = start::read_values(&mut state, &mode);
        let audit = if records { start::audit(&mut state) } else { None };
        let state = StateHandle::start(state, mode == Mode::Writing, alone.is_none())?;
        let digests = Arc::<Digests>::default();
        let gateway = Gateway::new(Parts {
            machine: Arc::clone(&machine),
            secrets: secrets.clone(),
            digests: Arc::clone(&digests),
            state: state.clone(),
        });
        let engine = Self {
            inner: Arc::new(Inner {
                machine,
                mode,
                digests,
                room: MemoryBudget::default(),
                pace: Pace::default(),
                secrets,
                serving: Mutex::default(),
                audit: audit.map(OnceLock::from).unwrap_or_default(),
                usage: OnceLock::default(),
                state,
                library: Turn::default(),
                swept: Mutex::default(),
                short: AtomicBool::default(),
                unread: ArcSwap::default(),
                watch: Mutex::default(),
                search: Turn::default(),
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
        engine.sweep(Scope::All).await;
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

/// Takes the lock of a data folder whose files this program knows, and marks the folder as ours.
fn take_over(machine: &Machine) -> Result<Lock, StartError> {
    store::refuse_newer(&machine.data)?;
    let lock = Lock::take(&machine.data)?;
    if let Err(error) = store::mark(&machine.data) {
        tracing::warn!("Older programs are not told the version of our files: {error}");
    }
    Ok(lock)
}
