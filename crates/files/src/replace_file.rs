//! Safely replaces files that other programs also write: another program's settings, a user's SKILL.md.
//!
//! A file is replaced as a whole, so that a reader sees either the old or the new bytes, and only while it still is the
//! file that the change was computed from. The new bytes are written to a file next to it, with its owner, mode, access
//! list and attributes. Then the two are exchanged in one step, and the old file is checked: if it turns out to be
//! another program's save, it is put back. A program that reads the file in between sees our bytes; if it then saves
//! them with its own changes, that save stays in the file, and the other version is reported
//! ([`ReplaceError::Displaced`]). On Linux a lease (`lease`) keeps other programs from opening the file for writing
//! during this. A symbolic link stays a link: its target is written, in the target's own folder.
//!
//! Where the system cannot exchange files (`swap`), another program's save between the last check and the rename is
//! lost. Without leases, a write after our second check, through a handle opened earlier, is lost.
//!
//! Interrupted writes are recovered at the next start (`intent`, `recover`). The contents are decided elsewhere; our own
//! state is written by `store`.

mod attributes;
mod error;
mod intent;
mod lease;
mod recover;
mod swap;
mod target;
mod temp_file;
#[cfg(test)]
mod tests;

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use machine::waiting;

#[cfg(unix)]
pub(crate) use self::swap::exchange;
pub use self::{
    attributes::Attributes,
    error::ReplaceError,
    intent::{Begun, begin},
    recover::recover,
};
use self::{target::Held, temp_file::Stray};

/// The bytes of a file; `None` if it does not exist. Reads at most `limit` + 1 bytes, so a longer result means that the
/// file exceeds `limit`.
///
/// # Errors
/// When it is not a regular file, or may not be read.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReplaceError> {
    waiting::for_disk(path);
    let reading = |source| ReplaceError::from_reading(path, source);
    let file = match fs::metadata(path) {
        Ok(there) if there.is_file() => File::open(path).map_err(reading)?,
        Ok(_) => return Err(ReplaceError::NotAFile(path.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(reading(source)),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(reading)?;
    Ok(Some(bytes))
}

/// As [`replace_as`], keeping the file's mode.
///
/// # Errors
/// The same.
pub fn replace(path: &Path, expected: Option<&[u8]>, new: Option<&[u8]>) -> Result<(), ReplaceError> {
    replace_as(path, expected, new, None)
}

/// The permission bits of the file at `path`; `None` if there is no file, the system has no modes, or an access list
/// applies as well.
pub fn mode(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        let target = follow(path).ok()?;
        #[cfg(target_os = "linux")]
        if rustix::fs::getxattr(&target, c"system.posix_acl_access", &mut [0_u8; 0]).is_ok() {
            return None;
        }
        Some(fs::metadata(target).ok()?.mode() & 0o777)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Makes `path` contain `new` if it contains `expected` now; `None` means "no file" in both. An existing file gets
/// `mode`, if given.
///
/// The folder must exist. Everything is on the disk when this returns.
///
/// # Errors
/// The file is then as it was, or as another program left it.
pub fn replace_as(
    path: &Path,
    expected: Option<&[u8]>,
    new: Option<&[u8]>,
    mode: Option<u32>,
) -> Result<(), ReplaceError> {
    waiting::for_disk(path);
    let target = follow(path)?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(match path.is_symlink() {
            true => ReplaceError::Dangling { path: path.to_path_buf(), target },
            false => ReplaceError::NoFolder(folder.to_path_buf()),
        });
    }
    refuse_closed(folder)?;
    let held = Held::open(&target)?;
    match (held, expected, new) {
        (None, None, None) => Ok(()),
        (None, None, Some(new)) => create(&target, new),
        (Some(held), Some(expected), Some(new)) => change(&held, expected, new, mode),
        (Some(held), Some(expected), None) => delete(&held, expected),
        _ => Err(ReplaceError::Changed(target)),
    }
}

fn create(target: &Path, new: &[u8]) -> Result<(), ReplaceError> {
    let next = Stray::write(target, new, None)?;
    swap::rename_new(next.path(), target).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => ReplaceError::Changed(target.to_path_buf()),
        _ => ReplaceError::from_renaming(target, error),
    })?;
    drop(next.leave());
    to_disk(target);
    Ok(())
}

fn change(held: &Held, expected: &[u8], new: &[u8], mode: Option<u32>) -> Result<(), ReplaceError> {
    let target = held.path();
    held.look(target, expected, None)?;
    let other = mode.map(|mode| held.attributes().with_mode(mode));
    let next = Stray::write(target, new, Some(other.as_ref().unwrap_or(held.attributes())))?;
    let lease = held.lease()?;
    held.look(target, expected, lease.as_ref())?;
    held.is_at(target)?;
    let renaming = |error| ReplaceError::from_renaming(target, error);
    if !swap::exchange(next.path(), target).map_err(renaming)? {
        fs::rename(next.path(), target).map_err(renaming)?;
        drop(next.leave());
        to_disk(target);
        return Ok(());
    }
    let came_out = next.leave();
    // Checked at once, and again when the exchange is on the disk: a program that was about to open the file by its old
    // name has done so by then, and waits for the lease.
    let looked = held.look(&came_out, expected, lease.as_ref()).and_then(|()| {
        to_disk(target);
        held.look(&came_out, expected, lease.as_ref())
    });
    match looked {
        Ok(()) => temp_file::remove(&came_out),
        Err(why) => return Err(put_back(&came_out, target, new, why)),
    }
    Ok(())
}

/// Exchanges the files again, and checks our own: another program may have read our new bytes from the file and saved
/// them with its own.
fn put_back(came_out: &Path, target: &Path, new: &[u8], why: ReplaceError) -> ReplaceError {
    let displaced = || ReplaceError::Displaced { path: target.to_path_buf(), kept: came_out.to_path_buf() };
    if !tried(|| swap::exchange(came_out, target)) {
        return displaced();
    }
    to_disk(target);
    let ours = Held::open(came_out).ok().flatten();
    let untouched = ours.is_some_and(|ours| {
        let lease = ours.lease();
        let untouched = lease.is_ok_and(|lease| ours.look(came_out, new, lease.as_ref()).is_ok());
        if untouched {
            temp_file::remove(came_out);
        }
        untouched
    });
    if untouched {
        return why;
    }
    // The later save stays in the file.
    tried(|| swap::exchange(came_out, target));
    displaced()
}

fn delete(held: &Held, expected: &[u8]) -> Result<(), ReplaceError> {
    let target = held.path();
    held.look(target, expected, None)?;
    let lease = held.lease()?;
    held.look(target, expected, lease.as_ref())?;
    held.is_at(target)?;
    let aside = temp_file::set_aside(target)?;
    let looked = held.look(&aside, expected, lease.as_ref()).and_then(|()| {
        to_disk(target);
        held.look(&aside, expected, lease.as_ref())
    });
    let Err(why) = looked else {
        temp_file::remove(&aside);
        return Ok(());
    };
    if tried(|| swap::rename_new(&aside, target).map(|()| true)) {
        return Err(why);
    }
    Err(ReplaceError::Displaced { path: target.to_path_buf(), kept: aside })
}

/// Retries, because the user has to deal with a file that cannot be put back.
fn tried(step: impl Fn() -> io::Result<bool>) -> bool {
    const TRIES: u32 = 3;
    (0..TRIES).any(|_| step().unwrap_or(false))
}

/// The change is made regardless: an error would make the caller believe that it was not.
fn to_disk(target: &Path) {
    if let Err(error) = sync_folder(target.parent().unwrap_or(Path::new("/"))) {
        tracing::warn!(%error, "a change may not be on the disk yet");
    }
}

/// The final target of a chain of symbolic links; it need not exist.
///
/// # Errors
/// When the links lead in a circle, or cannot be read.
pub fn follow(path: &Path) -> Result<PathBuf, ReplaceError> {
    const LINKS: usize = 40; // as many as Linux follows
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("/")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(ReplaceError::Circle(path.to_path_buf()))
}

/// Respects the user's protection of a folder, as of a file: the contents of one without any write bit, or with an
/// immutable mark, are not changed. On Windows the bit has another meaning for folders.
///
/// # Errors
/// When the folder is protected.
pub fn refuse_closed(folder: &Path) -> Result<(), ReplaceError> {
    if !cfg!(unix) {
        return Ok(());
    }
    // If it cannot be opened, the operation itself reports the error.
    let Ok(open) = File::open(folder) else { return Ok(()) };
    if open.metadata().is_ok_and(|folder| folder.permissions().readonly()) {
        return Err(ReplaceError::ReadOnly(folder.to_path_buf()));
    }
    target::refuse_marked(folder, &open)
}

/// A rename is on the disk once its folder is synced. Windows has no such call and needs none.
///
/// # Errors
/// When the disk refuses.
pub fn sync_folder(folder: &Path) -> Result<(), ReplaceError> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|source| ReplaceError::from_system(folder, source))?;
    }
    Ok(())
}
