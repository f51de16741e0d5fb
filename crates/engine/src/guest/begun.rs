//! What we are about to write, on the disk before it is written: `writing/<digest of the path>.json`
//! in our data folder. It is locked for as long as the write goes on, so that two processes of ours
//! never write one file at once, and emptied when the write is over, however it ended. What still
//! says something when nobody holds it was interrupted.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{GuestError, follow, settle, stray, sync_folder};
use crate::{library::digest, machine::make_private};

/// The folder of these files.
pub(super) const FOLDER: &str = "writing";
/// More than any of them grows to.
const LARGEST: u64 = 1 << 20;

/// One write, as far as it must be known to tell afterwards whether it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    /// The file, behind all links. Not every name is UTF-8.
    pub(super) target: OsString,
    /// SHA-256 of the file before; nothing when there was none.
    pub(super) before: Option<String>,
    /// SHA-256 of the file afterwards; nothing when it goes.
    pub(super) after: Option<String>,
    /// Our own files that tell of the write; they go if it was not made.
    pub(super) told: Vec<PathBuf>,
}

/// A write that has begun. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Begun {
    file: File,
    intent: Intent,
}

/// Begins to write `path`. `before` and `after` are its bytes' SHA-256, `told` our own files that go
/// if an interruption keeps the write from being made. On the disk when this returns.
pub(crate) fn begin(
    data: &Path,
    path: &Path,
    before: Option<&str>,
    after: Option<&str>,
    told: Vec<PathBuf>,
) -> Result<Begun, GuestError> {
    let target = follow(path)?;
    // Two ways to one folder are one file.
    let folder = target.parent().unwrap_or(Path::new("/"));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let target = folder.join(target.file_name().unwrap_or_default());

    let writing = data.join(FOLDER);
    let name = writing.join(format!("{}.json", &digest(target.as_os_str().as_encoded_bytes())[..32]));
    let system = |source| GuestError::from_system(&name, source);
    make_private(&writing).map_err(system)?;
    let mut file = open(&name, true).map_err(system)?;
    lock(&file, path, 250)?;
    // What could not be tidied up earlier in this run.
    if let Some(earlier) = read(&mut file) {
        drop(settle::settled(&earlier));
    }
    let [before, after] = [before, after].map(|digest| digest.map(str::to_owned));
    let intent = Intent { target: target.into_os_string(), before, after, told };
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
    /// Whether the file holds what was to be written.
    pub(crate) fn is_made(&self) -> bool {
        settle::digest_of(Path::new(&self.intent.target)).is_ok_and(|now| now == self.intent.after)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let target = Path::new(&self.intent.target);
        // A file that could not be removed now is looked at again at the next start.
        if stray::whole(target).is_empty() && stray::parts(target).is_empty() {
            drop(self.file.set_len(0));
        }
    }
}

/// Opens such a file; Windows needs the right to write in order to lock.
pub(super) fn open(path: &Path, create: bool) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.read(true).write(true).create(create).open(path)
}

/// What it says, if it says something.
pub(super) fn read(file: &mut File) -> Option<Intent> {
    let mut bytes = Vec::new();
    file.rewind().ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Waits for another process of ours, as many times 20 ms.
///
/// # Errors
/// When it is not done by then.
pub(super) fn lock(file: &File, path: &Path, tries: u32) -> Result<(), GuestError> {
    const PAUSE: Duration = Duration::from_millis(20);
    for _ in 0..tries {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(source)) => return Err(GuestError::from_system(path, source)),
        }
    }
    Err(GuestError::Busy(path.to_path_buf()))
}
