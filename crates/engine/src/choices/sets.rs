//! Sets of skills, and what becomes of the choices about a skill that goes away and comes back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Choices;

/// Some skills of the library under a name, for clients that should not see all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SetChoice {
    /// Names it for ever: `s1`, `s2` ...
    pub(crate) id: String,
    /// What people call it.
    pub(crate) name: String,
    /// The keys of its skills. A skill that went away keeps its place.
    #[serde(default)]
    pub(crate) skills: BTreeSet<String>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// What was chosen about a skill and those inside it, while they are away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chosen {
    /// Which were on, by their paths.
    pub(crate) skills: BTreeMap<String, bool>,
    /// Which were switched by hand, by their paths.
    #[serde(default)]
    switched: BTreeSet<String>,
    /// The paths of those that were in a set, by the set's id.
    #[serde(default)]
    sets: BTreeMap<String, Vec<String>>,
}

impl Choices {
    /// Takes away what was chosen about the skill at `path` of a folder, and about those inside it.
    pub(crate) fn take(&mut self, folder: &str, path: &str) -> Chosen {
        let concerns = |other: &str| below(other, path).is_some();
        let (skills, switched) = self.folder_mut(folder).map_or_else(Default::default, |choice| {
            let skills = choice.skills.extract_if(.., |other, _| concerns(other)).collect();
            (skills, choice.switched.extract_if(.., |other| concerns(other)).collect())
        });
        let mut sets = BTreeMap::new();
        for set in &mut self.sets {
            let in_folder = |key: &String| below(key, folder).is_some_and(concerns);
            let keys = set.skills.extract_if(.., in_folder);
            let paths: Vec<_> = keys.filter_map(|key| below(&key, folder).map(str::to_owned)).collect();
            if !paths.is_empty() {
                sets.insert(set.id.clone(), paths);
            }
        }
        Chosen { skills, switched, sets }
    }

    /// The same of a skill that is about to be moved away: until it is gone it is off, whatever its folder says of
    /// skills that appear, and so is another one that takes its place.
    pub(crate) fn put_away(&mut self, folder: &str, path: &str) -> Chosen {
        let chosen = self.take(folder, path);
        self.expect(folder, &chosen);
        chosen
    }

    /// Has skills off that are about to come back, so that they count neither as new ones nor as on before they are there.
    pub(crate) fn expect(&mut self, folder: &str, chosen: &Chosen) {
        if let Some(choice) = self.folder_mut(folder) {
            choice.skills.extend(chosen.skills.keys().map(|path| (path.clone(), false)));
        }
    }

    /// Gives back what was taken, to the same skills of a folder.
    pub(crate) fn give_back(&mut self, folder: &str, chosen: Chosen) {
        if let Some(choice) = self.folder_mut(folder) {
            choice.skills.extend(chosen.skills);
            choice.switched.extend(chosen.switched);
        }
        for set in &mut self.sets {
            let paths = chosen.sets.get(&set.id).into_iter().flatten();
            set.skills.extend(paths.map(|path| format!("{folder}/{path}")));
        }
    }
}

/// What is left of a path or key below another; empty when it is the same.
pub(crate) fn below<'p>(path: &'p str, above: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(above)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}
