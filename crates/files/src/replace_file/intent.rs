//! A record of each write, on the disk before the write: `writing/<digest of the path>.json` in our data folder. It is
//! locked during the write, so that two of our processes never write one file at once, and emptied when the write has
//! ended, whatever the outcome. A record that is neither empty nor locked belongs to an interrupted write.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use machine::{lock::Lockable, make_private};
use serde::{Deserialize, Serialize};

use super::{ReplaceError, follow, recover, sync_folder, temp_file};
use crate::digest;

/// The folder of these records.
pub(super) const FOLDER: &str = "writing";
/// The maximum size of a record, in bytes.
const LARGEST: u64 = 1 << 20;

/// The facts about one write that are needed to find out afterwards whether it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    /// The file, with all links resolved. Not every name is UTF-8.
    pub(super) target: OsString,
    /// SHA-256 of the file before; `None` if it did not exist.
    pub(super) before: Option<String>,
    /// SHA-256 of the file afterwards; `None` if it is removed.
    pub(super) after: Option<String>,
    /// Our own files that record the write; they are removed if it was not made.
    pub(super) told: Vec<PathBuf>,
    /// Files with names of ours that were next to the target before, with the SHA-256 of what could be read: left over from
    /// an earlier write, or put there by somebody. They say nothing about this one.
    #[serde(default)]
    there: Vec<(OsString, Option<String>)>,
}

impl Intent {
    /// Complete files next to the target that this write has left, which may be another program's.
    pub(super) fn left(&self) -> Vec<PathBuf> {
        let mut left = temp_file::whole(Path::new(&self.target));
        left.retain(|path| !self.there.contains(&seen(path)));
        left
    }
}

fn seen(path: &Path) -> (OsString, Option<String>) {
    (path.as_os_str().to_owned(), recover::digest_of(path).ok().flatten())
}

/// A write in progress. It ends when this is dropped.
#[derive(Debug)]
pub struct Begun {
    file: Lockable,
    intent: Intent,
}

/// Begins to write `path`. `before` and `after` are the SHA-256 of its bytes, `told` our own files to remove if an
/// interruption prevents the write. The record is on the disk when this returns.
///
/// # Errors
/// When the record cannot be written.
pub fn begin(
    data: &Path,
    path: &Path,
    before: Option<&str>,
    after: Option<&str>,
    told: Vec<PathBuf>,
) -> Result<Begun, ReplaceError> {
    let target = follow(path)?;
    // Two paths to one folder name the same file.
    let folder = target.parent().unwrap_or(Path::new("/"));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let target = folder.join(target.file_name().unwrap_or_default());

    let writing = data.join(FOLDER);
    let name = writing.join(format!("{}.json", &digest(target.as_os_str().as_encoded_bytes())[..32]));
    let system = |source| ReplaceError::from_system(&name, source);
    make_private(&writing).map_err(system)?;
    let mut file = Lockable::open(&name, true).map_err(system)?;
    lock(&file, path, 250)?;
    // Left over from earlier in this run.
    if let Some(earlier) = read(&mut file) {
        drop(recover::recovered(&earlier));
    }
    let [before, after] = [before, after].map(|digest| digest.map(str::to_owned));
    let there = temp_file::whole(&target).iter().map(|path| seen(path)).collect();
    let intent = Intent { target: target.into_os_string(), before, after, told, there };
    let json = serde_json::to_vec(&intent).map_err(|error| system(error.into()))?;
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(&json))
        .and_then(|()| file.sync_all())
        .map_err(system)?;
    sync_folder(&writing)?;
    Ok(Begun { file, intent })
}

impl Begun {
    /// Whether the file has the new contents.
    pub fn is_made(&self) -> bool {
        recover::digest_of(Path::new(&self.intent.target)).is_ok_and(|now| now == self.intent.after)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let target = Path::new(&self.intent.target);
        // A file that could not be removed now is handled at the next start.
        if self.intent.left().is_empty() && temp_file::parts(target).is_empty() {
            drop(self.file.set_len(0));
        }
    }
}

/// The intent in the record, if it has one.
pub(super) fn read(file: &mut File) -> Option<Intent> {
    let mut bytes = Vec::new();
    file.rewind().ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Waits for another of our processes, up to `tries` times 20 ms.
///
/// # Errors
/// When the file is still locked then.
pub(super) fn lock(file: &Lockable, path: &Path, tries: u32) -> Result<(), ReplaceError> {
    const PAUSE: Duration = Duration::from_millis(20);
    for _ in 0..tries {
        match file.try_take() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(source)) => return Err(ReplaceError::from_system(path, source)),
        }
    }
    Err(ReplaceError::Busy(path.to_path_buf()))
}
