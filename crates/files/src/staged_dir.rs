//! Puts a whole skill folder in its place. It is prepared next to its target under a name that the walk
//! ignores, then moved there by one rename: half a skill is never visible, and an interruption leaves nothing
//! that counts. The choice of files is left to others.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
};

use skills::SkillPath;
use tempfile::TempDir;

use crate::replace_file::{ReplaceError, refuse_closed, sync_folder};

/// A folder that is being prepared. It is removed if it is dropped before it is put in its place.
#[derive(Debug)]
pub struct Prepared {
    /// Accessible only to the user, and removed with all its content.
    shelter: TempDir,
    /// In the shelter, with the usual permissions of folders.
    folder: PathBuf,
    /// The paths of skills inside this one.
    inside: Vec<String>,
}

impl Prepared {
    /// Begins in `parent`, which must be the folder that the skill is put into: a rename works only within one
    /// volume.
    ///
    /// # Errors
    /// When `parent` is no folder, or nothing can be made in it.
    pub fn beside(parent: &Path) -> Result<Self, ReplaceError> {
        if !parent.is_dir() {
            return Err(ReplaceError::NoFolder(parent.to_path_buf()));
        }
        refuse_closed(parent)?;
        let shelter = tempfile::Builder::new()
            .prefix(".skilltender-")
            .tempdir_in(parent)
            .map_err(|source| ReplaceError::from_system(parent, source))?;
        let folder = shelter.path().join("skill");
        fs::create_dir(&folder).map_err(|source| ReplaceError::from_system(&folder, source))?;
        Ok(Self { shelter, folder, inside: Vec::new() })
    }

    /// Writes one file of the skill, and creates the folders above it.
    ///
    /// # Errors
    /// When `bytes` cannot be read, or the disk refuses.
    pub fn write(&mut self, path: &SkillPath, bytes: impl Read, executable: bool) -> Result<(), ReplaceError> {
        self.inside.extend(path.as_str().strip_suffix("/SKILL.md").map(str::to_owned));
        let file = self.folder.join(path.as_str());
        write(&file, bytes, executable).map_err(|source| ReplaceError::from_system(&file, source))
    }

    /// The paths of the skills inside this one.
    pub fn skills_inside(&self) -> Vec<String> {
        self.inside.clone()
    }

    /// Moves the folder to `target`, where nothing may exist yet. It is on the disk when this returns.
    ///
    /// # Errors
    /// When something exists at `target`, or the disk refuses; then nothing was moved.
    pub fn put(self, target: &Path) -> Result<(), ReplaceError> {
        sync_all(&self.folder)?;
        rename(&self.folder, target)?;
        sync_folder(target.parent().unwrap_or(Path::new("/")))?;
        self.shelter.close().map_err(|source| ReplaceError::from_system(target, source))
    }
}

/// Moves a folder, or a link, to a path where nothing exists yet.
///
/// # Errors
/// When something exists there, the folders are on different volumes, or the disk refuses.
pub fn rename(from: &Path, to: &Path) -> Result<(), ReplaceError> {
    for changed in [from, to].into_iter().filter_map(Path::parent) {
        refuse_closed(changed)?;
    }
    if to.symlink_metadata().is_ok() {
        return Err(ReplaceError::Taken(to.to_path_buf()));
    }
    // If something appears there just now: no system replaces a file by a folder, or a folder that is not
    // empty.
    fs::rename(from, to).map_err(|source| ReplaceError::from_system(to, source))
}

fn write(file: &Path, mut bytes: impl Read, executable: bool) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o777 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = executable;
    let mut file = options.open(file)?;
    io::copy(&mut bytes, &mut file)?;
    file.flush()?;
    file.sync_all()
}

/// Makes sure that this folder, those below and their entries are on the disk.
fn sync_all(folder: &Path) -> Result<(), ReplaceError> {
    let system = |source| ReplaceError::from_system(folder, source);
    for entry in fs::read_dir(folder).map_err(system)? {
        let entry = entry.map_err(system)?;
        if entry.file_type().map_err(system)?.is_dir() {
            sync_all(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Whether a file's owner may run it.
#[cfg(unix)]
pub fn is_executable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

/// Whether a file's owner may run it: Windows decides by the name alone.
#[cfg(not(unix))]
pub fn is_executable(_: &File) -> bool {
    false
}
