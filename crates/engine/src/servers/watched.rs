//! Which resources of servers clients watch, and what the servers tell of them. Who watches one lets its server run until
//! nobody watches any more; a server that is started anew is told anew.

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

/// So many resources that changed wait for whoever is told.
const WAITING: usize = 256;

/// How many watch each URI of each server.
type Wanted = BTreeMap<String, BTreeMap<String, usize>>;

/// What is watched. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    wanted: Arc<watch::Sender<Wanted>>,
    told: broadcast::Sender<Updated>,
}

impl Default for Watched {
    fn default() -> Self {
        Self { wanted: Arc::new(watch::Sender::new(Wanted::new())), told: broadcast::Sender::new(WAITING) }
    }
}

impl Watched {
    /// One more watches this, until what is returned is dropped.
    pub(super) fn begin(&self, server: &str, uri: &str) -> DropGuard {
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

    /// Whether somebody watches something of a server.
    pub(super) fn is_of(&self, server: &str) -> bool {
        self.wanted.borrow().contains_key(server)
    }

    /// What servers tell.
    pub(crate) fn updates(&self) -> broadcast::Receiver<Updated> {
        self.told.subscribe()
    }

    /// Lets a server that runs tell what is watched of it, for as long as this is waited for.
    pub(super) async fn follow(self, server: String, upstream: Upstream) {
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
                        // Perhaps no client is here any more.
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
