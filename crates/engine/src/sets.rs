//! Which skills a client sees: all of the library, or those of the set that it was given, without those that
//! the person keeps from clients until they are ready. The
//! catalogs are made when something changed, and not with every call.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use skills::Catalog;

use crate::choices::{Choices, SetChoice};

/// The library as each client sees it.
#[derive(Debug)]
pub(crate) struct Catalogs {
    all: Arc<Catalog>,
    /// What a client without a set sees.
    shown: Arc<Catalog>,
    by_set: HashMap<String, Arc<Catalog>>,
    by_client: HashMap<String, Arc<Catalog>>,
}

impl Catalogs {
    /// From all skills, and what was chosen about clients. No client sees the skills of these keys.
    pub(crate) fn new(all: Catalog, choices: &Choices, withheld: &BTreeSet<String>) -> Self {
        let folders: Vec<_> = choices.folders.iter().map(|folder| folder.id.clone()).collect();
        let all = Arc::new(all);
        let shown = if withheld.is_empty() {
            Arc::clone(&all)
        } else {
            let shown = all.entries().iter().filter(|entry| !withheld.contains(&entry.key()));
            Arc::new(Catalog::new(shown.cloned().collect(), &folders))
        };
        let of_set = |set: &SetChoice| (set.id.clone(), Arc::new(within(&shown, set, &folders)));
        let by_set: HashMap<_, _> = choices.sets.iter().map(of_set).collect();
        // A set that is not there shows nothing: without it the client would see every skill.
        let of = |set: &String| by_set.get(set).cloned().unwrap_or_default();
        let by_client = choices.set_of.iter().map(|(client, set)| (client.clone(), of(set))).collect();
        Self { all, shown, by_set, by_client }
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
        self.by_client.get(client).unwrap_or(&self.shown)
    }
}

/// The skills of a set. Which of two with the same id is served is decided among them anew.
fn within(all: &Catalog, set: &SetChoice, folders: &[String]) -> Catalog {
    let entries = set.skills.iter().filter_map(|key| all.by_key(key));
    Catalog::new(entries.cloned().collect(), folders)
}
