//! The names of one file. A hard link does not lead out as a path, but it may name any file of its user: so a file is
//! read only if all its names are in the folder.

use std::{
    fs::{File, Metadata},
    io,
    path::Path,
};

/// The maximum number of files that are searched for a second name. A folder with more is not a skill's.
#[cfg(unix)]
const MOST: usize = 10_000;

/// What the system says of a file, if it may be read as one of `folder`.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] when it has a name elsewhere, except on a read-only disk: stores that
/// deduplicate files are read-only.
#[cfg(unix)]
pub(super) fn all_beneath(file: &File, folder: &Path) -> io::Result<Metadata> {
    use std::os::unix::fs::MetadataExt as _;

    let metadata = file.metadata()?;
    if metadata.nlink() < 2 || !metadata.is_file() || is_read_only(file) {
        return Ok(metadata);
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
                return Ok(metadata);
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

/// Other systems do not report how many names a file has.
#[cfg(not(unix))]
pub(super) fn all_beneath(file: &File, _: &Path) -> io::Result<Metadata> {
    file.metadata()
}
