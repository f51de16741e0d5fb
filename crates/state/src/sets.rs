//! Which skills a client sees: all of the library, or those of its set, without those that the person withholds
//! from clients until they are ready. The catalogs are computed when something changes, not with every call.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use choices::{Choices, SetChoice};
use skills::Catalog;

/// The library as each client sees it.
#[derive(Debug)]
pub struct Catalogs {
    all: Arc<Catalog>,
    /// What a client without a set sees.
    shown: Arc<Catalog>,
    by_set: HashMap<String, Arc<Catalog>>,
    by_client: HashMap<String, Arc<Catalog>>,
    /// The keys of the skills that each client with a set was given, ready or not.
    given: HashMap<String, BTreeSet<String>>,
}

impl Catalogs {
    /// Computes the catalogs from all skills and the choices about clients. The skills of the `withheld` keys
    /// are visible only to clients for which they are ready, by the client's id.
    pub fn new(
        all: Catalog,
        choices: &Choices,
        withheld: &BTreeSet<String>,
        ready: &BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        let folders: Vec<_> = choices.folders.iter().map(|folder| folder.id.clone()).collect();
        let all = Arc::new(all);
        let shown_to = |ready: Option<&BTreeSet<String>>| {
            let is_shown = |key: &String| !withheld.contains(key) || ready.is_some_and(|ready| ready.contains(key));
            let shown = all.entries().iter().filter(|entry| is_shown(&entry.key()));
            Arc::new(Catalog::new(shown.cloned().collect(), &folders))
        };
        let shown = if withheld.is_empty() { Arc::clone(&all) } else { shown_to(None) };
        let of_set = |set: &SetChoice| (set.id.clone(), Arc::new(within(&shown, set, &folders)));
        let by_set: HashMap<_, _> = choices.sets.iter().map(of_set).collect();
        // A missing set shows nothing: without it the client would see every skill.
        let of = |set: &String| by_set.get(set).cloned().unwrap_or_default();
        let mut by_client: HashMap<_, _> =
            choices.set_of.iter().map(|(client, set)| (client.clone(), of(set))).collect();
        for (client, keys) in ready {
            let shown = shown_to(Some(keys));
            let set = choices.set_of.get(client).map(|id| choices.sets.iter().find(|set| set.id == *id));
            let sees = match set {
                None => shown,
                Some(set) => set.map(|set| Arc::new(within(&shown, set, &folders))).unwrap_or_default(),
            };
            by_client.insert(client.clone(), sees);
        }
        let keys = |set: &String| {
            let set = choices.sets.iter().find(|other| other.id == *set);
            set.map(|set| set.skills.iter().cloned().collect()).unwrap_or_default()
        };
        let given = choices.set_of.iter().map(|(client, set)| (client.clone(), keys(set))).collect();
        Self { all, shown, by_set, by_client, given }
    }

    /// All skills.
    pub fn all(&self) -> &Arc<Catalog> {
        &self.all
    }

    /// The skills of a set.
    pub fn of_set(&self, set: &str) -> Option<&Arc<Catalog>> {
        self.by_set.get(set)
    }

    /// Whether a client was given this skill, even if it is withheld until it is ready.
    pub fn gives(&self, client: &str, key: &str) -> bool {
        self.given.get(client).is_none_or(|keys| keys.contains(key))
    }

    /// The skills that a client sees.
    pub fn of_client(&self, client: &str) -> &Arc<Catalog> {
        self.by_client.get(client).unwrap_or(&self.shown)
    }
}

/// The skills of a set. Which of two with the same id is served is decided again among them.
fn within(all: &Catalog, set: &SetChoice, folders: &[String]) -> Catalog {
    let entries = set.skills.iter().filter_map(|key| all.by_key(key));
    Catalog::new(entries.cloned().collect(), folders)
}
