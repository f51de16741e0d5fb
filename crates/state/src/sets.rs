//! Which skills a client sees: those of the set that the folder has in which it works, else those of its own set, else
//! all of the library; without those that the person withholds from clients until they are ready. The catalogs are computed when something changes, not with every call.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
    sync::Arc,
};

use choices::{
    Choices, SetChoice,
    folder_pattern::{Bindings, Writing},
};
use machine::waiting::Mutex;
use mcp::{Caller, WorkFolder};
use skills::Catalog;

/// The maximum number of catalogs of folders that are kept. More are computed anew.
const MOST_KEPT: usize = 256;

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
    /// What each client sees for which withheld skills are ready, whatever its set.
    ready: HashMap<String, Arc<Catalog>>,
    folders: Vec<String>,
    sets: Vec<SetChoice>,
    /// The sets of folders.
    bindings: Bindings<(usize, usize)>,
    /// What was computed for folders: by the sets that count there, and the client if withheld skills are ready for it.
    in_folders: Mutex<HashMap<InFolders, Arc<Catalog>>>,
}

/// What a catalog of folders depends on.
type InFolders = (BTreeSet<usize>, Option<String>);

impl Catalogs {
    /// Computes the catalogs from all skills and the choices about clients. The skills of the `withheld` keys
    /// are visible only to clients for which they are ready, by the client's id.
    pub fn new(
        all: Catalog,
        choices: &Choices,
        home: &Path,
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
        let of_set = |set: &SetChoice| (set.id.clone(), Arc::new(within(&shown, [set], &folders)));
        let by_set: HashMap<_, _> = choices.sets.iter().map(of_set).collect();
        // A missing set shows nothing: without it the client would see every skill.
        let of = |set: &String| by_set.get(set).cloned().unwrap_or_default();
        let mut by_client: HashMap<_, _> =
            choices.set_of.iter().map(|(client, set)| (client.clone(), of(set))).collect();
        let ready: HashMap<_, _> = ready.iter().map(|(client, keys)| (client.clone(), shown_to(Some(keys)))).collect();
        for (client, shown) in &ready {
            let set = choices.set_of.get(client).map(|id| choices.sets.iter().find(|set| set.id == *id));
            let sees = match set {
                None => Arc::clone(shown),
                Some(set) => set.map(|set| Arc::new(within(shown, [set], &folders))).unwrap_or_default(),
            };
            by_client.insert(client.clone(), sees);
        }
        let keys = |set: &String| {
            let set = choices.sets.iter().find(|other| other.id == *set);
            set.map(|set| set.skills.iter().cloned().collect()).unwrap_or_default()
        };
        let given = choices.set_of.iter().map(|(client, set)| (client.clone(), keys(set))).collect();
        let bindings = choices.bindings(home, Writing::HERE);
        let (sets, in_folders) = (choices.sets.clone(), Mutex::default());
        Self { all, shown, by_set, by_client, given, ready, folders, sets, bindings, in_folders }
    }

    /// All skills.
    pub fn all(&self) -> &Arc<Catalog> {
        &self.all
    }

    /// The skills of a set.
    pub fn of_set(&self, set: &str) -> Option<&Arc<Catalog>> {
        self.by_set.get(set)
    }

    /// Whether a client was given this skill where it works, even if it is withheld until it is ready.
    pub fn gives(&self, caller: &Caller, key: &str) -> bool {
        let bound = self.bound(&caller.folders);
        if !bound.is_empty() {
            return bound.iter().any(|(set, _)| self.sets[*set].skills.contains(key));
        }
        self.given.get(&caller.client).is_none_or(|keys| keys.contains(key))
    }

    /// The sets that count in these folders, and the binding of each that says so, by their places among the choices.
    pub fn bound(&self, folders: &[WorkFolder]) -> BTreeSet<(usize, usize)> {
        folders.iter().filter_map(|folder| self.bindings.of(folder.spellings(), Writing::HERE)).copied().collect()
    }

    /// The sets, in the order in which [`Self::bound`] names them.
    pub fn sets(&self) -> &[SetChoice] {
        &self.sets
    }

    /// The skills that a client sees where it works: those of the sets of its folders, else those of its own set.
    pub fn of_caller(&self, caller: &Caller) -> Arc<Catalog> {
        let sets: BTreeSet<_> = self.bound(&caller.folders).into_iter().map(|(set, _)| set).collect();
        self.within_sets(&caller.client, sets).unwrap_or_else(|| Arc::clone(self.of_client(&caller.client)))
    }

    /// The skills of these sets that a client may see; `None` without sets.
    pub fn within_sets(&self, client: &str, sets: BTreeSet<usize>) -> Option<Arc<Catalog>> {
        if sets.is_empty() {
            return None;
        }
        let ready = self.ready.get(client);
        let key = (sets, ready.map(|_| client.to_owned()));
        let kept = self.in_folders.lock().get(&key).cloned();
        Some(kept.unwrap_or_else(|| {
            let sets = key.0.iter().filter_map(|set| self.sets.get(*set));
            let made = Arc::new(within(ready.unwrap_or(&self.shown), sets, &self.folders));
            let mut all = self.in_folders.lock();
            if all.len() >= MOST_KEPT {
                all.clear();
            }
            all.insert(key, Arc::clone(&made));
            made
        }))
    }

    /// The skills that a client sees.
    pub fn of_client(&self, client: &str) -> &Arc<Catalog> {
        self.by_client.get(client).unwrap_or(&self.shown)
    }
}

/// The skills of sets. Which of two with the same id is served is decided again among them.
fn within<'s>(all: &Catalog, sets: impl IntoIterator<Item = &'s SetChoice>, folders: &[String]) -> Catalog {
    let keys: BTreeSet<_> = sets.into_iter().flat_map(|set| &set.skills).collect();
    let entries = keys.into_iter().filter_map(|key| all.by_key(key));
    Catalog::new(entries.cloned().collect(), folders)
}
