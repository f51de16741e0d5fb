//! Which servers run: at most one run for each name, started by the first call, and never an unapproved one.
//!
//! A run that ends is kept here until all of it is gone, and the next one waits for that. Only the run reports
//! its server's state ([`run`]).

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use files::Digests;
use machine::{
    Machine,
    waiting::{Mutex, MutexGuard},
};
use secrets::Secrets;
use state::StateHandle;
use tokio::time::timeout;

use crate::{shared::Shared, sign_ins::SignIns, watched::Watched};

/// A server that ended this often within [`CRASHES_WITHIN`] is not started again until a person asks for it.
pub(crate) const CRASHES: usize = 5;
pub(crate) const CRASHES_WITHIN: Duration = Duration::from_secs(120);
/// The pause before a restart; it doubles with every end.
pub(crate) const PAUSE: Duration = Duration::from_secs(1);
/// How long all servers together may take to end when the engine stops. The supervisors end the rest when they
/// see the engine go.
const FAREWELL: Duration = Duration::from_secs(8);

/// The running servers. Cheap to clone; when the last clone is dropped, the servers end.
#[derive(Clone)]
pub struct Gateway {
    inner: Arc<Inner>,
}

/// What the gateway works with.
pub struct Parts {
    /// The machine that servers run on.
    pub machine: Arc<Machine>,
    /// The secrets that servers are given.
    pub secrets: Secrets,
    /// The digests of the skills' files.
    pub digests: Arc<Digests>,
    /// The state: what may run, and what is observed of it.
    pub state: StateHandle,
    /// Called whenever a server has ended: what it needed can be given back.
    pub over: Box<dyn Fn() + Send + Sync>,
}

struct Inner {
    parts: Parts,
    servers: Mutex<Servers>,
    /// The resources that clients watch.
    watched: Watched,
    /// The pending sign-ins.
    sign_ins: SignIns,
    /// The number of looks at what is wanted.
    looks: AtomicU64,
    /// Whether clients are served, so that servers run here.
    serves: AtomicBool,
}

#[derive(Default)]
pub(crate) struct Servers {
    pub(crate) by_name: BTreeMap<String, Server>,
    /// Whether the engine is stopping: nothing is started any more.
    pub(crate) closed: bool,
}

/// One server, running or not.
#[derive(Default)]
pub(crate) struct Server {
    /// Its last run, which may be running, ending, or over.
    pub(crate) run: Option<Arc<Shared>>,
    /// When it ended by itself, though it had started.
    crashes: Vec<Instant>,
}

impl Gateway {
    /// A gateway in which nothing runs yet.
    pub fn new(parts: Parts) -> Self {
        Self {
            inner: Arc::new(Inner {
                parts,
                servers: Mutex::default(),
                watched: Watched::default(),
                sign_ins: SignIns::default(),
                looks: AtomicU64::default(),
                serves: AtomicBool::default(),
            }),
        }
    }

    pub(crate) fn machine(&self) -> &Arc<Machine> {
        &self.inner.parts.machine
    }

    pub(crate) fn secrets(&self) -> Secrets {
        self.inner.parts.secrets.clone()
    }

    pub(crate) fn digests(&self) -> &Arc<Digests> {
        &self.inner.parts.digests
    }

    pub(crate) fn state(&self) -> &StateHandle {
        &self.inner.parts.state
    }

    /// Says that a server has ended.
    pub(crate) fn is_over(&self) {
        (self.inner.parts.over)();
    }

    /// A weak reference, for tasks that must not keep the servers alive.
    pub(crate) fn downgrade(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let weak = Arc::downgrade(&self.inner);
        move || weak.upgrade().map(|inner| Self { inner })
    }

    /// Whether clients are served, so that servers run here.
    pub fn serves(&self) -> bool {
        self.inner.serves.load(Ordering::SeqCst)
    }

    /// Says whether clients are served from now on.
    pub fn set_serves(&self, serves: bool) {
        self.inner.serves.store(serves, Ordering::SeqCst);
    }

    /// The pending sign-ins.
    pub fn sign_ins(&self) -> &SignIns {
        &self.inner.sign_ins
    }

    /// The resources that clients watch.
    pub fn watched(&self) -> &Watched {
        &self.inner.watched
    }

    /// The number of the next look at what is wanted, from 1.
    pub(crate) fn next_look(&self) -> u64 {
        self.inner.looks.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Stops a server and returns when all of it is gone.
    pub async fn stop(&self, name: &str) {
        let run = self.servers().by_name.get(name).and_then(|server| server.run.clone());
        if let Some(run) = run {
            run.stop.cancel();
            run.ended().await;
        }
    }

    /// Records that a server ended by itself, and returns a sentence if that was once too often.
    pub(crate) fn crashed(&self, name: &str) -> Option<String> {
        let mut servers = self.servers();
        let server = servers.by_name.entry(name.to_owned()).or_default();
        server.crashed(Instant::now()).then(|| too_often(name))
    }

    /// The pause before a server is started; `None` if it ended too often.
    pub(crate) fn pause(&self, name: &str) -> Option<Duration> {
        let now = Instant::now();
        self.servers().by_name.get(name).map_or(Some(Duration::ZERO), |server| server.pause(now))
    }

    /// Lets a server that ended too often be started again.
    pub(crate) fn forget_crashes(&self, name: &str) {
        if let Some(server) = self.servers().by_name.get_mut(name) {
            server.crashes.clear();
        }
    }

    /// Stops all servers for good.
    pub async fn stop_all(&self) {
        let runs: Vec<_> = {
            let mut servers = self.servers();
            servers.closed = true;
            servers.by_name.values().filter_map(|server| server.run.clone()).collect()
        };
        runs.iter().for_each(|run| run.stop.cancel());
        let ended = async {
            for run in &runs {
                run.ended().await;
            }
        };
        if timeout(FAREWELL, ended).await.is_err() {
            tracing::warn!("Some servers did not end in time.");
        }
    }

    /// What a server wrote in its last run, with the time of each line.
    pub fn log(&self, name: &str) -> Vec<(u64, String)> {
        let run = self.servers().by_name.get(name).and_then(|server| server.run.clone());
        run.map(|run| run.lines()).unwrap_or_default()
    }

    pub(crate) fn servers(&self) -> MutexGuard<'_, Servers> {
        self.inner.servers.lock()
    }
}

impl Drop for Inner {
    /// Stops every run, also when the engine is dropped without being stopped.
    fn drop(&mut self) {
        let servers = self.servers.lock();
        servers.by_name.values().filter_map(|server| server.run.as_ref()).for_each(|run| run.stop.cancel());
    }
}

impl Server {
    /// Records that it ended by itself, and returns whether that was once too often: then it waits for a person,
    /// however long that takes.
    pub(crate) fn crashed(&mut self, now: Instant) -> bool {
        self.crashes.retain(|&at| counts(at, now));
        self.crashes.push(now);
        self.crashes.len() >= CRASHES
    }

    /// The pause before a restart, which only recent crashes lengthen; `None` if it ended too often.
    pub(crate) fn pause(&self, now: Instant) -> Option<Duration> {
        if self.crashes.len() >= CRASHES {
            return None;
        }
        let recent = self.crashes.iter().filter(|&&at| counts(at, now)).count();
        Some(recent.checked_sub(1).map_or(Duration::ZERO, |doublings| PAUSE * (1 << doublings)))
    }
}

/// Whether a crash still counts.
fn counts(at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(at) < CRASHES_WITHIN
}

/// The sentence about a server that is not started again until a person asks for it.
pub(crate) fn too_often(name: &str) -> String {
    format!(
        "{name} was stopped because it ended {CRASHES} times within {} seconds. Look at what it wrote with `skilltender servers log {name}` or under Servers in Skilltender's window, then restart it there or with `skilltender servers restart {name}`.",
        CRASHES_WITHIN.as_secs()
    )
}
