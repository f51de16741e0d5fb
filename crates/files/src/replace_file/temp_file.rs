//! The temporary file next to a file that is being changed: first it has the new bytes, afterwards the replaced ones.
//! It is removed when the change is done; after an interruption `recover` finds it by its name.
//!
//! `.skilltender-<name>.1.part` is still being written and always ours; `.skilltender-<name>.1` is complete and,
//! because of the exchange, may be another program's.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write as _},
    mem,
    path::{Path, PathBuf},
};

use super::{ReplaceError, attributes::Attributes, swap};

/// More than one exists only when several interrupted changes could not be recovered.
const MOST: u32 = 9;
/// A longer name is cut, so that ours stays within the file system's limit.
const LONGEST: usize = 120;

/// A file of ours next to `target`. Removed on drop.
#[derive(Debug)]
pub(super) struct Stray {
    path: PathBuf,
}

impl Stray {
    /// Writes `bytes` next to `target`, with the metadata `old`, or accessible only to the user. On the disk when this
    /// returns.
    pub(super) fn write(target: &Path, bytes: &[u8], old: Option<&Attributes>) -> Result<Self, ReplaceError> {
        let (mut file, part, whole) = begin(target, old.is_some())?;
        let system = |source| ReplaceError::from_system(target, source);
        file.write_all(bytes).map_err(system)?;
        if let Some(old) = old {
            old.give(&file, target)?;
        }
        file.sync_all().map_err(system)?;
        if file.metadata().map_err(system)?.len() != bytes.len() as u64 {
            return Err(system(io::Error::other("not everything was written")));
        }
        swap::rename_new(&part.path, &whole).map_err(system)?;
        mem::forget(part);
        Ok(Self { path: whole })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the file: it has been moved, or is no longer ours.
    pub(super) fn leave(mut self) -> PathBuf {
        let path = mem::take(&mut self.path);
        mem::forget(self);
        path
    }
}

impl Drop for Stray {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// A new file that only we can read, under the first free name, and its name when complete.
fn begin(target: &Path, copy: bool) -> Result<(File, Stray, PathBuf), ReplaceError> {
    for whole in free(target) {
        let path = part(&whole);
        match open(&path, target, copy) {
            Ok(file) => {
                let part = Stray { path };
                // The `.part` name reserves the other one, unless that was taken a moment ago.
                if whole.symlink_metadata().is_err() {
                    return Ok((file, part, whole));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let folder = target.parent().unwrap_or(Path::new("/"));
                return Err(ReplaceError::from_system(folder, error));
            }
        }
    }
    Err(ReplaceError::Taken(name(target, MOST)))
}

fn open(part: &Path, target: &Path, copy: bool) -> io::Result<File> {
    if cfg!(target_os = "macos") && copy {
        fs::copy(target, part)?;
        return File::options().write(true).truncate(true).open(part);
    }
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(part)
}

/// Moves `target` aside, to a free name.
pub(super) fn set_aside(target: &Path) -> Result<PathBuf, ReplaceError> {
    for whole in free(target) {
        match swap::rename_new(target, &whole) {
            Ok(()) => return Ok(whole),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(ReplaceError::from_renaming(target, error)),
        }
    }
    Err(ReplaceError::Taken(name(target, MOST)))
}

/// Free names next to `target`.
fn free(target: &Path) -> impl Iterator<Item = PathBuf> {
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err() && part(path).symlink_metadata().is_err();
    names(target).filter(is_free)
}

/// Complete files of ours next to `target`, which may be another program's.
pub(super) fn whole(target: &Path) -> Vec<PathBuf> {
    let names = names(target).flat_map(|name| [Some(name.clone()), cfg!(windows).then(|| old(&name))]);
    names.flatten().filter(|name| name.symlink_metadata().is_ok_and(|there| there.is_file())).collect()
}

/// Unfinished files of ours next to `target`.
pub(super) fn parts(target: &Path) -> Vec<PathBuf> {
    let parts = names(target).map(|name| part(&name));
    parts.filter(|part| part.symlink_metadata().is_ok_and(|there| there.is_file())).collect()
}

/// Retries, because a file left behind would puzzle the user.
pub(super) fn remove(path: &Path) {
    const TRIES: u32 = 3;
    let gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    for _ in 0..TRIES {
        match fs::remove_file(path) {
            Ok(()) => return,
            Err(error) if gone(&error) => return,
            Err(error) => tracing::warn!(path = %path.display(), %error, "a file of ours could not be removed"),
        }
    }
}

/// The temporary name of the old file on Windows.
pub(super) fn old(whole: &Path) -> PathBuf {
    with_end(whole, ".old")
}

fn part(whole: &Path) -> PathBuf {
    with_end(whole, ".part")
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    path.into()
}

fn names(target: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=MOST).map(|number| name(target, number))
}

fn name(target: &Path, number: u32) -> PathBuf {
    let of = target.file_name().unwrap_or_default();
    let mut name = OsString::from(".skilltender-");
    if of.len() <= LONGEST {
        name.push(of);
    } else {
        name.push(of.to_string_lossy().chars().take(LONGEST / 4).collect::<String>());
    }
    name.push(format!(".{number}"));
    target.with_file_name(name)
}
