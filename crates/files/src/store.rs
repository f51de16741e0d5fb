//! Skilltender's own state on the disk: readable JSON files, one per concern, replaced as a whole.
//!
//! Every file contains its version, and `format.json` that of the whole folder, for the files that hold none. An added
//! field does not raise the version: fields that a later program wrote are kept (each type keeps the rest in a flattened
//! map). What an older program would misread does, and that program then refuses the folder ([`refuse_newer`]). The
//! engine that holds the lock brings a folder of an earlier version forward ([`bring_forward`]), and who only reads does
//! so with each file that it reads ([`steps`]). A file that cannot be read is set aside under another name, with a
//! notice, and the defaults apply. Only the engine that holds the lock saves; who may is left to it.

mod back;
mod folder;
mod forward;
mod steps;

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use machine::{clock, waiting};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Map, Value};

use crate::{held, replace_file, replace_file::ReplaceError};

pub use back::{Back, take_back};
pub use folder::{Newer, copies, kept, refuse_newer};
pub use forward::bring_forward;
pub use steps::{Step, try_steps};

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

/// The same, and why it is unusable, as a sentence.
pub fn peek_at<T: Default + DeserializeOwned>(path: &Path) -> (T, Option<String>) {
    match read(path) {
        Ok(value) => (value.unwrap_or_default(), None),
        Err(reason) => (T::default(), Some(stays_unread(path, &reason))),
    }
}

/// The content of `path`; `None` when it does not exist or is unusable.
pub fn known<T: DeserializeOwned>(path: &Path) -> Option<T> {
    read(path).ok().flatten()
}

/// Why `path` is unusable, as a sentence; `None` when it is usable or does not exist.
pub fn trouble<T: DeserializeOwned>(path: &Path) -> Option<String> {
    // Of a later one, whoever reads the folder says it.
    if is_newer(path) {
        return None;
    }
    let reason = read::<T>(path).err()?;
    Some(stays_unread(path, &reason))
}

fn stays_unread(path: &Path, reason: &str) -> String {
    format!("{} could not be read ({reason}), so its defaults apply. Mend it, or move it away.", path.display())
}

/// Writes `value` to `path`. It is on the disk when this returns.
///
/// # Errors
/// When the disk refuses; the file stays as it was.
pub fn save<T: Serialize>(path: &Path, value: &T) -> Result<(), ReplaceError> {
    save_as(path, steps::ours(), value)
}

fn save_as<T: Serialize>(path: &Path, version: u32, value: &T) -> Result<(), ReplaceError> {
    let system = |source: io::Error| ReplaceError::System { path: path.to_path_buf(), source };
    let mut json = serde_json::to_vec_pretty(&Versioned { version, value }).map_err(|error| system(error.into()))?;
    json.push(b'\n');
    write(path, &json)
}

/// `value` as a file of our present version holds it, without spaces: for files with many numbers.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn dense<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut json = serde_json::to_vec(&Versioned { version: steps::ours(), value })?;
    json.push(b'\n');
    Ok(json)
}

/// Whether a file is of a later version than this program knows: it must not be replaced.
pub fn is_newer(path: &Path) -> bool {
    version(path).is_some_and(|version| version > steps::ours())
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
    let (file, next) = next.keep().map_err(|error| system(error.error))?;
    // Windows gives an open file no other name.
    drop(file);
    if let Err(error) = held::patiently(|| fs::rename(&next, &target)) {
        drop(fs::remove_file(&next));
        return Err(system(error));
    }
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
    current(path, &bytes, steps::known()).map(Some)
}

/// The version in a file.
fn version(path: &Path) -> Option<u32> {
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let bytes = replace_file::read(path, LARGEST).ok()??;
    serde_json::from_slice::<Head>(&bytes).ok().map(|head| head.version)
}

/// The content of a file, brought forward by `steps` if it is of an earlier version.
fn current<T: DeserializeOwned>(path: &Path, bytes: &[u8], steps: &[Step]) -> Result<T, String> {
    let said = |error: serde_json::Error| error.to_string();
    let file: Versioned<IgnoredAny> = serde_json::from_slice(bytes).map_err(said)?;
    let ours = steps::version_after(steps);
    if file.version == ours {
        // Not through a value of any kind: an error then says its line.
        return serde_json::from_slice::<Versioned<T>>(bytes).map(|file| file.value).map_err(said);
    }
    let Some(steps) = steps::from(steps, file.version) else {
        return Err(format!("it is of version {}, this program knows version {ours}", file.version));
    };
    let mut file: Versioned<Map<String, Value>> = serde_json::from_slice(bytes).map_err(said)?;
    steps.iter().for_each(|step| step(path, &mut file.value));
    serde_json::from_value(Value::Object(file.value)).map_err(said)
}

fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".unreadable-{}", clock::now()));
    let aside = PathBuf::from(name);
    fs::rename(path, &aside)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program of version 3 would do with the files of the two before.
    const LATER: &[Step] = &[
        |file, content| {
            if file.ends_with("choices.json") {
                let off = content.remove("off").unwrap_or_default();
                content.insert("on".to_owned(), Value::Bool(off != Value::Bool(true)));
            }
        },
        |_, content| drop(content.insert("third".to_owned(), Value::Bool(true))),
    ];

    fn read_later(name: &str, text: &str) -> Result<Map<String, Value>, String> {
        current(Path::new(name), text.as_bytes(), LATER)
    }

    #[test]
    fn a_file_of_an_earlier_version_is_brought_forward_step_by_step_and_keeps_the_rest() {
        let read = |name, text| Value::Object(read_later(name, text).unwrap()).to_string();
        let old = r#"{"version": 1, "off": true, "mine": [1]}"#;
        assert_eq!(read("choices.json", old), r#"{"mine":[1],"on":false,"third":true}"#);
        assert_eq!(read("values.json", old), r#"{"off":true,"mine":[1],"third":true}"#);
        assert_eq!(read("choices.json", r#"{"version": 2, "on": true}"#), r#"{"on":true,"third":true}"#);
        assert_eq!(read("choices.json", r#"{"version": 3, "on": true}"#), r#"{"on":true}"#);
    }

    #[test]
    fn a_version_that_never_was_or_is_to_come_is_not_read() {
        for version in [0, 4, u32::MAX] {
            let said = read_later("choices.json", &format!(r#"{{"version": {version}}}"#)).unwrap_err();
            assert_eq!(said, format!("it is of version {version}, this program knows version 3"));
        }
    }
}
