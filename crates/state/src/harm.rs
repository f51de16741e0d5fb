//! What looks harmful in skills that are on, or that their folder would switch on, and what follows from it (decision
//! 71): a skill that nobody has looked at is off, one that a person switched on needs attention. The scan is left to
//! `engine`.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use api::Readiness;
use choices::FolderChoice;
use skills::Entry;

use crate::state::{State, named};

/// Said of a skill that is off because of what it held when it appeared.
const EARLIER: &str = "Something in it looked as if it meant harm.";

/// A finding that can do harm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harm {
    /// Names the finding by its lines: it is another one when they change.
    pub mark: String,
    /// A full sentence.
    pub message: String,
}

/// A skill as it was scanned.
#[derive(Debug, Clone)]
pub struct Scan {
    pub entry: Arc<Entry>,
    pub harm: Vec<Harm>,
}

/// The skills in which something looks harmful, by their keys.
#[derive(Debug, Clone, Default)]
pub struct Harmful(HashMap<String, Scan>);

impl Harmful {
    /// What looks harmful in a skill, if it is unchanged since the scan.
    pub fn of(&self, entry: &Entry) -> &[Harm] {
        if self.0.is_empty() {
            return &[];
        }
        let scan = self.0.get(&entry.key()).filter(|scan| is_same(&scan.entry, entry));
        scan.map_or(&[], |scan| &scan.harm)
    }

    /// Whether a scan says something new.
    fn differs(&self, scan: &Scan) -> bool {
        match self.0.get(&scan.entry.key()) {
            Some(known) => known.harm != scan.harm || !is_same(&known.entry, &scan.entry),
            None => !scan.harm.is_empty(),
        }
    }

    fn take(&mut self, scan: Scan) {
        let key = scan.entry.key();
        if scan.harm.is_empty() {
            self.0.remove(&key)
        } else {
            self.0.insert(key, scan)
        };
    }
}

impl State {
    /// Takes over scans of skills, and switches off those that look harmful and that nobody has looked at.
    pub fn judge(&mut self, scans: Vec<Scan>) {
        self.learn(scans);
        self.hold();
    }

    /// Takes over scans of skills.
    pub(crate) fn learn(&mut self, scans: Vec<Scan>) {
        let new: Vec<_> = scans.into_iter().filter(|scan| self.harmful.differs(scan)).collect();
        if !new.is_empty() {
            let harmful = Arc::make_mut(&mut self.harmful);
            new.into_iter().for_each(|scan| harmful.take(scan));
        }
    }

    /// Switches off the skills that look harmful, and that are on although nobody has looked at them.
    pub(crate) fn hold(&mut self) {
        let mut held = BTreeMap::<String, Vec<Arc<Entry>>>::new();
        for scan in self.harmful.0.values() {
            let folder = self.choices.folders.iter().find(|folder| folder.id == scan.entry.folder);
            let read = self.reading.folder(&scan.entry.folder).map_or(&[][..], |read| read.skills.as_slice());
            let is_here = || read.iter().any(|now| now.path == scan.entry.path && is_same(now, &scan.entry));
            let path = &scan.entry.path;
            let is_on = |folder: &FolderChoice| folder.skills.get(path) == Some(&true) && !folder.was_seen(path);
            if folder.is_some_and(is_on) && is_here() {
                held.entry(scan.entry.folder.clone()).or_default().push(Arc::clone(&scan.entry));
            }
        }
        for (id, mut entries) in held {
            entries.sort_by(|a, b| a.path.cmp(&b.path));
            let Some(folder) = self.choices.folder_mut(&id) else { continue };
            entries.iter().for_each(|entry| folder.hold(&entry.path));
            let place = self.machine.place(&self.machine.data.join(&folder.path));
            let names: Vec<_> = entries.iter().map(|entry| entry.skill.name.as_str()).collect();
            let (were, it) = if names.len() == 1 { ("It was", "it") } else { ("They were", "them") };
            let message = format!(
                "Something in {} ({place}) looks as if it meant harm. {were} switched off, because nobody has looked at {it} yet.",
                named(&names)
            );
            self.notice(format!("held:{id}"), message);
        }
    }

    /// Whether a skill is on: as the person chose, but not while it looks harmful and nobody has looked at it.
    pub(crate) fn is_on(&self, choice: &FolderChoice, entry: &Entry) -> bool {
        choice.is_on(&entry.path) && (choice.was_seen(&entry.path) || self.harmful.of(entry).is_empty())
    }

    /// Why a skill needs the person to look at it, before anything else.
    pub(crate) fn looks_harmful(&self, entry: &Entry) -> Option<Readiness> {
        let choice = self.choices.folders.iter().find(|folder| folder.id == entry.folder)?;
        let harm = self.harmful.of(entry);
        let first = if entry.enabled {
            Some(harm.iter().find(|harm| !choice.accepts(&entry.path, &harm.mark))?)
        } else if choice.held.contains(&entry.path) || choice.is_on(&entry.path) {
            harm.first()
        } else {
            return None;
        };
        let message = first.map_or(EARLIER, |harm| &harm.message).to_owned();
        Some(Readiness::LooksHarmful { message })
    }
}

/// Whether two readings of a skill found the same files.
fn is_same(one: &Entry, other: &Entry) -> bool {
    one.digest == other.digest && one.files == other.files
}
