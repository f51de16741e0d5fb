//! What several actions do: refusing in an engine that only reads, looking at the disk again, finding the folder of a skill.

use std::path::{Path, PathBuf};

use ::skills::Entry;
use api::{ActionError, ErrorKind, failed};
use library::{walk::Scope, watch::Places};

use crate::{Engine, Mode};

/// Refuses changes to skills in an engine that only reads.
pub(crate) fn writing(engine: &Engine) -> Result<(), ActionError> {
    if *engine.mode() == Mode::Writing {
        return Ok(());
    }
    Err(failed(ErrorKind::Refused, "Skills can be changed only by the Skilltender that keeps the choices."))
}

/// Rescans a place where a skill was added or removed, and its parent folders.
pub(crate) async fn look_again(engine: &Engine, location: &Path) {
    look_again_at(engine, &[location.to_path_buf()]).await;
}

/// The same for several places.
pub(crate) async fn look_again_at(engine: &Engine, locations: &[PathBuf]) {
    if locations.is_empty() {
        return;
    }
    let folders = locations.iter().flat_map(|location| location.ancestors()).map(Path::to_path_buf).collect();
    engine.sweep(Scope::Only(Places { folders, ..Places::default() })).await;
}

/// The library folder that contains a skill.
pub(crate) fn root(engine: &Engine, entry: &Entry) -> PathBuf {
    let roots = engine.state().roots();
    let root = roots.iter().find(|root| root.id == entry.folder);
    root.map_or_else(|| entry.location.clone(), |root| root.path.clone())
}
