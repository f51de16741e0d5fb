//! The engine: started, running, stopped.
//!
//! One loop, on a thread of its own, owns the [`State`]. Actions, the watcher and the endpoint send
//! it changes; after each bunch of them it publishes one snapshot, if that differs from the last.
//! The disk is read elsewhere, so the loop never waits for a slow folder.

mod desk;
mod examine;
mod follow;
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
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use mcp::{Room, Surfaces};
use skills::{Catalog, Entry};
use tokio::{
    runtime::Handle,
    sync::{oneshot, watch},
    time::timeout_at,
};

use crate::{
    Machine,
    actions::{failed, retry_keychain, tidy_trash},
    audit::Audit,
    child,
    connect::Guests,
    digests::Digests,
    library::{Library, Root, Unread},
    lock::{Lock, LockError},
    memory, native, open_files,
    pace::Pace,
    saving::{Saver, Saving},
    search::Search,
    secrets::Secrets,
    serve::Serving,
    servers::{self, Gateway, Offers, SignIns, Want},
    snapshot::Published,
    start,
    state::State,
    tally::Tally,
    view::{ActionError, ErrorKind, Snapshot},
    waiting::{Mutex, MutexGuard, Turn, TurnGuard},
    walk::Fresh,
    watch::Watch,
};

use desk::{Change, Desk, Keeps};
pub(crate) use examine::Examined;

/// How long stopping takes at most, whatever hangs. Whoever stops us goes on after ten seconds.
const STOP: Duration = Duration::from_secs(8);

/// The running application without a window. Cheap to clone; it ends with its last clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

/// How much of the machine an engine may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The one engine that writes: choices, secrets, clients' files; it serves over HTTP and the socket.
    Writing,
    /// An engine beside none: it reads the choices and serves its one client.
    Reading,
    /// The plain server of seed 003: these folders, every skill on, no state.
    Plain {
        /// Absolute paths.
        folders: Vec<PathBuf>,
    },
}

/// Why the engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another engine of this user runs.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The system gave no thread.
    #[error("Skilltender could not start: {0}.")]
    System(#[from] io::Error),
}

struct Inner {
    machine: Arc<Machine>,
    mode: Mode,
    changes: Arc<Sender<Change>>,
    published: Arc<Published>,
    library: Turn<Library>,
    /// When the last look at the whole library began.
    swept: Mutex<Option<Instant>>,
    /// Whether that one could not look at everything because no more files could be opened.
    short: AtomicBool,
    /// What of the library is there and cannot be read.
    unread: ArcSwap<Vec<Unread>>,
    watch: Mutex<Option<Watch>>,
    digests: Digests,
    /// What large answers may hold of the memory.
    room: Room,
    pace: Pace,
    secrets: Secrets,
    serving: Mutex<Option<Serving>>,
    /// Empty until somebody searches.
    search: Turn<Search>,
    /// The record of what clients did, in an engine that serves.
    audit: OnceLock<Audit>,
    /// Calls that the state does not know of yet.
    tally: Arc<Tally>,
    /// Taken by whoever looks at clients' files or writes them, so that what is told of them is told in order.
    guests: Turn<Guests>,
    /// Whether the engine stops: nothing is watched any more, and clients' files are not written.
    stopping: AtomicBool,
    /// Taken by whoever changes the tokens of clients.
    tokens: Turn<()>,
    /// Files beside the library that somebody wants to know about.
    files: Mutex<HashMap<PathBuf, Look>>,
    /// The servers that skills need, as far as they run.
    gateway: Gateway,
    /// The sign-ins that wait for their person.
    sign_ins: SignIns,
    /// The lock of an engine that writes and serves nobody.
    alone: Option<Lock>,
}

type Look = Arc<dyn Fn(&Engine) + Send + Sync>;

impl Engine {
    /// Starts the engine and reads the library: the first snapshot is complete.
    ///
    /// # Errors
    /// When the system refuses what it cannot do without.
    pub async fn start(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let lock = (mode == Mode::Writing).then(|| Lock::take(&machine.data)).transpose()?;
        let engine = Self::read(machine, mode, lock.is_some(), None).await?;
        if let Some(lock) = lock {
            child::sweep(engine.machine());
            // Before anybody is served.
            servers::look_now(&engine).await;
            servers::keep_up(&engine);
            engine.open_endpoint(lock).await;
            engine.ask_keychain();
            let tidied = engine.clone();
            tokio::spawn(async move { tidy_trash(&tidied).await });
        }
        start::look_around(&engine);
        if engine.inner.mode == Mode::Writing {
            native::keep_up(&engine);
            engine.examine();
        }
        Ok(engine)
    }

    /// Starts an engine for one look at things, after which it ends: it watches nothing, because watching costs more than
    /// the look. It writes nothing, whatever its mode is.
    ///
    /// # Errors
    /// When the system refuses what it cannot do without.
    pub async fn start_once(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let mode = if mode == Mode::Writing { Mode::Reading } else { mode };
        Self::read(machine, mode, false, None).await
    }

    /// Starts an engine that writes, for one thing that a person asks for while no other runs: it
    /// serves nobody and watches nothing.
    ///
    /// # Errors
    /// When another engine of this user runs, or the system refuses what it cannot do without.
    pub(crate) async fn start_alone(machine: Machine) -> Result<Self, StartError> {
        let lock = Lock::take(&machine.data)?;
        Self::read(machine, Mode::Writing, false, Some(lock)).await
    }

    /// An engine that has read the library.
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
                digests: Digests::default(),
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

    /// The present snapshot.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.published.snapshot()
    }

    /// The present snapshot and those to come.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.inner.published.snapshots()
    }

    /// Ends what runs on its own. Choices are on the disk when this returns. It takes [`STOP`] at most: what hangs then,
    /// such as a prompt of the keychain, a disk or a server, is left behind and said in the log.
    pub async fn stop(&self) {
        let last = tokio::time::Instant::now() + STOP;
        self.inner.stopping.store(true, Ordering::SeqCst);
        let lock = self.close_endpoint().await;
        self.sign_ins().cancel_all();
        let servers = async {
            if timeout_at(last, self.gateway().stop_all()).await.is_err() {
                tracing::warn!("Some servers did not end in time.");
            }
        };
        // Whoever has the lock next must not meet a late change of ours.
        let (watch, engine) = (self.inner.watch().take(), self.clone());
        let disk = tokio::task::spawn_blocking(move || {
            watch.into_iter().for_each(Watch::end);
            drop(engine.guests());
        });
        let kept = async {
            if timeout_at(last, disk).await.is_err() {
                tracing::warn!("A client's file or a folder of the library was still being looked at.");
            }
            if let Some(audit) = self.audit()
                && timeout_at(last, audit.flush()).await.is_err()
            {
                tracing::warn!("The last calls are not recorded: the disk did not answer.");
            }
            // A loop that is gone already has nothing left to write, and what cannot be written was said.
            if timeout_at(last, self.change(|state| state.ending = true)).await.is_err() {
                tracing::warn!("What was changed last may not be saved: the disk did not answer.");
            }
        };
        tokio::join!(servers, kept);
        drop(lock);
    }

    /// Has what the keychain answers late be published, and what was set meanwhile be moved there.
    fn follow_late_secrets(&self) {
        let (engine, runtime) = (self.while_it_lives(), Handle::current());
        self.inner.secrets.when_late(move || {
            if let Some(engine) = engine() {
                runtime.spawn(async move { retry_keychain(&engine).await });
            }
        });
    }

    /// Offers packed skills for as long as this engine runs, whatever the person chose.
    pub async fn offer_archives(&self) {
        // A loop that is gone serves nobody.
        drop(self.change(|state| state.archives = true).await);
    }

    /// The machine we run on.
    pub fn machine(&self) -> &Arc<Machine> {
        &self.inner.machine
    }

    /// How much of it we may use.
    pub fn mode(&self) -> &Mode {
        &self.inner.mode
    }

    /// The secrets that people stored.
    pub(crate) fn secrets(&self) -> Secrets {
        self.inner.secrets.clone()
    }

    /// The way back to this engine for what must not keep it alive.
    pub(crate) fn while_it_lives(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let weak = Arc::downgrade(&self.inner);
        move || weak.upgrade().map(|inner| Self { inner })
    }

    /// What the skills' files are at this moment.
    pub(crate) fn digests(&self) -> &Digests {
        &self.inner.digests
    }

    /// What large answers may hold of the memory.
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

    /// Calls that the state does not know of yet.
    pub(crate) fn tally(&self) -> &Tally {
        &self.inner.tally
    }

    /// What the agent of a client is told of a skill that is not ready.
    pub(crate) fn remark_on(&self, client: &str, entry: &Entry) -> Option<String> {
        self.inner.published.remark(client, entry)
    }

    /// Records what this engine answers although it does not write: it serves one client while no other does.
    pub(crate) fn record_alone(&self) {
        match Audit::start_alone(self.machine().data.join("audit")) {
            Ok(audit) => drop(self.inner.audit.set(audit)),
            Err(error) => tracing::warn!("Calls are not recorded: {error}."),
        }
    }

    /// The record of what clients did, in an engine that may write.
    pub(crate) fn audit(&self) -> Option<&Audit> {
        self.inner.audit.get()
    }

    /// Waits until nobody else looks at clients' files or writes them.
    pub(crate) fn guests(&self) -> TurnGuard<'_, Guests> {
        self.inner.guests.wait()
    }

    /// Whether clients' files may still be written. Asked by whoever has their turn, right before they write.
    pub(crate) fn may_write_guests(&self) -> bool {
        !self.inner.stopping.load(Ordering::SeqCst)
    }

    /// Waits until nobody else changes the tokens of clients.
    pub(crate) fn tokens_turn(&self) -> TurnGuard<'_, ()> {
        self.inner.tokens.wait()
    }

    /// The index that searches look into.
    pub(crate) fn search(&self) -> &Turn<Search> {
        &self.inner.search
    }

    /// The servers that run.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.inner.gateway
    }

    /// The sign-ins that wait for their person.
    pub(crate) fn sign_ins(&self) -> &SignIns {
        &self.inner.sign_ins
    }

    /// Whether this engine serves clients, so that servers run in it.
    pub(crate) fn serves(&self) -> bool {
        self.serving().is_some()
    }

    /// What servers offer to clients.
    pub(crate) fn offers(&self) -> Arc<Offers> {
        self.inner.published.offers()
    }

    /// The server of this name, if it may run at this moment.
    ///
    /// # Errors
    /// Why it may not, as a sentence.
    pub(crate) fn agreed(&self, server: &str) -> Result<Want, String> {
        self.inner.published.agreed(server)
    }

    /// Why a client is not offered what it calls by one of our names for servers' tools and prompts, where that is known.
    pub(crate) fn not_offered(&self, client: &str, name: &str) -> Option<String> {
        self.inner.published.not_offered(client, name)
    }

    /// Goes up whenever what skills want of servers may be something else.
    pub(crate) fn wants(&self) -> watch::Receiver<u64> {
        self.inner.published.wants()
    }

    /// The present catalog, without looking at the disk.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.inner.published.catalog()
    }

    /// What one client may see of it.
    pub(crate) fn catalog_of(&self, client: &str) -> Arc<Catalog> {
        self.inner.published.catalog_of(client)
    }

    /// Goes up whenever a skill, one of its files or a choice may look different.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.inner.published.news()
    }

    /// What this client may use now.
    pub(crate) fn surfaces_of(&self, client: &str) -> Surfaces {
        self.inner.published.surfaces(client)
    }

    /// The library's present folders.
    pub(crate) fn roots(&self) -> Arc<Vec<Root>> {
        self.inner.published.roots()
    }

    /// The skill of this key.
    ///
    /// # Errors
    /// When there is none (any more).
    pub(crate) fn entry(&self, key: &str) -> Result<Arc<Entry>, ActionError> {
        self.catalog()
            .by_key(key)
            .cloned()
            .ok_or_else(|| failed(ErrorKind::NotFound, format!("There is no skill {key} any more.")))
    }

    /// Changes the state and returns when the change is published, and what of it outlives us is on the disk.
    ///
    /// # Errors
    /// When the engine has stopped, or it cannot be saved: then it holds only until we quit.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, ActionError> {
        let (value, saving) = self.apply(act).await?;
        saving.done().await.map(|()| value)
    }

    /// Changes the state and returns when the change is published, with what waits for it to be on the disk.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub(crate) async fn apply<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<(T, Saving), ActionError> {
        let (answered, saving) = self.ask(act);
        Ok((answered.await.map_err(|_| quitting())?, saving))
    }

    /// As [`Engine::apply`], for a thread that may wait.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub(crate) fn apply_here<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<(T, Saving), ActionError> {
        let (answered, saving) = self.ask(act);
        Ok((answered.blocking_recv().map_err(|_| quitting())?, saving))
    }

    /// Changes the state on a thread that may wait, and returns when the change is published; nothing when the engine
    /// has stopped.
    pub(crate) fn change_here<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Option<T> {
        self.apply_here(act).ok().map(|(value, _)| value)
    }

    fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> (oneshot::Receiver<T>, Saving) {
        let (answer, answered) = oneshot::channel();
        let (tell, saved) = oneshot::channel();
        let act = move |state: &mut State| -> desk::Reply {
            let value = act(state);
            // Whoever asked may have gone.
            Box::new(move || drop(answer.send(value)))
        };
        // A loop that is gone drops the change and with it the answers, which whoever waits sees.
        drop(self.inner.changes.send(Change::Now(Box::new(act), tell)));
        (answered, Saving { saved, lasts: self.inner.alone.is_none() })
    }

    /// Changes the state without waiting; published within a quarter of a second.
    pub(crate) fn tell(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        // A loop that is gone has nobody to tell.
        drop(self.inner.changes.send(Change::Soon(Box::new(act))));
    }
}

/// What has the state be saved, and says in the state what cannot be.
fn keeps(changes: &Arc<Sender<Change>>, state: &State) -> io::Result<Keeps> {
    let changes = Arc::downgrade(changes);
    let saver = Saver::start(move |unsaved| {
        // A loop that is gone has nobody to tell, and nothing here keeps it going.
        let Some(changes) = changes.upgrade() else { return };
        drop(changes.send(Change::Soon(Box::new(move |state| state.unsaved = unsaved))));
    })?;
    Ok(Keeps::new(saver, state))
}

fn quitting() -> ActionError {
    failed(ErrorKind::System, "Skilltender is quitting, so this was not done.")
}

impl Inner {
    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, Look>> {
        self.files.lock()
    }

    fn library(&self) -> TurnGuard<'_, Library> {
        self.library.wait()
    }

    fn swept(&self) -> MutexGuard<'_, Option<Instant>> {
        self.swept.lock()
    }

    fn watch(&self) -> MutexGuard<'_, Option<Watch>> {
        self.watch.lock()
    }
}
