//! All skills of a library, indexed.
//!
//! A catalog is immutable. The engine builds a new one whenever something on the disk or a
//! choice of the user changed; whoever serves skills compares the old and the new one.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use serde_json::Value;

use crate::{Reading, Skill, SkillPath};

/// What a server should not go beyond with one skill (SEP-2640).
const MOST_FILES: usize = 512;
/// See `MOST_FILES`; bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

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

    /// Whether it may be published as it is under `skill://` (decision 10): read strictly, named
    /// like its folder by the rules of agentskills.io, described, and within SEP-2640's limits.
    pub fn strict(&self) -> bool {
        let text = |key| self.skill.frontmatter.get(key).and_then(Value::as_str);
        self.skill.reading == Reading::Strict
            && text("name").is_some_and(|name| name == self.skill.id && portable(name))
            && text("description").is_some_and(|words| (1..=1024).contains(&words.chars().count()))
            && self.files.len() <= MOST_FILES
            && self.files.iter().map(|file| file.size).sum::<u64>() <= MOST_BYTES
    }

    /// Its place below `skill://`: its path below its folder, or its id where it is the folder.
    pub fn skill_path(&self) -> &str {
        if self.path.is_empty() { &self.skill.id } else { &self.path }
    }
}

/// Lowercase letters, digits and single hyphens between them, 64 at most.
fn portable(name: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.len() <= 64 && name.split('-').all(word)
}

/// All skills of a library, sorted by id, then by the order of the folders, then by path.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    entries: Vec<Arc<Entry>>,
    /// The served ones by id.
    ids: HashMap<String, usize>,
    /// The served ones that pass strictly, by their place below `skill://`.
    places: HashMap<String, usize>,
}

impl Catalog {
    /// The catalog of these entries, which come in the order of the folders and then by path.
    pub fn new(mut entries: Vec<Arc<Entry>>) -> Self {
        entries.sort_by(|one, other| one.skill.id.cmp(&other.skill.id));
        let mut ids = HashMap::new();
        let mut places = HashMap::new();
        for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.served()) {
            ids.entry(entry.skill.id.clone()).or_insert(at);
            if entry.strict() {
                places.entry(entry.skill_path().to_owned()).or_insert(at);
            }
        }
        Self { entries, ids, places }
    }

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
        self.ids.get(id).map(|at| &self.entries[*at])
    }

    /// The served skill that passes strictly and stands at this place below `skill://`.
    pub fn at(&self, skill_path: &str) -> Option<&Arc<Entry>> {
        self.places.get(skill_path).map(|at| &self.entries[*at])
    }

    /// The served entries that pass strictly, sorted by id.
    pub fn published(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.served().filter(|entry| self.at(entry.skill_path()).is_some_and(|one| Arc::ptr_eq(one, entry)))
    }
}
