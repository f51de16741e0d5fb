//! Which folders a walk reads again.

use std::{collections::HashSet, path::Path};

use crate::watch::Places;

/// Which folders a walk reads again.
#[derive(Debug, Clone)]
pub enum Scope {
    /// All of them.
    All,
    /// Those where something happened, and those that were never read.
    Only(Places),
}

impl Scope {
    /// Whether anything at, below or above this folder may have changed.
    pub fn concerns(&self, folder: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Only(places) => {
                places.each().any(|place| place.starts_with(folder)) || places.holds_one_above(folder)
            }
        }
    }

    pub(super) fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// The places and every folder above them, for checks of many folders.
    pub(super) fn touched(&self) -> HashSet<&Path> {
        let mut touched = HashSet::new();
        if let Self::Only(places) = self {
            for place in places.each() {
                // The ancestors of a known place are already in the set.
                place.ancestors().take_while(|above| touched.insert(*above)).for_each(drop);
            }
        }
        touched
    }
}

impl Places {
    fn each(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().chain(&self.paths).map(AsRef::as_ref)
    }

    /// Whether this folder, or one above it, came, went or changed itself.
    pub(super) fn holds_one_above(&self, folder: &Path) -> bool {
        !self.paths.is_empty() && folder.ancestors().any(|above| self.paths.contains(above))
    }
}
