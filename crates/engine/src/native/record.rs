//! What we made in which folder: `native.json` in our own folder. It is written before something is made,
//! so that nothing of ours is ever without a record; what is in it and not there harms nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Target, Wish, disk,
    plan::{Act, Step},
};
use crate::{
    Mode, store,
    view::{ActionError, PlaceWay},
};

const FILE: &str = "native.json";

/// What we made, by folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(default)]
    pub(super) folders: BTreeMap<PathBuf, Placed>,
    /// What a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What we made in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Placed {
    /// How enabled skills are put there.
    pub(super) way: PlaceWay,
    /// Whether nothing new is put there: what is left was edited.
    #[serde(default)]
    pub(super) closed: bool,
    /// The folders that were made for it, the outer one first.
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
    /// By the names of the skills' folders.
    #[serde(default)]
    pub(super) made: BTreeMap<String, Made>,
}

/// One thing that we made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) way: PlaceWay,
    /// The skill's own folder, resolved.
    pub(super) source: PathBuf,
    /// What the copy is.
    pub(super) digest: Option<String>,
}

/// Every place that we fill, as paths of the library name it.
pub(crate) fn placed(data: &Path) -> BTreeSet<PathBuf> {
    Record::load(data).placed()
}

impl Record {
    /// What the file says. One that cannot be read makes us touch nothing.
    pub(super) fn load(data: &Path) -> Self {
        store::peek(&data.join(FILE))
    }

    /// The same for whoever may write it: a file that cannot be read is set aside and not written over.
    pub(super) fn open(data: &Path, mode: &Mode) -> Self {
        store::open(&data.join(FILE), mode).0
    }

    pub(super) fn save(&self, data: &Path) -> Result<(), ActionError> {
        Ok(store::save(&data.join(FILE), self)?)
    }

    /// The links and copies that we made, as they are spelled and as they are resolved.
    pub(super) fn placed(&self) -> BTreeSet<PathBuf> {
        let of = |(folder, placed): (&PathBuf, &Placed)| {
            let folders = [folder.clone(), disk::real(folder)];
            let names: Vec<_> = placed.made.keys().cloned().collect();
            folders.into_iter().flat_map(move |folder| names.clone().into_iter().map(move |name| folder.join(name)))
        };
        self.folders.iter().flat_map(of).collect()
    }

    /// Takes down what is about to be made.
    pub(super) fn begin(&mut self, target: &Target, wish: Wish, steps: &[Step]) {
        let way = match (wish, self.folders.get(&target.path)) {
            (Wish::Place(way), _) => way,
            (_, Some(placed)) => placed.way,
            (_, None) => return,
        };
        let empty = || Placed { way, closed: false, folders: Vec::new(), made: BTreeMap::new() };
        let placed = self.folders.entry(target.path.clone()).or_insert_with(empty);
        placed.way = way;
        placed.closed = match wish {
            Wish::Place(_) => false,
            Wish::Clear => true,
            Wish::Renew => placed.closed,
        };
        for step in steps {
            match (&step.act, &step.made) {
                // What is replaced has its old entry until it is gone.
                (Act::Make(_), Some(made)) => drop(placed.made.insert(step.id.clone(), made.clone())),
                (Act::Forget, _) => drop(placed.made.remove(&step.id)),
                _ => {}
            }
        }
    }

    /// Forgets a folder in which nothing of ours is left and nothing is wanted.
    pub(super) fn end(&mut self, target: &Target, wish: Wish) {
        let Some(placed) = self.folders.get(&target.path) else { return };
        if wish != Wish::Clear || !placed.made.is_empty() {
            return;
        }
        disk::remove_folders(&placed.folders);
        self.folders.remove(&target.path);
    }

    pub(super) fn forget(&mut self, target: &Target, skill: &str) {
        if let Some(placed) = self.folders.get_mut(&target.path) {
            placed.made.remove(skill);
        }
    }
}
