//! Skilltender's own state on the disk: readable JSON files, one per concern, replaced as a whole.
//!
//! Every file contains its version. Fields that a later version wrote are kept (each type keeps the rest in a
//! flattened map). A file that cannot be read is set aside under another name, with a notice, and the defaults
//! apply. Only the engine that holds the lock saves; who may is left to it.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use machine::{clock, waiting};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{replace_file, replace_file::ReplaceError};

/// The version that this program writes.
const VERSION: u32 = 1;

/// In bytes; more than any state file grows to.
const LARGEST: u64 = 64 << 20;

/// Prefix of the name of a file that is not completely written yet.
const UNFINISHED: &str = ".skilltender-";

/// A file's content, after its version.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    value: T,
}

/// A state file that could not be read and was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Where it was.
    pub path: PathBuf,
    /// The reason and where the file is now, as sentences.
    pub message: String,
}

/// The content of `path`; defaults when the file does not exist. An unusable file is set aside (`choices.json`
/// as `choices.json.unreadable-1795228800000`), and [`Unreadable`] says so.
pub fn load<T: Default + DeserializeOwned>(path: &Path) -> (T, Option<Unreadable>) {
    match read(path) {
        Ok(value) => (value.unwrap_or_default(), None),
        Err(reason) => {
            let aside = set_aside(path).map_or_else(
                |error| format!("It could not be set aside either: {error}."),
                |aside| format!("What it held was kept in {}.", aside.display()),
            );
            let message = format!("{} could not be read ({reason}), so its defaults apply. {aside}", path.display());
            (T::default(), Some(Unreadable { path: path.to_path_buf(), message }))
        }
    }
}

/// The content of `path`, for an engine that does not write: defaults when it is unusable.
pub fn peek<T: Default + DeserializeOwned>(path: &Path) -> T {
    read(path).ok().flatten().unwrap_or_default()
}

/// Why `path` is unusable, as a sentence; `None` when it is usable or does not exist.
pub fn trouble<T: DeserializeOwned>(path: &Path) -> Option<String> {
    let reason = read::<T>(path).err()?;
    let path = path.display();
    Some(format!("{path} could not be read ({reason}), so its defaults apply. Mend it, or move it away."))
}

/// Writes `value` to `path`. It is on the disk when this returns.
///
/// # Errors
/// When the disk refuses; the file stays as it was.
pub fn save<T: Serialize>(path: &Path, value: &T) -> Result<(), ReplaceError> {
    let system = |source: io::Error| ReplaceError::System { path: path.to_path_buf(), source };
    let mut json =
        serde_json::to_vec_pretty(&Versioned { version: VERSION, value }).map_err(|error| system(error.into()))?;
    json.push(b'\n');
    write(path, &json)
}

/// Replaces the content of a state file with `bytes`, atomically; a new file is for the user alone. A link stays a
/// link. The content is on the disk when this returns.
///
/// # Errors
/// When the disk refuses; the file stays as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    waiting::for_disk(path);
    let target = replace_file::follow(path)?;
    let system = |source| ReplaceError::from_system(path, source);
    let folder = target.parent().unwrap_or(Path::new("/"));
    replace_file::refuse_closed(folder)?;
    let mut next = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder).map_err(system)?;
    if let Ok(old) = fs::metadata(&target) {
        if old.permissions().readonly() {
            return Err(ReplaceError::ReadOnly(target));
        }
        next.as_file().set_permissions(old.permissions()).map_err(system)?;
    }
    next.write_all(bytes).and_then(|()| next.as_file().sync_all()).map_err(system)?;
    next.persist(&target).map_err(|error| system(error.error))?;
    replace_file::sync_folder(folder)
}

/// Removes leftovers of an interrupted [`write()`] from these folders, which no other program writes.
pub fn sweep(folders: impl IntoIterator<Item = PathBuf>) {
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let unfinished = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(UNFINISHED));
    // A folder of that name is another program's; a leftover file does no harm.
    unfinished.for_each(|entry| drop(fs::remove_file(entry.path())));
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, String> {
    waiting::for_disk(path);
    let Some(bytes) = replace_file::read(path, LARGEST).map_err(|error| error.to_string())? else { return Ok(None) };
    let file: Versioned<T> = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    if file.version != VERSION {
        return Err(format!("it is of version {}, this program knows version {VERSION}", file.version));
    }
    Ok(Some(file.value))
}

fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".unreadable-{}", clock::now()));
    let aside = PathBuf::from(name);
    fs::rename(path, &aside)?;
    Ok(aside)
}
