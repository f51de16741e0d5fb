//! What the loop publishes: the state itself, one immutable snapshot of it for the window and the tray, and the catalog
//! for serving. Readers compare the old and the new one themselves.

use std::{collections::BTreeSet, sync::Arc};

use api::{ActionError, ErrorKind, Snapshot, failed};
use arc_swap::ArcSwap;
use library::Root;
use mcp::{Caller, Offered, Surfaces};
use servers::{Offers, Requirement};
use skills::{Catalog, Entry};
use tokio::sync::watch;

use crate::{build_snapshot, remark, sets::Catalogs, state::State};

/// The published state for readers. Only the loop writes here.
#[derive(Debug)]
pub struct Published {
    state: ArcSwap<State>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    catalogs: ArcSwap<Catalogs>,
    roots: ArcSwap<Vec<Root>>,
    news: watch::Sender<u64>,
    offers: ArcSwap<Offers>,
    wants: watch::Sender<u64>,
}

impl Published {
    /// The first snapshot.
    pub(crate) fn new(state: &State) -> Self {
        let (state, catalogs, offers) = (Arc::new(state.clone()), catalogs(state), offers(state));
        let roots = state.roots();
        let rows = build_snapshot::rows(&state, catalogs.all());
        let snapshot = build_snapshot::snapshot(&state, &catalogs, &offers, rows, 0);
        Self {
            state: ArcSwap::new(state),
            roots: ArcSwap::from_pointee(roots),
            snapshots: watch::Sender::new(Arc::new(snapshot)),
            catalogs: ArcSwap::from_pointee(catalogs),
            news: watch::Sender::new(0),
            offers: ArcSwap::from_pointee(offers),
            wants: watch::Sender::new(0),
        }
    }

    /// Publishes what has changed.
    pub(crate) fn publish(&self, state: &State) {
        let (old, state) = (self.now(), Arc::new(state.clone()));
        let same_approvals = Arc::ptr_eq(&old.servers.approvals, &state.servers.approvals);
        let same_adopted = Arc::ptr_eq(&old.servers.adopted, &state.servers.adopted);
        let same_given = old.given == state.given;
        let same_servers = old.servers.same_status(&state.servers);
        let present = state.present();
        let same_present = old.present() == present;
        let may_withhold = state.choices.servers.withhold && !(same_given && same_servers && same_present);
        let same_skills = Arc::ptr_eq(&old.reading, &state.reading) && Arc::ptr_eq(&old.harmful, &state.harmful);
        let same_library = same_skills && old.choices == state.choices && !may_withhold;
        self.state.store(Arc::clone(&state));
        if !same_library {
            self.roots.store(Arc::new(state.roots()));
            self.catalogs.store(Arc::new(catalogs(&state)));
        }
        let (before, catalogs) = (self.snapshot(), self.catalogs.load());
        let same_examined = Arc::ptr_eq(&old.examined, &state.examined);
        let same_origins = Arc::ptr_eq(&old.origins, &state.origins);
        let same_rows = same_library && same_examined && same_given && same_servers && same_origins;
        let same_offers = same_library && same_servers && self.offers.load().knows(&state.opened, &present);
        let told_apart = if same_offers { false } else { self.offer(&state, same_library) };
        let offers = self.offers.load();
        let rows = if same_rows { before.skills.clone() } else { build_snapshot::rows(&state, catalogs.all()) };
        let mut after = build_snapshot::snapshot(&state, &catalogs, &offers, rows, before.revision);
        if !after.skills.is_unchanged(&before.skills) || after != *before {
            after.revision += 1;
            self.snapshots.send_replace(Arc::new(after));
        }
        if !same_library || told_apart {
            self.news.send_modify(|news| *news += 1);
        }
        if !same_library || !same_given || !same_approvals || !same_adopted {
            self.wants.send_modify(|wants| *wants += 1);
        }
    }

    /// Publishes what servers offer now, and returns whether clients may be notified.
    fn offer(&self, state: &State, same_library: bool) -> bool {
        let now = offers(state);
        let same = now.same(&self.offers.load());
        if !same || !same_library {
            self.offers.store(Arc::new(now));
        }
        !same
    }

    /// The present state.
    pub fn now(&self) -> Arc<State> {
        self.state.load_full()
    }

    /// The present snapshot.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshots.borrow())
    }

    /// The present snapshot and later ones.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.subscribe()
    }

    /// The present catalog.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(self.catalogs.load().all())
    }

    /// The skill of this key.
    ///
    /// # Errors
    /// When it does not exist (any more).
    pub fn entry(&self, key: &str) -> Result<Arc<Entry>, ActionError> {
        let entry = self.catalogs.load().all().by_key(key).cloned();
        let id = key.rsplit('/').next().unwrap_or(key);
        entry.ok_or_else(|| failed(ErrorKind::NotFound, format!("There is no skill {id} any more.")))
    }

    /// What one client may see of the catalog.
    pub fn catalog_of(&self, client: &str) -> Arc<Catalog> {
        Arc::clone(self.catalogs.load().of_client(client))
    }

    /// What a client may see of the catalog where it works.
    pub fn catalog_for(&self, caller: &Caller) -> Arc<Catalog> {
        self.catalogs.load().of_caller(caller)
    }

    /// What each client sees.
    pub fn catalogs(&self) -> Arc<Catalogs> {
        self.catalogs.load_full()
    }

    /// Whether a set is bound to a folder.
    pub fn binds_folders(&self) -> bool {
        self.state.load().choices.binds_folders()
    }

    /// The library's present folders.
    pub fn roots(&self) -> Arc<Vec<Root>> {
        self.roots.load_full()
    }

    /// What this client may use now.
    pub fn surfaces(&self, client: &str) -> Surfaces {
        self.state.load().choices.settings.surfaces(client)
    }

    /// What servers offer to clients.
    pub fn offers(&self) -> Arc<Offers> {
        self.offers.load_full()
    }

    /// What servers offer to one client.
    pub fn offered(&self, caller: &Caller) -> Offered {
        self.offers.load().of_client(&caller.client, &self.catalog_for(caller))
    }

    /// The server of this name, if it may run.
    ///
    /// # Errors
    /// Why it may not, as a sentence.
    pub fn agreed(&self, server: &str) -> Result<Requirement, String> {
        self.state.load().servers.agreed(server)
    }

    /// The approved servers whose tools are still unknown.
    pub fn unseen(&self) -> Vec<Requirement> {
        self.state.load().servers.unseen()
    }

    /// Why a client is not offered a tool or prompt of a server by this exposed name, if that is known.
    pub fn not_offered(&self, caller: &Caller, name: &str) -> Option<String> {
        let (state, catalogs) = (self.state.load(), self.catalogs.load());
        let servers = &state.servers;
        let want = servers.named(name).filter(|want| want.users.iter().any(|key| catalogs.gives(caller, key)))?;
        servers.out_of_use(want).or_else(|| self.offers.load().clash(name))
    }

    /// The text for a client's agent about a skill that is not ready. Servers in the client's own file count as
    /// present.
    pub fn remark(&self, client: &str, entry: &Entry) -> Option<String> {
        let (state, catalogs) = (self.state.load(), self.catalogs.load());
        let present = state.clients.get(client).and_then(|facts| facts.file.as_ref()).map(|file| &*file.present);
        let none = BTreeSet::new();
        remark::of(&state.given, &state.servers, catalogs.all(), entry, present.unwrap_or(&none))
    }

    /// Incremented when the servers that skills require may have changed.
    pub fn wants(&self) -> watch::Receiver<u64> {
        self.wants.subscribe()
    }

    /// Incremented when a skill, one of its files or a choice may have changed.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}

fn offers(state: &State) -> Offers {
    Offers::of(&state.servers, &state.choices.servers, &state.opened, &state.present())
}

fn catalogs(state: &State) -> Catalogs {
    let all = build_snapshot::catalog(state);
    let withheld =
        if state.choices.servers.withhold { build_snapshot::not_ready(state, &all) } else { BTreeSet::new() };
    let ready = build_snapshot::ready_for_some(state, &all, &withheld);
    Catalogs::new(all, &state.choices, &state.machine.home, &withheld, &ready)
}
