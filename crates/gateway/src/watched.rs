//! Which resources of servers clients watch, and the updates that servers send. A watched server runs until its
//! last watcher is gone; a server that is started again gets the subscriptions again.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use mcp::{Updated, Upstream};
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        watch,
    },
    task::{AbortHandle, JoinSet},
};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How many updates are buffered for a slow receiver.
const WAITING: usize = 256;

/// The number of watchers for each URI of each server.
type Wanted = BTreeMap<String, BTreeMap<String, usize>>;

/// The watched resources. Clones share them.
#[derive(Debug, Clone)]
pub struct Watched {
    wanted: Arc<watch::Sender<Wanted>>,
    told: broadcast::Sender<Updated>,
}

impl Default for Watched {
    fn default() -> Self {
        Self { wanted: Arc::new(watch::Sender::new(Wanted::new())), told: broadcast::Sender::new(WAITING) }
    }
}

impl Watched {
    /// Adds a watcher, until the returned guard is dropped.
    pub fn begin(&self, server: &str, uri: &str) -> DropGuard {
        let (server, uri) = (server.to_owned(), uri.to_owned());
        self.wanted.send_modify(|wanted| {
            *wanted.entry(server.clone()).or_default().entry(uri.clone()).or_default() += 1;
        });
        let (over, wanted) = (CancellationToken::new(), Arc::clone(&self.wanted));
        let guard = over.clone().drop_guard();
        tokio::spawn(async move {
            over.cancelled().await;
            wanted.send_modify(|wanted| forget(wanted, &server, &uri));
        });
        guard
    }

    /// Whether anything of a server is watched.
    pub fn is_of(&self, server: &str) -> bool {
        self.wanted.borrow().contains_key(server)
    }

    /// The updates from servers.
    pub fn updates(&self) -> broadcast::Receiver<Updated> {
        self.told.subscribe()
    }

    /// Subscribes at a running server to its watched resources, for as long as this future is polled.
    pub(crate) async fn follow(self, server: String, upstream: Upstream) {
        let (mut wanted, mut updates) = (self.wanted.subscribe(), upstream.updates());
        let (mut watching, mut by_uri) = (JoinSet::new(), HashMap::<String, AbortHandle>::new());
        loop {
            let now = wanted.borrow_and_update().get(&server).cloned().unwrap_or_default();
            by_uri.retain(|uri, task| {
                let stays = now.contains_key(uri);
                if !stays {
                    task.abort();
                }
                stays
            });
            for uri in now.into_keys().filter(|uri| !by_uri.contains_key(uri)).collect::<Vec<_>>() {
                let (upstream, watched) = (upstream.clone(), uri.clone());
                let task = watching.spawn(async move { upstream.watch(&watched).await });
                by_uri.insert(uri, task);
            }
            loop {
                tokio::select! {
                    changed = wanted.changed() => match changed {
                        Ok(()) => break,
                        Err(_) => return,
                    },
                    Some(_) = watching.join_next() => {}
                    updated = updates.recv() => match updated {
                        // Perhaps no client is connected any more.
                        Ok(uri) => drop(self.told.send(Updated { server: server.clone(), uri })),
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => return,
                    },
                }
            }
        }
    }
}

fn forget(wanted: &mut Wanted, server: &str, uri: &str) {
    let Some(uris) = wanted.get_mut(server) else { return };
    if let Some(count) = uris.get_mut(uri) {
        *count -= 1;
        if *count == 0 {
            uris.remove(uri);
        }
    }
    if uris.is_empty() {
        wanted.remove(server);
    }
}
