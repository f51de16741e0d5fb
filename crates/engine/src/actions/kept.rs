//! Versions of a SKILL.md that would otherwise be lost: the bytes before each save, and unsaved texts. Unsaved texts
//! are offered again when the skill is opened.
//!
//! They are stored in our own folder as `kept/<skill>/<moment>.md`; a text still to be offered is called
//! `<moment>.unsaved.md`.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use api::{ActionError, ErrorKind, Kept, failed};
use files::replace_file::{self, ReplaceError};
use library::LARGEST;
use machine::{clock, make_private, waiting::Turn};
use state::blocking;

use crate::{Engine, actions::writing};

/// How many versions of one file are kept.
const KEPT: usize = 20;

/// The suffix of a text that is still to be offered, and of one that is not.
const UNSAVED: &str = "unsaved.md";
const VERSION: &str = "md";

/// Held while a free name is chosen and used, because two texts may be stored in the same moment. Only one engine
/// writes here.
static NAMING: Turn<()> = Turn::new(());

/// Stores a text in our own folder, before the user takes another version or quits. The skill itself may be gone by
/// then. `unsaved`: the text is the user's own and is offered to them again.
///
/// # Errors
/// When the key leads out of our folder, or the text cannot be written.
pub async fn keep_version(engine: &Engine, key: &str, text: String, unsaved: bool) -> Result<(), ActionError> {
    let kept = kept(engine, key)?;
    let end = if unsaved { UNSAVED } else { VERSION };
    blocking(move || keep(&kept, text.as_bytes(), end).map(drop)).await
}

/// The texts of a skill that are to be offered again, newest first.
///
/// # Errors
/// When the key leads out of our folder.
pub async fn kept_versions(engine: &Engine, key: &str) -> Result<Vec<Kept>, ActionError> {
    let kept = place(engine, key)?;
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
/// When it no longer exists.
pub async fn read_kept(engine: &Engine, key: &str, moment: u64) -> Result<String, ActionError> {
    let path = place(engine, key)?.join(format!("{moment}.{UNSAVED}"));
    blocking(move || {
        let bytes = replace_file::read(&path, LARGEST).ok().flatten();
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(gone)
    })
    .await
}

/// Stops offering one of these texts. It stays among the stored versions.
///
/// # Errors
/// When it no longer exists.
pub async fn settle_kept(engine: &Engine, key: &str, moment: u64) -> Result<(), ActionError> {
    let folder = kept(engine, key)?;
    blocking(move || {
        let _naming = NAMING.wait();
        let from = folder.join(format!("{moment}.{UNSAVED}"));
        let to = (moment..).map(|moment| folder.join(format!("{moment}.{VERSION}"))).find(|path| !path.exists());
        fs::rename(from, to.ok_or_else(gone)?).map_err(|_| gone())
    })
    .await
}

fn gone() -> ActionError {
    failed(ErrorKind::NotFound, "This text is not kept any more.")
}

/// The folder to write versions of a skill to; refused in an engine that only reads.
pub(super) fn kept(engine: &Engine, key: &str) -> Result<PathBuf, ActionError> {
    writing(engine)?;
    place(engine, key)
}

/// The folder with the versions of a skill.
fn place(engine: &Engine, key: &str) -> Result<PathBuf, ActionError> {
    let key = Path::new(key);
    if !key.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(failed(ErrorKind::Input, "This is not the name of a skill."));
    }
    Ok(engine.machine().data.join("kept").join(key))
}

/// The bytes of an earlier version.
///
/// # Errors
/// When it is not kept any more.
pub(super) fn version(folder: &Path, moment: u64) -> Result<Vec<u8>, ActionError> {
    let bytes = replace_file::read(&folder.join(format!("{moment}.{VERSION}")), LARGEST).ok().flatten();
    bytes.ok_or_else(gone)
}

/// Stores a version under a name with this suffix, and keeps at most the last twenty of this file. Returns its moment.
pub(super) fn keep(folder: &Path, bytes: &[u8], end: &str) -> Result<u64, ActionError> {
    let unkept = |error: ReplaceError| {
        failed(ErrorKind::System, format!("The version before could not be kept, so nothing was saved. {error}"))
    };
    let system = |error: io::Error| unkept(ReplaceError::from_system(folder, error));
    make_private(folder).map_err(system)?;
    let naming = NAMING.wait();
    // Both names of a moment must be free, because an unsaved text becomes a version of the same moment.
    let is_free = |moment: &u64| [UNSAVED, VERSION].iter().all(|end| !folder.join(format!("{moment}.{end}")).exists());
    let moment = (clock::now()..).find(is_free).unwrap_or(u64::MAX);
    let path = folder.join(format!("{moment}.{end}"));
    replace_file::replace(&path, None, Some(bytes)).map_err(unkept)?;
    drop(naming);
    // A text that was not offered yet is never deleted.
    let is_version = |path: &PathBuf| path.is_file() && !path.to_string_lossy().ends_with(UNSAVED);
    let mut versions: Vec<_> =
        fs::read_dir(folder).map_err(system)?.flatten().map(|entry| entry.path()).filter(is_version).collect();
    versions.sort();
    for old in versions.iter().rev().skip(KEPT) {
        fs::remove_file(old).map_err(system)?;
    }
    Ok(moment)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn texts_that_come_in_one_moment_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let ends = [UNSAVED, VERSION];
        thread::scope(|scope| {
            for number in 0..KEPT {
                let folder = folder.path();
                scope.spawn(move || keep(folder, format!("text {number}").as_bytes(), ends[number % 2]).unwrap());
            }
        });
        let files = || fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut texts: Vec<_> = files().map(|file| fs::read_to_string(file).unwrap()).collect();
        let mut expected: Vec<_> = (0..KEPT).map(|number| format!("text {number}")).collect();
        texts.sort();
        expected.sort();
        assert_eq!(texts, expected);
        let mut moments: Vec<_> = files()
            .map(|file| file.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned())
            .collect();
        moments.sort();
        moments.dedup();
        assert_eq!(moments.len(), KEPT, "no unsaved text shares its moment with a version");
    }
}
