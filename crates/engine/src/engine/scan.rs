//! Looks for signs of harm in skills before their folder switches them on by itself (decision 72). What follows from a
//! finding is left to `state`.

use std::{collections::HashMap, sync::Arc};

use choices::FolderChoice;
use library::{Reading, Root};
use machine::Mode;
use skills::Entry;
use state::Scan;

use crate::{engine::Engine, pages::look::harm};

impl Engine {
    /// Scans the skills of a reading that their folder switches on now, and those that it switched on earlier and that
    /// have changed since the last reading. What a person switched on is scanned in the background.
    pub(super) fn scan_new(&self, reading: &Reading, roots: &[Root]) -> Vec<Scan> {
        if matches!(self.mode(), Mode::Plain { .. }) {
            return Vec::new();
        }
        let state = self.state().now();
        let mut scans = Vec::new();
        for folder in &state.choices.folders {
            let root = roots.iter().find(|root| root.id == folder.id);
            let (Some(read), Some(root)) = (reading.folder(&folder.id), root) else { continue };
            let before: HashMap<&str, &Arc<Entry>> = state
                .reading
                .folder(&folder.id)
                .into_iter()
                .flat_map(|read| &read.skills)
                .map(|entry| (entry.path.as_str(), entry))
                .collect();
            for entry in &read.skills {
                let old = before.get(entry.path.as_str());
                let same = old.is_some_and(|old| Arc::ptr_eq(old, entry));
                if same || folder.was_seen(&entry.path) || state.placed.contains(&entry.location) {
                    continue;
                }
                let by_itself = match folder.skills.get(&entry.path) {
                    None => folder.enable_new && folder.enable_first.is_none(),
                    Some(on) => *on && old.is_some(),
                };
                if by_itself {
                    scans.push(Scan { entry: Arc::clone(entry), harm: harm(&root.path, entry) });
                }
            }
        }
        scans
    }

    /// Scans the skills that are on and that nobody has looked at, for an engine without background checks: they may have
    /// changed while nothing ran.
    pub(crate) fn scan_unseen(&self) {
        let (state, roots) = (self.state().now(), self.state().roots());
        let catalog = self.state().catalog();
        let mut scans = Vec::new();
        for entry in catalog.entries().iter().filter(|entry| entry.enabled) {
            let seen = |folder: &FolderChoice| folder.id == entry.folder && folder.was_seen(&entry.path);
            let root = roots.iter().find(|root| root.id == entry.folder);
            if let Some(root) = root.filter(|_| !state.choices.folders.iter().any(seen)) {
                scans.push(Scan { entry: Arc::clone(entry), harm: harm(&root.path, entry) });
            }
        }
        self.state().change_soon(move |state| state.judge(scans));
    }
}
