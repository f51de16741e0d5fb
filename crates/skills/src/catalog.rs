//! All skills of a library, indexed.
//!
//! A catalog is immutable. The engine builds a new one whenever something on the disk or a
//! choice of the user changed; whoever serves skills compares the old and the new one.

use std::{path::PathBuf, sync::Arc};

use crate::{Skill, SkillPath};

/// One skill of a library, and where it stands.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The skill as read.
    pub skill: Arc<Skill>,
    /// Which of the library's folders holds it, by that folder's id.
    pub folder: String,
    /// Where it stands below that folder (`release-notes`, `team/release-notes`); empty for a
    /// SKILL.md directly in the folder.
    pub path: String,
    /// The skill's own folder on this computer, absolute.
    pub location: PathBuf,
    /// SHA-256 of SKILL.md, 64 lowercase hexadecimal digits.
    pub digest: String,
    /// Every file that counts as a part of the skill, sorted by path; SKILL.md is one of them.
    pub files: Arc<[File]>,
    /// Whether the user has it switched on.
    pub enabled: bool,
    /// The key of an earlier skill with the same id, which is served instead of this one (decision 10).
    pub shadowed_by: Option<String>,
}

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it stands inside the skill.
    pub path: SkillPath,
    /// Bytes.
    pub size: u64,
    /// Its last change, in milliseconds since 1970.
    pub modified: u64,
}

impl Entry {
    /// What names this skill among all others of the library: folder id and path.
    pub fn key(&self) -> String {
        if self.path.is_empty() { self.folder.clone() } else { format!("{}/{}", self.folder, self.path) }
    }

    /// Whether it is served at all: on, loadable, and the first of its id.
    pub fn served(&self) -> bool {
        self.enabled && self.skill.loads() && self.shadowed_by.is_none()
    }
}

/// All skills of a library, sorted by id, then by the order of the folders, then by path.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    entries: Vec<Arc<Entry>>,
}

impl Catalog {
    /// Every entry, the broken, disabled and shadowed ones too.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The entries that are served, sorted by id.
    pub fn served(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter().filter(|entry| entry.served())
    }

    /// The served skill of this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Entry>> {
        self.served().find(|entry| entry.skill.id == id)
    }
}
