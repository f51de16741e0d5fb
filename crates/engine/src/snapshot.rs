//! What the loop publishes: one immutable snapshot for the window and the tray, one catalog for
//! whoever serves skills. Readers compare the old and the new one themselves.

use std::sync::Arc;

use arc_swap::ArcSwap;
use mcp::Surfaces;
use skills::Catalog;
use tokio::sync::watch;

use crate::{
    choices::{Choices, Settings},
    engine::Examined,
    library::{Reading, Root},
    project,
    sets::Catalogs,
    state::{Given, State},
    view::Snapshot,
};

/// Where readers look. Only the loop writes here.
#[derive(Debug)]
pub(crate) struct Published {
    snapshots: watch::Sender<Arc<Snapshot>>,
    catalogs: ArcSwap<Catalogs>,
    roots: ArcSwap<Vec<Root>>,
    settings: ArcSwap<Settings>,
    news: watch::Sender<u64>,
}

/// What the last snapshot was made from, so that the catalog is made anew only when it must.
#[derive(Debug, Clone)]
pub(crate) struct Basis {
    reading: Arc<Reading>,
    pub(crate) choices: Arc<Choices>,
    pub(crate) given: Arc<Given>,
    pub(crate) examined: Arc<Examined>,
}

impl Basis {
    fn of(state: &State) -> Self {
        let (choices, given) = (Arc::new(state.choices.clone()), Arc::new(state.given.clone()));
        Self { reading: Arc::clone(&state.reading), choices, given, examined: Arc::clone(&state.examined) }
    }
}

impl Published {
    /// The first snapshot.
    pub(crate) fn new(state: &State) -> (Self, Basis) {
        let catalogs = catalogs(state);
        let basis = Basis::of(state);
        let rows = project::rows(&state.machine, &basis, catalogs.all());
        let published = Self {
            snapshots: watch::Sender::new(Arc::new(project::snapshot(state, &catalogs, rows, 0))),
            catalogs: ArcSwap::from_pointee(catalogs),
            roots: ArcSwap::from_pointee(state.roots()),
            settings: ArcSwap::from_pointee(state.choices.settings.clone()),
            news: watch::Sender::new(0),
        };
        (published, basis)
    }

    /// Publishes what is different now.
    pub(crate) fn publish(&self, state: &State, basis: &mut Basis) {
        let same_library = Arc::ptr_eq(&basis.reading, &state.reading) && *basis.choices == state.choices;
        if !same_library {
            self.roots.store(Arc::new(state.roots()));
            self.settings.store(Arc::new(state.choices.settings.clone()));
            self.catalogs.store(Arc::new(catalogs(state)));
        }
        let (before, catalogs) = (self.snapshot(), self.catalogs.load());
        let same_examined = Arc::ptr_eq(&basis.examined, &state.examined);
        let same_rows = same_library && same_examined && *basis.given == state.given;
        let rows = if same_rows {
            before.skills.clone()
        } else {
            *basis = Basis::of(state);
            project::rows(&state.machine, basis, catalogs.all())
        };
        let mut after = project::snapshot(state, &catalogs, rows, before.revision);
        if !after.skills.still(&before.skills) || after != *before {
            after.revision += 1;
            self.snapshots.send_replace(Arc::new(after));
        }
        if !same_library {
            self.news.send_modify(|news| *news += 1);
        }
    }

    /// The present snapshot.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshots.borrow())
    }

    /// The present snapshot and those to come.
    pub(crate) fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.subscribe()
    }

    /// The present catalog.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(self.catalogs.load().all())
    }

    /// What one client may see of it.
    pub(crate) fn catalog_of(&self, client: &str) -> Arc<Catalog> {
        Arc::clone(self.catalogs.load().of_client(client))
    }

    /// The library's present folders.
    pub(crate) fn roots(&self) -> Arc<Vec<Root>> {
        self.roots.load_full()
    }

    /// What this client may use now.
    pub(crate) fn surfaces(&self, client: &str) -> Surfaces {
        self.settings.load().surfaces(client)
    }

    /// Goes up whenever a skill, one of its files or a choice may look different.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}

fn catalogs(state: &State) -> Catalogs {
    Catalogs::new(project::catalog(state), &state.choices)
}
