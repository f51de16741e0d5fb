//! Versions of a SKILL.md that would otherwise be lost: the bytes before each save, and texts that a
//! person had not saved. The latter are offered again when the skill is opened.
//!
//! They stand in our own folder as `kept/<skill>/<moment>.md`; one that is still to be offered is
//! called `<moment>.unsaved.md`.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use crate::{
    Engine,
    actions::{blocking, failed, writing},
    clock, guest,
    library::LARGEST,
    machine::make_private,
    view::{ActionError, ErrorKind, Kept},
};

/// How many versions of one file are kept.
const KEPT: usize = 20;

/// The end of the name of a text that is still to be offered.
const UNSAVED: &str = "unsaved.md";

/// Puts a text into our own folder, before a person takes another version or quits. The skill itself
/// may be gone meanwhile. `unsaved`: it is the person's own, to be offered to them again.
///
/// # Errors
/// When the key leaves our folder, or the text cannot be written.
pub async fn keep_version(engine: &Engine, key: &str, text: String, unsaved: bool) -> Result<(), ActionError> {
    let kept = kept(engine, key)?;
    let end = if unsaved { UNSAVED } else { "md" };
    blocking(move || keep(&kept, text.as_bytes(), end)).await
}

/// The texts of a skill that are to be offered again, the newest first.
///
/// # Errors
/// When the key leaves our folder.
pub async fn kept_versions(engine: &Engine, key: &str) -> Result<Vec<Kept>, ActionError> {
    let kept = kept(engine, key)?;
    blocking(move || {
        let mut moments: Vec<u64> = fs::read_dir(kept)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(UNSAVED)?.strip_suffix('.')?.parse().ok())
            .collect();
        moments.sort_unstable_by(|a, b| b.cmp(a));
        Ok(moments.into_iter().map(|moment| Kept { moment }).collect())
    })
    .await
}

/// One of these texts.
///
/// # Errors
/// When it is not there any more.
pub async fn read_kept(engine: &Engine, key: &str, moment: u64) -> Result<String, ActionError> {
    let path = kept(engine, key)?.join(format!("{moment}.{UNSAVED}"));
    blocking(move || {
        let bytes = guest::read(&path, LARGEST).ok().flatten();
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(gone)
    })
    .await
}

/// Offers one of these texts no more. It stays among the versions that are kept.
///
/// # Errors
/// When it is not there any more.
pub async fn settle_kept(engine: &Engine, key: &str, moment: u64) -> Result<(), ActionError> {
    let folder = kept(engine, key)?;
    let (from, to) = (folder.join(format!("{moment}.{UNSAVED}")), folder.join(format!("{moment}.md")));
    blocking(move || fs::rename(from, to).map_err(|_| gone())).await
}

fn gone() -> ActionError {
    failed(ErrorKind::NotFound, "This text is not kept any more.")
}

/// Where versions of a skill are kept.
pub(super) fn kept(engine: &Engine, key: &str) -> Result<PathBuf, ActionError> {
    writing(engine)?;
    let key = Path::new(key);
    if !key.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(failed(ErrorKind::Input, "This is not the name of a skill."));
    }
    Ok(engine.machine().data.join("kept").join(key))
}

/// Keeps a version under a name with this end, and of this file no more than the last twenty.
pub(super) fn keep(folder: &Path, bytes: &[u8], end: &str) -> Result<(), ActionError> {
    let system = |error: io::Error| {
        let message =
            format!("The version before could not be kept in {}, so nothing was saved: {error}.", folder.display());
        failed(ErrorKind::System, message)
    };
    make_private(folder).map_err(system)?;
    let mut names = (clock::now()..).map(|moment| folder.join(format!("{moment}.{end}")));
    let path = names.find(|path| !path.exists()).unwrap_or_else(|| folder.join("last.md"));
    guest::replace(&path, None, Some(bytes)).map_err(|error| failed(ErrorKind::System, error.to_string()))?;
    // A text that was not offered yet is nobody's to throw away.
    let is_version = |path: &PathBuf| path.is_file() && !path.to_string_lossy().ends_with(UNSAVED);
    let mut versions: Vec<_> =
        fs::read_dir(folder).map_err(system)?.flatten().map(|entry| entry.path()).filter(is_version).collect();
    versions.sort();
    for old in versions.iter().rev().skip(KEPT) {
        fs::remove_file(old).map_err(system)?;
    }
    Ok(())
}
