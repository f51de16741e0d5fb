//! What the loop publishes: one immutable snapshot for the window and the tray, one catalog for serving.
//! Readers compare the old and the new one themselves.

use std::{collections::BTreeSet, sync::Arc};

use api::Snapshot;
use arc_swap::ArcSwap;
use choices::Settings;
use library::Root;
use mcp::Surfaces;
use servers::{Offers, Requirement, Servers};
use skills::{Catalog, Entry};
use tokio::sync::watch;

pub(crate) mod inputs;

use self::inputs::Inputs;
use crate::{build_snapshot, remark, sets::Catalogs, state::State};

/// The published state for readers. Only the loop writes here.
#[derive(Debug)]
pub struct Published {
    snapshots: watch::Sender<Arc<Snapshot>>,
    catalogs: ArcSwap<Catalogs>,
    roots: ArcSwap<Vec<Root>>,
    settings: ArcSwap<Settings>,
    news: watch::Sender<u64>,
    offers: ArcSwap<Offers>,
    servers: ArcSwap<Servers>,
    inputs: ArcSwap<Inputs>,
    wants: watch::Sender<u64>,
}

impl Published {
    /// The first snapshot.
    pub fn new(state: &State) -> (Self, Inputs) {
        let catalogs = catalogs(state);
        let inputs = Inputs::of(state);
        let rows = build_snapshot::rows(&state.machine, &inputs, catalogs.all());
        let offers = offers(state);
        let published = Self {
            snapshots: watch::Sender::new(Arc::new(build_snapshot::snapshot(state, &catalogs, &offers, rows, 0))),
            catalogs: ArcSwap::from_pointee(catalogs),
            roots: ArcSwap::from_pointee(state.roots()),
            settings: ArcSwap::from_pointee(state.choices.settings.clone()),
            news: watch::Sender::new(0),
            offers: ArcSwap::from_pointee(offers),
            servers: ArcSwap::from_pointee(state.servers.clone()),
            inputs: ArcSwap::from_pointee(inputs.clone()),
            wants: watch::Sender::new(0),
        };
        (published, inputs)
    }

    /// Publishes what has changed.
    pub fn publish(&self, state: &State, inputs: &mut Inputs) {
        let same_approvals = Arc::ptr_eq(&inputs.servers.approvals, &state.servers.approvals);
        let same_adopted = Arc::ptr_eq(&inputs.servers.adopted, &state.servers.adopted);
        let same_given = *inputs.given == state.given;
        let same_servers = inputs.servers.stand_as(&state.servers);
        let same_present = *inputs.present == state.present();
        let may_withhold = state.choices.servers.withhold && !(same_given && same_servers && same_present);
        let same_library =
            Arc::ptr_eq(&inputs.reading, &state.reading) && *inputs.choices == *state.choices && !may_withhold;
        if !same_library {
            self.roots.store(Arc::new(state.roots()));
            self.settings.store(Arc::new(state.choices.settings.clone()));
            self.catalogs.store(Arc::new(catalogs(state)));
        }
        let (before, catalogs) = (self.snapshot(), self.catalogs.load());
        let same_examined = Arc::ptr_eq(&inputs.examined, &state.examined);
        if !same_servers {
            self.servers.store(Arc::new(state.servers.clone()));
        }
        let same_rows = same_library && same_examined && same_given && same_servers;
        let same_offers = same_library && same_servers && self.knows(state);
        let told_apart = if same_offers { false } else { self.offer(state, same_library) };
        let offers = self.offers.load();
        if !(same_rows && same_present) {
            *inputs = Inputs::of(state);
            self.inputs.store(Arc::new(inputs.clone()));
        }
        let rows = if same_rows {
            before.skills.clone()
        } else {
            build_snapshot::rows(&state.machine, inputs, catalogs.all())
        };
        let mut after = build_snapshot::snapshot(state, &catalogs, &offers, rows, before.revision);
        if !after.skills.still(&before.skills) || after != *before {
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

    fn knows(&self, state: &State) -> bool {
        self.offers.load().knows(&state.opened, &state.present())
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

    /// What one client may see of the catalog.
    pub fn catalog_of(&self, client: &str) -> Arc<Catalog> {
        Arc::clone(self.catalogs.load().of_client(client))
    }

    /// The library's present folders.
    pub fn roots(&self) -> Arc<Vec<Root>> {
        self.roots.load_full()
    }

    /// What this client may use now.
    pub fn surfaces(&self, client: &str) -> Surfaces {
        self.settings.load().surfaces(client)
    }

    /// What servers offer to clients.
    pub fn offers(&self) -> Arc<Offers> {
        self.offers.load_full()
    }

    /// The server of this name, if it may run.
    pub fn agreed(&self, server: &str) -> Result<Requirement, String> {
        self.servers.load().agreed(server)
    }

    /// The approved servers whose tools are still unknown.
    pub fn unseen(&self) -> Vec<Requirement> {
        self.servers.load().unseen()
    }

    /// Why a client is not offered a tool or prompt of a server by this exposed name, if that is known.
    pub fn not_offered(&self, client: &str, name: &str) -> Option<String> {
        let (servers, catalogs) = (self.servers.load(), self.catalogs.load());
        let want = servers.named(name).filter(|want| want.users.iter().any(|key| catalogs.gives(client, key)))?;
        servers.out_of_use(want).or_else(|| self.offers.load().clash(name))
    }

    /// The text for a client's agent about a skill that is not ready. Servers in the client's own file count as
    /// present.
    pub fn remark(&self, client: &str, entry: &Entry) -> Option<String> {
        let (inputs, catalogs) = (self.inputs.load(), self.catalogs.load());
        let none = BTreeSet::new();
        let present = inputs.present.get(client).map_or(&none, |present| &**present);
        remark::of(&inputs.given, &inputs.servers, catalogs.all(), entry, present)
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
    Catalogs::new(all, &state.choices, &withheld, &ready)
}
