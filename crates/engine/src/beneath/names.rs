//! The names of one file. A second name (a hard link) is no path that leads out, but what it names may be any file that its
//! user has: so a file is read only if all its names lie in the folder.

use std::{fs::File, io, path::Path};

/// How many files are looked at for a second name. A folder with more is none of a skill.
#[cfg(unix)]
const MOST: usize = 10_000;

/// Whether this file may be read as one of `folder`.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] when it has a name elsewhere, but for a disk that nobody can write: stores that keep
/// equal files once are such.
#[cfg(unix)]
pub(super) fn all_beneath(file: &File, folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    let metadata = file.metadata()?;
    if metadata.nlink() < 2 || !metadata.is_file() || is_read_only(file) {
        return Ok(());
    }
    let (mut found, mut seen, mut folders) = (0, 0, vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()?.flatten() {
            let Ok(other) = entry.metadata() else { continue };
            if other.is_dir() {
                folders.push(entry.path());
            }
            found += u64::from((other.dev(), other.ino()) == (metadata.dev(), metadata.ino()));
            seen += 1;
            if found >= metadata.nlink() {
                return Ok(());
            }
            if seen > MOST {
                return Err(super::leads_out());
            }
        }
    }
    Err(super::leads_out())
}

#[cfg(unix)]
fn is_read_only(file: &File) -> bool {
    use rustix::fs::{StatVfsMountFlags, fstatvfs};

    fstatvfs(file).is_ok_and(|disk| disk.f_flag.contains(StatVfsMountFlags::RDONLY))
}

/// Elsewhere it is not told how many names a file has.
#[cfg(not(unix))]
pub(super) fn all_beneath(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
