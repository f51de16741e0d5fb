//! The running engine, as everything that works for it holds it. Its start and its stop are left to `run` and `ending`.
//!
//! One loop, on a thread of its own, owns the [`State`](state::State). Actions, the watcher and the endpoint
//! send it changes; after each batch it publishes one snapshot, if that differs from the last. The disk is read
//! elsewhere, so the loop never waits for a slow folder.

mod cache;
mod ending;
mod examine;
mod follow;
#[cfg(test)]
mod hanging;
mod rest;
pub(crate) mod run;
mod scan;
pub(crate) mod serving;
#[cfg(test)]
mod staleness;

use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Instant,
};

use api::Snapshot;
use arc_swap::{ArcSwap, ArcSwapOption};
use fetch::Cancel;
use files::Digests;
use gateway::Gateway;
use library::{
    Library, Unread,
    disk_latency::Pace,
    search::Search,
    watch::{Fence, Watch},
};
use machine::{
    Machine, Mode,
    lock::Lock,
    waiting::{Mutex, MutexGuard, Turn, TurnGuard},
};
use mcp::MemoryBudget;
use secrets::Secrets;
use state::StateHandle;
use tokio::sync::{Notify, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use self::{
    rest::{Rest, Work},
    serving::Serving,
};
use crate::audit::{Audit, usage::Usage};

/// The running application without a window. Cheap to clone; it ends when its last clone is dropped.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    machine: Arc<Machine>,
    mode: Mode,
    state: StateHandle,
    library: Turn<Library>,
    /// How many skills the library has looked at since the start.
    looked_at: Arc<AtomicU32>,
    /// When the last full scan of the library began.
    swept: Mutex<Option<Instant>>,
    /// Around the first reading, until another scan or the watch takes its place.
    fence: ArcSwapOption<Fence>,
    /// Whether that scan was incomplete because no more files could be opened.
    short: AtomicBool,
    /// What exists in the library but cannot be read.
    unread: ArcSwap<Vec<Unread>>,
    /// Told when a reading of the library differs from the one before.
    reread: Arc<Notify>,
    /// The digest of the library's cache on the disk.
    cached: Mutex<Option<[u8; 32]>>,
    watch: Mutex<Option<Watch>>,
    digests: Arc<Digests>,
    /// The memory budget for large answers.
    room: MemoryBudget,
    pace: Pace,
    rest: Arc<Rest>,
    /// Ends what follows the rest.
    _ends: DropGuard,
    secrets: Secrets,
    serving: Mutex<Option<Serving>>,
    /// Empty until the first search.
    search: Turn<Search>,
    /// The record of client calls, in an engine that serves.
    audit: OnceLock<Audit>,
    /// The count of what calls use, in an engine that serves.
    usage: OnceLock<Usage>,
    /// Held while clients' files are read or written, so that their states are reported in order.
    client_files: Turn<ClientFilesLock>,
    /// Whether the engine is stopping: it no longer watches anything or writes clients' files.
    stopping: AtomicBool,
    /// Held while the tokens of clients are changed.
    tokens: Turn<()>,
    /// Cancelled once another program has asked this one to end.
    end_asked: CancellationToken,
    /// Watched files outside the library, with their callbacks.
    files: Mutex<HashMap<PathBuf, Look>>,
    /// Ends what is being fetched.
    cancel: Mutex<Cancel>,
    /// The running servers that skills need.
    gateway: Gateway,
    /// The lock of an engine that writes without serving, held until it ends.
    _alone: Option<Lock>,
}

/// What is guarded by the lock that every reader and writer of clients' files takes.
#[derive(Debug, Default)]
pub(crate) struct ClientFilesLock {
    /// The clients that are expected to quit.
    pub(crate) waiting: BTreeSet<String>,
}

type Look = Arc<dyn Fn(&Engine) + Send + Sync>;

impl Engine {
    /// Offers packed skills while this engine runs, regardless of the user's setting.
    pub async fn offer_archives(&self) {
        // If the loop has ended, no client is served.
        drop(self.state().change(|state| state.archives = true).await);
    }

    /// The state, for reading and changing it.
    pub(crate) fn state(&self) -> &StateHandle {
        &self.inner.state
    }

    /// Ends when another program of ours asks this one to end, in order to take its place. Whoever runs an engine with an
    /// endpoint listens to it as to a signal of the system.
    pub fn asked_to_end(&self) -> impl Future<Output = ()> + use<> {
        self.inner.end_asked.clone().cancelled_owned()
    }

    /// Asks the program that runs this engine to end.
    pub(crate) fn ask_to_end(&self) {
        self.inner.end_asked.cancel();
    }

    /// The current snapshot.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.state.snapshot()
    }

    /// The current snapshot and later ones.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.inner.state.snapshots()
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
    pub(crate) fn downgrade(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let weak = Arc::downgrade(&self.inner);
        move || weak.upgrade().map(|inner| Self { inner })
    }

    /// The digests of the skills' files.
    pub(crate) fn digests(&self) -> &Arc<Digests> {
        &self.inner.digests
    }

    /// The engine works by itself, with code that is not needed again soon, until the result is dropped.
    pub(crate) fn works(&self) -> Work {
        self.inner.rest.works()
    }

    /// Somebody asks for something.
    pub(crate) fn asked(&self) {
        self.inner.rest.asked();
    }

    /// The memory budget for large answers.
    pub(crate) fn room_for_answers(&self) -> &MemoryBudget {
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

    /// Records this engine's answers although it does not write: it serves one client while no other engine runs.
    pub(crate) fn record_alone(&self) {
        match Audit::start_alone(self.machine().data.join("audit")) {
            Ok(audit) => drop(self.inner.audit.set(audit)),
            Err(error) => tracing::warn!("Calls are not recorded: {error}."),
        }
        self.count_usage(true);
    }

    /// Counts what the calls of this engine's clients use. `alone`: no engine writes, and this one may end with its client.
    pub(crate) fn count_usage(&self, alone: bool) {
        match Usage::start(self, alone) {
            Ok(usage) => drop(self.inner.usage.set(usage)),
            Err(error) => tracing::warn!("What calls use is not counted: {error}."),
        }
    }

    /// The count of what calls use, in an engine that serves.
    pub(crate) fn usage(&self) -> Option<&Usage> {
        self.inner.usage.get()
    }

    /// The record of client calls, in an engine that may write.
    pub(crate) fn audit(&self) -> Option<&Audit> {
        self.inner.audit.get()
    }

    /// Takes the lock on clients' files.
    pub(crate) fn client_files(&self) -> TurnGuard<'_, ClientFilesLock> {
        self.inner.client_files.wait()
    }

    /// Whether clients' files may still be written. Checked by the lock's holder right before each write.
    pub(crate) fn may_write_client_files(&self) -> bool {
        !self.inner.stopping.load(Ordering::SeqCst)
    }

    /// Takes the lock on clients' tokens.
    pub(crate) fn tokens_turn(&self) -> TurnGuard<'_, ()> {
        self.inner.tokens.wait()
    }

    /// What ends a fetch that begins now.
    pub(crate) fn cancel(&self) -> Cancel {
        self.inner.cancel.lock().clone()
    }

    /// Ends what is being fetched; what begins after that is not.
    pub(crate) fn cancel_now(&self) {
        std::mem::take(&mut *self.inner.cancel.lock()).now();
    }

    /// The search index.
    pub(crate) fn search(&self) -> &Turn<Search> {
        &self.inner.search
    }

    /// The running servers.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.inner.gateway
    }

    /// Whether this engine serves clients, so that servers run in it.
    pub(crate) fn serves(&self) -> bool {
        self.gateway().serves()
    }
}
