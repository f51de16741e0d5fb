//! The files of a skill as they are on the disk.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use files::{all_files, confined, staged_dir::is_executable};
use sources::update::{FileBytes, FileSet};

use crate::Files;

/// The largest file of a skill, in bytes.
const LARGEST: u64 = 16 << 20;

/// What is in a skill's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disk {
    /// The files, without the leftovers of tools.
    pub files: FileSet,
    /// The paths of links, which are never read or replaced.
    pub links: Vec<String>,
}

/// A skill's folder cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be read: {source}.", path = .0.display(), source = .1)]
pub struct DiskError(pub PathBuf, #[source] pub io::Error);

/// Reads all files of a skill. Windows has no right to run a file: there it is as in `known`.
///
/// # Errors
/// When one of them cannot be read, or the folder holds too much for a skill.
pub fn read_files(location: &Path, known: &Files) -> Result<Disk, DiskError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| DiskError(path, error)
    };
    let mut disk = Disk { files: BTreeMap::new(), links: Vec::new() };
    for path in all_files::files(location).map_err(failed(location))? {
        if is_link(location, path.as_str()) {
            disk.links.push(path.as_str().to_owned());
            continue;
        }
        let at = location.join(path.as_str());
        let file = confined::open(location, Path::new(path.as_str())).map_err(failed(&at))?;
        let bytes = confined::read_file(&file, LARGEST).map_err(failed(&at))?;
        let executable = match known.get(path.as_str()) {
            Some(known) if cfg!(windows) => known.executable,
            _ => is_executable(&file),
        };
        disk.files.insert(path.as_str().to_owned(), FileBytes { bytes, executable });
    }
    Ok(disk)
}

/// Whether a path is a link, or is reached through one.
fn is_link(location: &Path, path: &str) -> bool {
    let mut at = location.to_path_buf();
    path.split('/').any(|name| {
        at.push(name);
        at.is_symlink()
    })
}
