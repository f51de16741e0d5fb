//! The steps that change which file a name refers to, each atomic where the system allows it.
//!
//! Linux and macOS can exchange two names. Where their file system cannot (NFS, some of FUSE, HFS+), the new file takes
//! the old one's name and the old one is gone. Windows has `ReplaceFileW`, which keeps the old file next to the new one
//! and consists of several steps. The code for Windows was run in Wine, that for macOS by nobody yet.

use std::{fs, io, path::Path};

/// Exchanges two files or folders. Returns `false` if the system cannot; then nothing has changed.
#[cfg(unix)]
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    rename_with(one, other, How::Exchange)
}

/// Renames a file to a free name.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when the name is taken.
#[cfg(unix)]
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    if rename_with(from, to, How::New)? {
        return Ok(());
    }
    // A hard link cannot replace another file either. If we are killed in between, both names remain.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Without hard links (FAT), a file that appears at this very moment is lost.
        Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

#[cfg(unix)]
#[derive(Clone, Copy)]
enum How {
    Exchange,
    New,
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_with(from: &Path, to: &Path, how: How) -> io::Result<bool> {
    use rustix::{
        fs::{CWD, RenameFlags, renameat_with},
        io::Errno,
    };

    let flags = match how {
        How::Exchange => RenameFlags::EXCHANGE,
        How::New => RenameFlags::NOREPLACE,
    };
    match renameat_with(CWD, from, CWD, to, flags) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn rename_with(_: &Path, _: &Path, _: How) -> io::Result<bool> {
    Ok(false)
}

/// Gives `other` the bytes of `one`, and `one` the former file `other`; `other` keeps its access list, attributes and
/// other streams. If interrupted, the old file is called `<one>.old`.
#[cfg(windows)]
#[expect(unsafe_code, reason = "Windows replaces a file and keeps what belongs to it by a C function only")]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use std::{os::windows::ffi::OsStrExt as _, ptr};

    use windows_sys::Win32::Storage::FileSystem::{REPLACEFILE_WRITE_THROUGH, ReplaceFileW};

    use crate::held;

    let old = super::temp_file::old(one);
    let wide = |path: &Path| path.as_os_str().encode_wide().chain([0]).collect::<Vec<_>>();
    let (replaced, replacement, backup) = (wide(other), wide(one), wide(&old));
    held::patiently(|| {
        // SAFETY: three zero-terminated strings that outlive the call; the reserved pointers are null.
        let done = unsafe {
            ReplaceFileW(
                replaced.as_ptr(),
                replacement.as_ptr(),
                backup.as_ptr(),
                REPLACEFILE_WRITE_THROUGH,
                ptr::null(),
                ptr::null(),
            )
        };
        if done != 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        restore(&old, other);
        Err(error)
    })?;
    held::patiently(|| fs::rename(&old, one)).map(|()| true)
}

/// Gives a file its name back after an exchange that failed halfway: the old file has its other name already, and the new
/// one not yet this one. `recover` does the same after an interruption.
#[cfg(any(windows, test))]
fn restore(old: &Path, name: &Path) {
    if name.symlink_metadata().is_err()
        && old.symlink_metadata().is_ok()
        && let Err(error) = rename_new(old, name)
    {
        tracing::warn!(%error, old = %old.display(), "a file could not get its name back");
    }
}

/// Renames a file to a free name.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when the name is taken.
#[cfg(windows)]
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).and_then(|()| fs::remove_file(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_that_fails_halfway_gives_the_old_file_its_name_back() {
        let folder = tempfile::tempdir().unwrap();
        let (old, name) = (folder.path().join("a.old"), folder.path().join("a"));
        fs::write(&old, "old").unwrap();
        restore(&old, &name);
        assert_eq!(fs::read_to_string(&name).unwrap(), "old");
        assert!(!old.exists());
        // One that failed before its first step has moved nothing.
        fs::write(&old, "older").unwrap();
        restore(&old, &name);
        assert_eq!(fs::read_to_string(&name).unwrap(), "old");
    }
}
