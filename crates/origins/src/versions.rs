//! The bytes of versions: each file once, in the folder `versions` of our data folder, named by its digest.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use files::{
    replace_file::{self, ReplaceError},
    store,
};
use machine::Machine;
use sources::{
    LockedFile,
    update::{FileBytes, FileSet},
};

use crate::{Files, Origins};

/// Bytes that no record names are kept this long: a record that names them may be about to be written.
const YOUNG: Duration = Duration::from_secs(3600);
/// More than any file of a skill.
const LARGEST: u64 = 64 << 20;

/// Where the bytes are.
#[derive(Debug, Clone)]
pub struct Versions {
    folder: PathBuf,
}

/// The bytes of a file are not there any more, or are others.
#[derive(Debug, thiserror::Error)]
#[error("The kept bytes of {0} are missing or damaged.")]
pub struct Missing(pub String);

impl Versions {
    pub fn of(machine: &Machine) -> Self {
        Self { folder: machine.data.join("versions") }
    }

    /// Keeps these bytes. They are on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, files: &FileSet) -> Result<Files, ReplaceError> {
        let locked = crate::locked(files);
        for (path, file) in files {
            let at = self.place(&locked[path]);
            if at.is_file() {
                continue;
            }
            let folder = at.parent().unwrap_or(&self.folder);
            machine::make_private(folder).map_err(|source| ReplaceError::from_system(folder, source))?;
            store::write(&at, &file.bytes)?;
        }
        Ok(locked)
    }

    /// The bytes of these files.
    ///
    /// # Errors
    /// When one of them is missing or damaged.
    pub fn read(&self, files: &Files) -> Result<FileSet, Missing> {
        let one = |(path, locked): (&String, &LockedFile)| {
            let bytes = replace_file::read(&self.place(locked), LARGEST).ok().flatten();
            let bytes = bytes.filter(|bytes| LockedFile::of(bytes, false).sha256 == locked.sha256);
            let bytes = bytes.ok_or_else(|| Missing(path.clone()))?;
            Ok((path.clone(), FileBytes { bytes, executable: locked.executable }))
        };
        files.iter().map(one).collect()
    }

    /// Removes the bytes that no version has any more.
    pub fn sweep(&self, origins: &Origins) {
        let named: BTreeSet<_> =
            origins.values().flat_map(|record| record.every_file().map(|file| file.sha256.as_str())).collect();
        let is_old = |kind: &fs::Metadata| {
            let time = kind.modified().ok();
            time.is_some_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > YOUNG))
        };
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten()) {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| !named.contains(name))
                && entry.metadata().is_ok_and(|kind| is_old(&kind))
            {
                drop(fs::remove_file(entry.path()));
            }
        }
    }

    fn place(&self, file: &LockedFile) -> PathBuf {
        self.folder.join(&file.sha256[..2]).join(&file.sha256)
    }
}
