//! Which skills a client sees: all of the library, or those of the set that it was given. The
//! catalogs are made when something changed, and not with every call.

use std::{collections::HashMap, sync::Arc};

use skills::Catalog;

use crate::choices::{Choices, SetChoice};

/// The library as each client sees it.
#[derive(Debug)]
pub(crate) struct Catalogs {
    all: Arc<Catalog>,
    by_set: HashMap<String, Arc<Catalog>>,
    by_client: HashMap<String, Arc<Catalog>>,
}

impl Catalogs {
    /// From all skills, and what was chosen about clients.
    pub(crate) fn new(all: Catalog, choices: &Choices) -> Self {
        let folders: Vec<_> = choices.folders.iter().map(|folder| folder.id.clone()).collect();
        let of_set = |set: &SetChoice| (set.id.clone(), Arc::new(within(&all, set, &folders)));
        let by_set: HashMap<_, _> = choices.sets.iter().map(of_set).collect();
        // A set that is not there shows nothing: without it the client would see every skill.
        let shown = |set: &String| by_set.get(set).cloned().unwrap_or_default();
        let by_client = choices.set_of.iter().map(|(client, set)| (client.clone(), shown(set))).collect();
        Self { all: Arc::new(all), by_set, by_client }
    }

    /// All skills.
    pub(crate) fn all(&self) -> &Arc<Catalog> {
        &self.all
    }

    /// The skills of a set.
    pub(crate) fn of_set(&self, set: &str) -> Option<&Arc<Catalog>> {
        self.by_set.get(set)
    }

    /// The skills that a client sees.
    pub(crate) fn of_client(&self, client: &str) -> &Arc<Catalog> {
        self.by_client.get(client).unwrap_or(&self.all)
    }
}

/// The skills of a set. Which of two with the same id is served is decided among them anew.
fn within(all: &Catalog, set: &SetChoice, folders: &[String]) -> Catalog {
    let entries = set.skills.iter().filter_map(|key| all.by_key(key));
    Catalog::new(entries.cloned().collect(), folders)
}
