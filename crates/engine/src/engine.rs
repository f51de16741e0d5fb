//! The engine: started, running, stopped.
//!
//! One loop, on a thread of its own, owns the [`State`]. Actions, the watcher and the endpoint send
//! it changes; after each bunch of them it publishes one snapshot, if that differs from the last.
//! The disk is read elsewhere, so the loop never waits for a slow folder.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use skills::{Catalog, Entry};
use tokio::sync::{oneshot, watch};

use crate::{
    Machine,
    actions::failed,
    audit::Audit,
    choices::Choices,
    library::{Library, Root},
    lock::{Lock, LockError},
    secrets::Secrets,
    serve::Serving,
    snapshot::{Basis, Published},
    start,
    state::State,
    store,
    view::{ActionError, ErrorKind, Snapshot},
    walk::Fresh,
    watch::{Seen, Watch},
};

/// What may wait, such as a count of calls, is published this much later at most.
const SOON: Duration = Duration::from_millis(250);

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
    changes: Sender<Change>,
    published: Arc<Published>,
    library: Mutex<Library>,
    /// When the last look at the whole library began.
    swept: Mutex<Option<Instant>>,
    watch: Mutex<Option<Watch>>,
    secrets: Arc<Secrets>,
    serving: Mutex<Option<Serving>>,
    /// The record of what clients did, in an engine that may write.
    audit: Option<Audit>,
    /// Files beside the library that somebody wants to know about.
    files: Mutex<HashMap<PathBuf, Look>>,
}

type Look = Arc<dyn Fn(&Engine) + Send + Sync>;

type Reply = Box<dyn FnOnce() + Send>;

/// Something that changes the state.
enum Change {
    /// Published at once; the reply goes out afterwards.
    Now(Box<dyn FnOnce(&mut State) -> Reply + Send>),
    /// Published within [`SOON`].
    Soon(Box<dyn FnOnce(&mut State) + Send>),
}

impl Engine {
    /// Starts the engine and reads the library: the first snapshot is complete.
    ///
    /// # Errors
    /// When the system refuses what it cannot do without.
    pub async fn start(machine: Machine, mode: Mode) -> Result<Self, StartError> {
        let lock = (mode == Mode::Writing).then(|| Lock::take(&machine.data)).transpose()?;
        let machine = Arc::new(machine);
        let mut state = start::state(&machine, &mode);
        let secrets = start::given(&mut state, &mode);
        let (published, basis) = Published::new(&state);
        let published = Arc::new(published);
        let (changes, received) = mpsc::channel();
        let saves = (mode == Mode::Writing).then(|| start::choices_file(&machine));
        let desk = Desk { published: Arc::clone(&published), basis, saved: state.choices.clone(), saves };
        thread::Builder::new().name("loop".to_owned()).spawn(move || desk.run(state, &received))?;
        let audit = lock.is_some().then(|| Audit::start(&machine.data.join("audit"))).transpose()?;
        let engine = Self {
            inner: Arc::new(Inner {
                machine,
                mode,
                secrets: Arc::new(secrets),
                serving: Mutex::default(),
                audit,
                changes,
                published,
                library: Mutex::default(),
                swept: Mutex::default(),
                watch: Mutex::default(),
                files: Mutex::default(),
            }),
        };
        engine.sweep(Fresh::All).await;
        if let Some(lock) = lock {
            engine.open_endpoint(lock).await;
        }
        start::look_around(&engine);
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

    /// Ends what runs on its own. Choices are on the disk when this returns.
    pub async fn stop(&self) {
        self.close_endpoint().await;
        drop(self.inner.watch().take());
        // A loop that is gone already has nothing left to write.
        drop(self.change(|_| ()).await);
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
    pub(crate) fn secrets(&self) -> Arc<Secrets> {
        Arc::clone(&self.inner.secrets)
    }

    /// The open endpoint, if there is one.
    pub(crate) fn serving(&self) -> MutexGuard<'_, Option<Serving>> {
        self.inner.serving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record of what clients did, in an engine that may write.
    pub(crate) fn audit(&self) -> Option<&Audit> {
        self.inner.audit.as_ref()
    }

    /// The present catalog, without looking at the disk.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.inner.published.catalog()
    }

    /// Goes up whenever a skill, one of its files or a choice may look different.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.inner.published.news()
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

    /// Changes the state and returns when the change is published.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, ActionError> {
        self.ask(act).await.map_err(|_| failed(ErrorKind::System, "Skilltender is quitting, so this was not done."))
    }

    /// As [`Engine::change`], for a thread that may wait.
    pub(crate) fn change_here(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        // A loop that is gone has nobody to tell.
        drop(self.ask(act).blocking_recv());
    }

    fn ask<T: Send + 'static>(&self, act: impl FnOnce(&mut State) -> T + Send + 'static) -> oneshot::Receiver<T> {
        let (answer, answered) = oneshot::channel();
        let change = Change::Now(Box::new(move |state| {
            let value = act(state);
            // Whoever asked may have gone.
            Box::new(move || drop(answer.send(value)))
        }));
        // A loop that is gone drops the change and with it the answer, which whoever waits sees.
        drop(self.inner.changes.send(change));
        answered
    }

    /// Changes the state without waiting; published within a quarter of a second.
    pub(crate) fn tell(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        // A loop that is gone has nobody to tell.
        drop(self.inner.changes.send(Change::Soon(Box::new(act))));
    }

    /// Looks at folders of the library again. What it finds is published when this returns.
    pub(crate) async fn sweep(&self, fresh: Fresh) {
        let engine = self.clone();
        // Neither can fail while the engine runs; a stopped one needs no sweep.
        drop(tokio::task::spawn_blocking(move || engine.sweep_here(&fresh)).await);
        drop(self.change(|_| ()).await);
    }

    /// Looks at the whole library again, unless that was done less than `age` ago and everything is
    /// watched. Many may ask at once: one of them looks.
    pub(crate) async fn refresh(&self, age: Duration) {
        let asked = Instant::now();
        let watched = self.inner.watch().as_ref().is_some_and(Watch::healthy);
        let enough = if watched { asked.checked_sub(age).unwrap_or(asked) } else { asked };
        if self.swept_since(enough) {
            return;
        }
        let engine = self.clone();
        let look = move || {
            let library = engine.inner.library();
            if !engine.swept_since(asked) {
                engine.sweep_locked(library, &Fresh::All);
            }
        };
        // As in `sweep`.
        drop(tokio::task::spawn_blocking(look).await);
        drop(self.change(|_| ()).await);
    }

    /// As [`Engine::sweep`], on this thread, and without waiting for the snapshot.
    pub(crate) fn sweep_here(&self, fresh: &Fresh) {
        self.sweep_locked(self.inner.library(), fresh);
    }

    fn sweep_locked(&self, mut library: MutexGuard<'_, Library>, fresh: &Fresh) {
        let started = Instant::now();
        let roots = self.roots();
        if let Some(reading) = library.sweep(&roots, fresh) {
            let announce = self.inner.mode == Mode::Writing;
            // Sent while the library is locked: two sweeps arrive in the order in which they were made.
            drop(self.ask(move |state| state.take(reading, announce)));
        }
        if matches!(fresh, Fresh::All) {
            *self.inner.swept() = Some(started);
        }
        if let Some(watch) = &*self.inner.watch() {
            watch.folders(library.watched(&roots));
        }
    }

    fn swept_since(&self, moment: Instant) -> bool {
        self.inner.swept().is_some_and(|swept| swept >= moment)
    }
}

impl Engine {
    /// Begins to watch the library. Without a watch, lists look at the disk each time.
    pub(crate) fn watch_library(&self) {
        let weak = Arc::downgrade(&self.inner);
        let see = move |seen| {
            if let Some(inner) = weak.upgrade() {
                Self { inner }.see(seen);
            }
        };
        match Watch::start(see) {
            Ok(watch) => {
                watch.folders(self.inner.library().watched(&self.roots()));
                self.inner.files().keys().for_each(|file| watch.file(file.clone()));
                *self.inner.watch() = Some(watch);
            }
            Err(error) => tracing::warn!(%error, "nothing is watched"),
        }
    }

    /// Calls `look` on the watch's thread whenever this file, which need not exist, changed.
    pub(crate) fn watch_file(&self, path: &Path, look: impl Fn(&Self) + Send + Sync + 'static) {
        self.inner.files().insert(path.to_path_buf(), Arc::new(look));
        if let Some(watch) = &*self.inner.watch() {
            watch.file(path.to_path_buf());
        }
    }

    fn see(&self, seen: Seen) {
        match seen {
            Seen::Limited(message) => self.tell(|state| state.notice("watch", message)),
            Seen::Anything => {
                self.sweep_here(&Fresh::All);
                self.look_at_files(|_| true);
            }
            Seen::Places(places) => {
                let files = places.paths.clone();
                self.sweep_here(&Fresh::Only(places));
                self.look_at_files(|file| file.ancestors().any(|above| files.contains(above)));
            }
        }
    }

    fn look_at_files(&self, touched: impl Fn(&Path) -> bool) {
        let looks: Vec<_> =
            self.inner.files().iter().filter(|(file, _)| touched(file)).map(|(_, look)| Arc::clone(look)).collect();
        for look in looks {
            look(self);
        }
    }
}

impl Inner {
    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, Look>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn library(&self) -> MutexGuard<'_, Library> {
        self.library.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn swept(&self) -> MutexGuard<'_, Option<Instant>> {
        self.swept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) -> MutexGuard<'_, Option<Watch>> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The loop, with what it needs to publish and to save.
struct Desk {
    published: Arc<Published>,
    basis: Basis,
    saved: Choices,
    /// The file of the choices, for an engine that may write.
    saves: Option<PathBuf>,
}

impl Desk {
    fn run(mut self, mut state: State, changes: &Receiver<Change>) {
        let mut due: Option<Instant> = None;
        loop {
            let received = match due {
                None => changes.recv().map_err(RecvTimeoutError::from),
                Some(due) => changes.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let first = match received {
                Ok(change) => Some(change),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut replies = Vec::new();
            for change in first.into_iter().chain(changes.try_iter()) {
                match change {
                    Change::Now(act) => replies.push(act(&mut state)),
                    Change::Soon(act) => {
                        act(&mut state);
                        due.get_or_insert_with(|| Instant::now() + SOON);
                    }
                }
            }
            if replies.is_empty() && due.is_some_and(|due| due > Instant::now()) {
                continue;
            }
            due = None;
            self.save(&mut state);
            self.published.publish(&state, &mut self.basis);
            replies.into_iter().for_each(|reply| reply());
        }
    }

    fn save(&mut self, state: &mut State) {
        const NOTICE: &str = "choices-not-saved";
        let Some(path) = self.saves.as_ref().filter(|_| self.saved != state.choices) else { return };
        match store::save(path, &state.choices) {
            Ok(()) => {
                self.saved = state.choices.clone();
                state.notices.retain(|notice| notice.id != NOTICE);
            }
            Err(error) => state.notice(NOTICE, format!("Your choices hold only until you quit: {error}")),
        }
    }
}
