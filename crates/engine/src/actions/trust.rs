//! The review of someone else's skill before it is switched on, wherever it is: in an added folder, or in our own
//! folder, which receives imported and installed skills. What is looked at in its files is left to `pages::look`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use ::skills::Entry;
use api::{ActionError, ErrorKind, Look};
use choices::FolderChoice;
use library::Root;
use servers::is_ready;
use state::{State, blocking};

use crate::{
    Engine,
    actions::root,
    pages::look::{Looked, look},
};

/// What a skill carries and what in it looks malicious, as its files are now.
///
/// # Errors
/// When there is no such skill.
pub async fn look_at_skill(engine: &Engine, key: &str) -> Result<Look, ActionError> {
    let entry = engine.state().entry(key)?;
    let root = root(engine, &entry);
    let state = engine.state().now();
    blocking(move || Ok(shown(&state, &entry, look(&root, &entry)))).await
}

/// The same for every skill in these folders of the library, named by their paths, that could be switched on at once:
/// it is off, ready, and not reviewed yet.
///
/// # Errors
/// When the engine is quitting.
pub async fn look_at_ready(engine: &Engine, folders: &[String]) -> Result<Vec<Look>, ActionError> {
    let roots: Vec<_> = engine
        .state()
        .roots()
        .iter()
        .filter(|root| folders.iter().any(|path| root.path == Path::new(path)))
        .cloned()
        .collect();
    let catalog = engine.state().catalog();
    let state = engine.state().now();
    let wanted: Vec<(PathBuf, Arc<Entry>)> = {
        let of = |root: &Root| {
            let asks = |entry: &&Arc<Entry>| entry.folder == root.id && asks(&state, entry);
            let ready = |entry: &&Arc<Entry>| is_ready(&entry.skill, &state.given, &entry.key());
            catalog.entries().iter().filter(asks).filter(ready).cloned().collect::<Vec<_>>()
        };
        roots.into_iter().flat_map(|root| of(&root).into_iter().map(move |entry| (root.path.clone(), entry))).collect()
    };
    blocking(move || Ok(wanted.iter().map(|(root, entry)| shown(&state, entry, look(root, entry))).collect())).await
}

/// What looks harmful in skills that the user switches on after having seen it, by their keys.
pub(super) type Accepted = BTreeMap<String, BTreeSet<String>>;

/// Ensures that the user switches on what they saw: each of these skills that is not reviewed yet needs the digest of a
/// review, and all of which there is one must be unchanged since. Returns what they saw in these.
pub(super) async fn refuse_unseen(
    engine: &Engine,
    entries: &[Arc<Entry>],
    seen: &BTreeMap<String, String>,
) -> Result<Accepted, ActionError> {
    let state = engine.state().now();
    let mut reviewed = Vec::new();
    for entry in entries {
        match seen.get(&entry.key()) {
            Some(digest) => reviewed.push((root(engine, entry), digest.clone(), Arc::clone(entry))),
            None if asks(&state, entry) => {
                let message =
                    format!("{} is somebody else's, and nobody has seen yet what it carries.", entry.skill.name);
                let hints = vec!["Look at what it carries first; then switch it on.".to_owned()];
                return Err(ActionError { kind: ErrorKind::Refused, message, hints });
            }
            None => {}
        }
    }
    blocking(move || {
        let mut accepted = Accepted::new();
        for (root, digest, entry) in &reviewed {
            let looked = look(root, entry);
            if looked.digest != *digest {
                let message = format!("{} changed since it was shown, so nothing was switched on.", entry.skill.name);
                return Err(ActionError {
                    kind: ErrorKind::Changed,
                    message,
                    hints: vec!["Look at it again, then switch it on.".to_owned()],
                });
            }
            accepted.insert(entry.key(), looked.marks());
        }
        Ok(accepted)
    })
    .await
}

/// Whether the user is shown what a skill carries before they switch it on: it is off, and was never switched by hand.
///
/// In our own folder this applies to imported skills; skills written by the user are on.
fn asks(state: &State, entry: &Entry) -> bool {
    !entry.enabled && choice(state, entry).is_some_and(|folder| !folder.was_seen(&entry.path))
}

fn choice<'s>(state: &'s State, entry: &Entry) -> Option<&'s FolderChoice> {
    state.choices.folders.iter().find(|folder| folder.id == entry.folder)
}

fn shown(state: &State, entry: &Entry, looked: Looked) -> Look {
    let accepts = |mark: &str| choice(state, entry).is_some_and(|folder| folder.accepts(&entry.path, mark));
    let unseen = looked.harm.iter().any(|harm| !accepts(&harm.mark));
    Look { key: entry.key(), digest: looked.digest, asks: asks(state, entry), unseen, trust: looked.trust }
}
