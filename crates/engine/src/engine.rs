//! The engine: start, running, stop.
//!
//! One loop, on a thread of its own, owns the [`State`](crate::state::State). Actions, the watcher and the endpoint
//! send it changes; after each batch it publishes one snapshot, if that differs from the last. The disk is read
//! elsewhere, so the loop never waits for a slow folder.

mod changes;
mod desk;
mod ending;
mod examine;
mod follow;
#[cfg(test)]
mod hanging;
mod published;
#[cfg(test)]
mod staleness;

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    thread,
    time::Instant,
};

use arc_swap::ArcSwap;
use changes::keeps;
use desk::{Change, Desk};
pub(crate) use examine::Examined;
use files::Digests;
use library::{Library, Unread, pace::Pace, search::Search, walk::Fresh, watch::Watch};
use machine::{
    Machine, Mode,
    lock::{Lock, LockError},
    memory, open_files,
    waiting::{Mutex, MutexGuard, Turn, TurnGuard},
};
use mcp::Room;
use secrets::Secrets;
use tokio::runtime::Handle;

use crate::{
    actions::{ask_keychain, retry_keychain, tidy_trash},
    audit::Audit,
    client_watch::Guests,
    gateway::{self, Gateway, SignIns},
    serve::Serving,
    skill_folders,
    snapshot::Published,
    start,
    tally::Tally,
};

/// The running application without a window. Cheap to clone; it ends when its last clone is dropped.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

/// Why the engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another engine of this user is running.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The system could not start a thread.
    #[error("Skilltender could not start: {0}.")]
    System(#[from] io::Error),
}

struct Inner {
    machine: Arc<Machine>,
    mode: Mode,
    changes: Arc<Sender<Change>>,
    published: Arc<Published>,
    library: Turn<Library>,
    /// When the last full scan of the library began.
    swept: Mutex<Option<Instant>>,
    /// Whether that scan was incomplete because no more files could be opened.
    short: AtomicBool,
    /// What exists in the library but cannot be read.
    unread: ArcSwap<Vec<Unread>>,
    watch: Mutex<Option<Watch>>,
    digests: Arc<Digests>,
    /// The memory budget for large answers.
    room: Room,
    pace: Pace,
    secrets: Secrets,
    serving: Mutex<Option<Serving>>,
    /// Empty until the first search.
    search: Turn<Search>,
    /// The record of client calls, in an engine that serves.
    audit: OnceLock<Audit>,
    /// Calls that are not counted in the state yet.
    tally: Arc<Tally>,
    /// Held while clients' files are read or written, so that their states are reported in order.
    guests: Turn<Guests>,
    /// Whether the engine is stopping: it no longer watches anything or writes clients' files.
    stopping: AtomicBool,
    /// Held while the tokens of clients are changed.
    tokens: Turn<()>,
    /// Watched files outside the library, with their callbacks.
    files: Mutex<HashMap<PathBuf, Look>>,
    /// The running servers that skills need.
    gateway: Gateway,
    /// The pending sign-ins.
    sign_ins: SignIns,
    /// The lock of an engine that writes without serving.
    alone: Option<Lock>,
}

type Look = Arc<dyn Fn(&Engine) + Send + Sync>;

impl Engine {
    /// Starts the engine and reads the library: the first snapshot is complete.
    ///
    /// # Errors
    /// When the system refuses a required resource.
    pub async fn start(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let lock = (mode == Mode::Writing).then(|| Lock::take(&machine.data)).transpose()?;
        let engine = Self::read(machine, mode, lock.is_some(), None).await?;
        if let Some(lock) = lock {
            processes::sweep(engine.machine());
            // Before any client is served.
            gateway::look_now(&engine).await;
            gateway::keep_up(&engine);
            engine.open_endpoint(lock).await;
            ask_keychain(&engine);
            let tidied = engine.clone();
            tokio::spawn(async move { tidy_trash(&tidied).await });
        }
        start::look_around(&engine);
        if engine.inner.mode == Mode::Writing {
            skill_folders::keep_up(&engine);
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
        let lock = Lock::take(&machine.data)?;
        Self::read(machine, Mode::Writing, false, Some(lock)).await
    }

    /// Creates an engine that has read the library.
    async fn read(machine: Machine, mode: Mode, records: bool, alone: Option<Lock>) -> Result<Self, StartError> {
        memory::give_back_large_pieces();
        open_files::raise();
        let machine = Arc::new(machine);
        let mut state = start::state(&machine, &mode);
        let secrets = start::given(&mut state, &mode);
        let audit = if records { start::audit(&mut state) } else { None };
        let (published, basis) = Published::new(&state);
        let published = Arc::new(published);
        let (changes, received) = mpsc::channel();
        let changes = Arc::new(changes);
        let keeps = (mode == Mode::Writing).then(|| keeps(&changes, &state)).transpose()?;
        let tally = Arc::new(Tally::default());
        let (told, shown) = (Arc::clone(&tally), Arc::clone(&published));
        let desk = Desk { tally: told, published: shown, basis, keeps };
        thread::Builder::new().name("loop".to_owned()).spawn(move || desk.run(state, &received))?;
        let engine = Self {
            inner: Arc::new(Inner {
                machine,
                mode,
                digests: Arc::default(),
                room: Room::default(),
                pace: Pace::default(),
                secrets,
                serving: Mutex::default(),
                audit: audit.map(OnceLock::from).unwrap_or_default(),
                tally,
                changes,
                published,
                library: Turn::default(),
                swept: Mutex::default(),
                short: AtomicBool::default(),
                unread: ArcSwap::default(),
                watch: Mutex::default(),
                search: Turn::default(),
                guests: Turn::default(),
                stopping: AtomicBool::default(),
                tokens: Turn::default(),
                files: Mutex::default(),
                gateway: Gateway::default(),
                sign_ins: SignIns::default(),
                alone,
            }),
        };
        engine.follow_late_secrets();
        engine.sweep(Fresh::All).await;
        Ok(engine)
    }

    /// When the keychain answers late, publishes the result and moves the secrets set in the meantime there.
    fn follow_late_secrets(&self) {
        let (engine, runtime) = (self.while_it_lives(), Handle::current());
        self.inner.secrets.when_late(move || {
            if let Some(engine) = engine() {
                runtime.spawn(async move { retry_keychain(&engine).await });
            }
        });
    }

    /// Offers packed skills while this engine runs, regardless of the user's setting.
    pub async fn offer_archives(&self) {
        // If the loop has ended, no client is served.
        drop(self.change(|state| state.archives = true).await);
    }

    /// The machine that the engine runs on.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.inner.machine
    }

    /// What the engine may do on it.
    pub fn mode(&self) -> &Mode {
        &self.inner.mode
    }

    /// The stored secrets.
    pub(crate) fn secrets(&self) -> Secrets {
        self.inner.secrets.clone()
    }

    /// A weak reference to this engine, for tasks that must not keep it alive.
    pub(crate) fn while_it_lives(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let weak = Arc::downgrade(&self.inner);
        move || weak.upgrade().map(|inner| Self { inner })
    }

    /// The digests of the skills' files.
    pub(crate) fn digests(&self) -> &Arc<Digests> {
        &self.inner.digests
    }

    /// The memory budget for large answers.
    pub(crate) fn room_for_answers(&self) -> &Room {
        &self.inner.room
    }

    /// Whether files are read where they are needed.
    pub(crate) fn pace(&self) -> &Pace {
        &self.inner.pace
    }

    /// The open endpoint, if there is one.
    pub(crate) fn serving(&self) -> MutexGuard<'_, Option<Serving>> {
        self.inner.serving.lock()
    }

    /// Calls that are not counted in the state yet.
    pub(crate) fn tally(&self) -> &Tally {
        &self.inner.tally
    }

    /// Records this engine's answers although it does not write: it serves one client while no other engine runs.
    pub(crate) fn record_alone(&self) {
        match Audit::start_alone(self.machine().data.join("audit")) {
            Ok(audit) => drop(self.inner.audit.set(audit)),
            Err(error) => tracing::warn!("Calls are not recorded: {error}."),
        }
    }

    /// The record of client calls, in an engine that may write.
    pub(crate) fn audit(&self) -> Option<&Audit> {
        self.inner.audit.get()
    }

    /// Takes the lock on clients' files.
    pub(crate) fn guests(&self) -> TurnGuard<'_, Guests> {
        self.inner.guests.wait()
    }

    /// Whether clients' files may still be written. Checked by the lock's holder right before each write.
    pub(crate) fn may_write_guests(&self) -> bool {
        !self.inner.stopping.load(Ordering::SeqCst)
    }

    /// Takes the lock on clients' tokens.
    pub(crate) fn tokens_turn(&self) -> TurnGuard<'_, ()> {
        self.inner.tokens.wait()
    }

    /// The search index.
    pub(crate) fn search(&self) -> &Turn<Search> {
        &self.inner.search
    }

    /// The running servers.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.inner.gateway
    }

    /// The pending sign-ins.
    pub(crate) fn sign_ins(&self) -> &SignIns {
        &self.inner.sign_ins
    }

    /// Whether this engine serves clients, so that servers run in it.
    pub(crate) fn serves(&self) -> bool {
        self.serving().is_some()
    }
}
