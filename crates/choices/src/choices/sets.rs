//! Sets of skills, and the choices about a skill that is removed and restored.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills::below;

use super::Choices;
use crate::folder_pattern::{Bindings, FolderPattern, Writing};

/// A named selection of skills, for clients that should not see all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetChoice {
    /// Its permanent id: `s1`, `s2` ...
    pub id: String,
    /// Its display name.
    pub name: String,
    /// The keys of its skills. A missing skill keeps its place.
    #[serde(default)]
    pub skills: BTreeSet<String>,
    /// The folders that it is bound to: a client that works in one of them sees it instead of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderBinding>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A pattern of folders to which a set is bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderBinding {
    /// The pattern as it was written ([`FolderPattern`]).
    pub folder: String,
    /// What the part of it without `*` led to when it was bound, if a link is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real: Option<String>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl FolderBinding {
    /// Its pattern, and the same one where its links lead. Empty if a later version wrote what this one does not
    /// understand.
    pub fn patterns(&self, home: &Path, writing: Writing) -> Vec<FolderPattern> {
        let Ok(written) = FolderPattern::read(&self.folder, home, writing) else { return Vec::new() };
        let led = self.real.as_deref().and_then(|real| written.leading_to(Path::new(real), writing));
        [Some(written), led].into_iter().flatten().collect()
    }
}

/// The choices about a skill and those inside it, while they are removed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// Which were on, by path.
    pub skills: BTreeMap<String, bool>,
    /// Which were switched by hand, by path.
    #[serde(default)]
    switched: BTreeSet<String>,
    /// The paths of those in a set, by the set's id.
    #[serde(default)]
    sets: BTreeMap<String, Vec<String>>,
    /// Which are off because something in them looks harmful, by path.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    held: BTreeSet<String>,
    /// The marks of what looked harmful and was accepted, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    accepted: BTreeMap<String, BTreeSet<String>>,
}

impl Chosen {
    /// The same choices for the skill at another path.
    pub fn moved(self, from: &str, to: &str) -> Self {
        let path = |path: String| match below(&path, from) {
            Some("") => to.to_owned(),
            Some(rest) => format!("{to}/{rest}"),
            None => path,
        };
        Self {
            skills: self.skills.into_iter().map(|(at, on)| (path(at), on)).collect(),
            switched: self.switched.into_iter().map(path).collect(),
            sets: self.sets.into_iter().map(|(set, paths)| (set, paths.into_iter().map(path).collect())).collect(),
            held: self.held.into_iter().map(path).collect(),
            accepted: self.accepted.into_iter().map(|(at, marks)| (path(at), marks)).collect(),
        }
    }
}

impl Choices {
    /// Which set each folder has: the place of the set among all of them, and that of the binding in it.
    pub fn bindings(&self, home: &Path, writing: Writing) -> Bindings<(usize, usize)> {
        let all = self
            .sets
            .iter()
            .enumerate()
            .flat_map(|(at, set)| set.folders.iter().enumerate().map(move |bound| (at, bound)));
        Bindings::new(all.flat_map(|(at, (nth, bound))| {
            let patterns = bound.patterns(home, writing);
            patterns.into_iter().map(move |pattern| (pattern, (at, nth)))
        }))
    }

    /// Whether any set is bound to a folder.
    pub fn binds_folders(&self) -> bool {
        self.sets.iter().any(|set| !set.folders.is_empty())
    }

    /// Removes and returns the choices about the skill at `path` of a folder, and about those inside it.
    pub fn take(&mut self, folder: &str, path: &str) -> Chosen {
        let concerns = |other: &str| below(other, path).is_some();
        let mut chosen = self.folder_mut(folder).map_or_else(Chosen::default, |choice| Chosen {
            skills: choice.skills.extract_if(.., |other, _| concerns(other)).collect(),
            switched: choice.switched.extract_if(.., |other| concerns(other)).collect(),
            held: choice.held.extract_if(.., |other| concerns(other)).collect(),
            accepted: choice.accepted.extract_if(.., |other, _| concerns(other)).collect(),
            sets: BTreeMap::new(),
        });
        for set in &mut self.sets {
            let in_folder = |key: &String| below(key, folder).is_some_and(concerns);
            let keys = set.skills.extract_if(.., in_folder);
            let paths: Vec<_> = keys.filter_map(|key| below(&key, folder).map(str::to_owned)).collect();
            if !paths.is_empty() {
                chosen.sets.insert(set.id.clone(), paths);
            }
        }
        chosen
    }

    /// The same for a skill that is about to be moved away: until it is gone it is off, whatever its folder does with
    /// new skills, and so is another one that takes its place.
    pub fn put_away(&mut self, folder: &str, path: &str) -> Chosen {
        let chosen = self.take(folder, path);
        self.expect(folder, &chosen);
        chosen
    }

    /// Switches off skills that are about to be restored, so that they count neither as new nor as on before they
    /// exist.
    pub fn expect(&mut self, folder: &str, chosen: &Chosen) {
        if let Some(choice) = self.folder_mut(folder) {
            choice.skills.extend(chosen.skills.keys().map(|path| (path.clone(), false)));
        }
    }

    /// Restores the removed choices to the same skills of a folder.
    pub fn give_back(&mut self, folder: &str, chosen: Chosen) {
        if let Some(choice) = self.folder_mut(folder) {
            choice.skills.extend(chosen.skills);
            choice.switched.extend(chosen.switched);
            choice.held.extend(chosen.held);
            choice.accepted.extend(chosen.accepted);
        }
        for set in &mut self.sets {
            let paths = chosen.sets.get(&set.id).into_iter().flatten();
            set.skills.extend(paths.map(|path| format!("{folder}/{path}")));
        }
    }
}
