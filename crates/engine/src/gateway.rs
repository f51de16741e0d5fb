//! Which servers run: at most one run for each name, started by the first call, and never an unapproved one.
//!
//! A run that ends is kept here until all of it is gone, and the next one waits for that. Only the run reports
//! its server's state ([`run`]).

mod calls;
mod containers;
pub mod direct;
mod keep_up;
mod look;
mod references;
mod run;
mod shared;
pub(crate) mod sign_in;
mod sign_ins;
mod start;
mod watched;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use machine::waiting::{Mutex, MutexGuard};
use tokio::time::timeout;

pub(crate) use self::{
    containers::ask_for_containers,
    keep_up::keep_up,
    look::{keep_truth, look_now},
    sign_ins::SignIns,
};
use self::{shared::Shared, watched::Watched};

/// A server that ended this often within [`CRASHES_WITHIN`] is not started again until a person asks for it.
const CRASHES: usize = 5;
const CRASHES_WITHIN: Duration = Duration::from_secs(120);
/// The pause before a restart; it doubles with every end.
const PAUSE: Duration = Duration::from_secs(1);
/// How long all servers together may take to end when the engine stops. The supervisors end the rest when they
/// see the engine go.
const FAREWELL: Duration = Duration::from_secs(8);

/// The running servers.
#[derive(Default)]
pub(crate) struct Gateway {
    servers: Mutex<Servers>,
    /// The resources that clients watch.
    watched: Watched,
    /// The number of looks at what is wanted.
    looks: AtomicU64,
}

#[derive(Default)]
struct Servers {
    by_name: BTreeMap<String, Server>,
    /// Whether the engine is stopping: nothing is started any more.
    closed: bool,
}

/// One server, running or not.
#[derive(Default)]
struct Server {
    /// Its last run, which may be running, ending, or over.
    run: Option<Arc<Shared>>,
    /// When it ended by itself.
    crashes: Vec<Instant>,
}

impl Gateway {
    /// The resources that clients watch.
    pub(crate) fn watched(&self) -> &Watched {
        &self.watched
    }

    /// The number of the next look at what is wanted, from 1.
    pub(crate) fn next_look(&self) -> u64 {
        self.looks.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Stops a server and returns when all of it is gone.
    pub(crate) async fn stop(&self, name: &str) {
        let run = self.servers().by_name.get(name).and_then(|server| server.run.clone());
        if let Some(run) = run {
            run.stop.cancel();
            run.ended().await;
        }
    }

    /// Records that a server ended by itself, and returns a sentence if that was once too often.
    pub(super) fn crashed(&self, name: &str) -> Option<String> {
        let mut servers = self.servers();
        let server = servers.by_name.entry(name.to_owned()).or_default();
        server.crashes.push(Instant::now());
        server.crashes.retain(|at| at.elapsed() < CRASHES_WITHIN);
        (server.crashes.len() >= CRASHES).then(|| too_often(name))
    }

    /// The pause before a server is started; `None` if it ended too often.
    fn pause(&self, name: &str) -> Option<Duration> {
        self.servers().by_name.get(name).map_or(Some(Duration::ZERO), Server::pause)
    }

    /// Lets a server that ended too often be started again.
    pub(crate) fn forget_crashes(&self, name: &str) {
        if let Some(server) = self.servers().by_name.get_mut(name) {
            server.crashes.clear();
        }
    }

    /// Stops all servers for good.
    pub(crate) async fn stop_all(&self) {
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
    pub(crate) fn log(&self, name: &str) -> Vec<(u64, String)> {
        let run = self.servers().by_name.get(name).and_then(|server| server.run.clone());
        run.map(|run| run.lines()).unwrap_or_default()
    }

    fn servers(&self) -> MutexGuard<'_, Servers> {
        self.servers.lock()
    }
}

impl Drop for Gateway {
    /// Stops every run, also when the engine is dropped without being stopped.
    fn drop(&mut self) {
        let servers = self.servers();
        servers.by_name.values().filter_map(|server| server.run.as_ref()).for_each(|run| run.stop.cancel());
    }
}

impl Server {
    /// The pause before a restart; `None` if it ended too often.
    fn pause(&self) -> Option<Duration> {
        match self.crashes.len() {
            0 => Some(Duration::ZERO),
            crashes if crashes < CRASHES => Some(PAUSE * 2u32.saturating_pow(u32::try_from(crashes).ok()? - 1)),
            _ => None,
        }
    }
}

/// The sentence about a server that is not started again until a person asks for it.
fn too_often(name: &str) -> String {
    format!(
        "{name} was stopped because it ended {CRASHES} times within {} seconds. Look at what it wrote with `skilltender servers log {name}` or under Servers in Skilltender's window, then restart it there or with `skilltender servers restart {name}`.",
        CRASHES_WITHIN.as_secs()
    )
}
