//! The record of what Skilltender placed in which folder: `native.json` in the data folder. It is written
//! before anything is made, so that nothing exists without a record; a record without an entry does no harm.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use api::{ActionError, PlaceWay};
use choices::stored;
use files::store;
use machine::Mode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    FolderRequest, Target, disk,
    plan::{Act, Step},
};
use crate::file_failed;

const FILE: &str = "native.json";

/// What Skilltender placed, by folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(default)]
    pub(super) folders: BTreeMap<PathBuf, Placed>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What Skilltender placed in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Placed {
    /// How enabled skills are placed there.
    pub(super) way: PlaceWay,
    /// Whether nothing new is placed there: only edited copies are left.
    #[serde(default)]
    pub(super) closed: bool,
    /// The folders that were created for it, the outermost first.
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
    /// By the names of the skills' folders.
    #[serde(default)]
    pub(super) made: BTreeMap<String, Made>,
}

/// One placed link or copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) way: PlaceWay,
    /// The skill's own folder, resolved.
    pub(super) source: PathBuf,
    /// The digest of the copy.
    pub(super) digest: Option<String>,
}

/// Every place where Skilltender puts skills, as paths of the library write it.
pub fn placed(data: &Path) -> BTreeSet<PathBuf> {
    Record::load(data).placed()
}

impl Record {
    /// The content of the file. A file that cannot be read counts as empty, so that nothing is touched.
    pub(super) fn load(data: &Path) -> Self {
        store::peek(&data.join(FILE))
    }

    /// The same for an engine that may write it: an unreadable file is set aside and not overwritten.
    pub(super) fn open(data: &Path, mode: &Mode) -> Self {
        stored::open(&data.join(FILE), mode).0
    }

    pub(super) fn save(&self, data: &Path) -> Result<(), ActionError> {
        store::save(&data.join(FILE), self).map_err(file_failed)
    }

    /// The links and copies that Skilltender placed, as spelled and as resolved.
    pub(super) fn placed(&self) -> BTreeSet<PathBuf> {
        let of = |(folder, placed): (&PathBuf, &Placed)| {
            let folders = [folder.clone(), disk::real(folder)];
            let names: Vec<_> = placed.made.keys().cloned().collect();
            folders.into_iter().flat_map(move |folder| names.clone().into_iter().map(move |name| folder.join(name)))
        };
        self.folders.iter().flat_map(of).collect()
    }

    /// Records what is about to be made.
    pub(super) fn begin(&mut self, target: &Target, wish: FolderRequest, steps: &[Step]) {
        let way = match (wish, self.folders.get(&target.path)) {
            (FolderRequest::Place(way), _) => way,
            (_, Some(placed)) => placed.way,
            (_, None) => return,
        };
        let empty = || Placed { way, closed: false, folders: Vec::new(), made: BTreeMap::new() };
        let placed = self.folders.entry(target.path.clone()).or_insert_with(empty);
        placed.way = way;
        placed.closed = match wish {
            FolderRequest::Place(_) => false,
            FolderRequest::Clear => true,
            FolderRequest::Renew => placed.closed,
        };
        for step in steps {
            match (&step.act, &step.made) {
                // A replaced entry keeps its old record until it is gone.
                (Act::Make(_), Some(made)) => drop(placed.made.insert(step.id.clone(), made.clone())),
                (Act::Forget, _) => drop(placed.made.remove(&step.id)),
                _ => {}
            }
        }
    }

    /// Forgets a folder with nothing left and nothing wanted.
    pub(super) fn end(&mut self, target: &Target, wish: FolderRequest) {
        let Some(placed) = self.folders.get(&target.path) else { return };
        if wish != FolderRequest::Clear || !placed.made.is_empty() {
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
