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

/// How the names of shelters begin: the walk ignores them.
pub const SHELTER: &str = ".skilltender-";

/// The name of the prepared folder in its shelter, and of the old one while two folders are exchanged in two steps.
const PREPARED: &str = "skill";
const ASIDE: &str = "aside";

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
        Self::in_shelter(tempfile::Builder::new().prefix(SHELTER), parent)
    }

    /// The same in the folder `shelter`, which must not exist yet: whoever wrote its name down finds what a kill leaves.
    ///
    /// # Errors
    /// As [`Prepared::beside`].
    pub fn at(shelter: &Path) -> Result<Self, ReplaceError> {
        let name = shelter.file_name().unwrap_or_default();
        Self::in_shelter(tempfile::Builder::new().prefix(name).rand_bytes(0), shelter.parent().unwrap_or(shelter))
    }

    fn in_shelter(builder: &mut tempfile::Builder<'_, '_>, parent: &Path) -> Result<Self, ReplaceError> {
        if !parent.is_dir() {
            return Err(ReplaceError::NoFolder(parent.to_path_buf()));
        }
        refuse_closed(parent)?;
        let shelter = builder.tempdir_in(parent).map_err(|source| ReplaceError::from_system(parent, source))?;
        let folder = shelter.path().join(PREPARED);
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

    /// The folder that is being prepared.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Exchanges the folder with the one at `target`, where the system can as one step: Linux and macOS. Elsewhere the
    /// old one moves away first. The exchange is on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses; then nothing was exchanged.
    pub fn exchange(self, target: &Path) -> Result<Exchanged, ReplaceError> {
        let parent = target.parent().unwrap_or(Path::new("/"));
        refuse_closed(parent)?;
        sync_all(&self.folder)?;
        if let Ok(kind) = fs::metadata(target) {
            let kept = fs::set_permissions(&self.folder, kind.permissions());
            kept.map_err(|source| ReplaceError::from_system(&self.folder, source))?;
        }
        let exchanged = Exchanged { old: self.folder, shelter: self.shelter.keep(), target: target.to_path_buf() };
        if let Err(error) = exchanged.again() {
            exchanged.forget();
            return Err(error);
        }
        sync_folder(parent)?;
        Ok(exchanged)
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

/// The folder in a shelter: before the exchange the one that is being prepared, after it the old one.
pub fn in_shelter(shelter: &Path) -> PathBuf {
    shelter.join(PREPARED)
}

/// Two folders that were exchanged: the new one is in its place, the old one in the shelter.
#[derive(Debug)]
#[must_use = "the old folder stays until it is finished"]
pub struct Exchanged {
    shelter: PathBuf,
    old: PathBuf,
    target: PathBuf,
}

impl Exchanged {
    /// What an interrupted exchange left: the folder in the shelter is the old one or the new one, whoever asks decides.
    /// Where only the first of two steps was made, the target gets its folder back. `None` if there is no shelter.
    pub fn left(shelter: &Path, target: &Path) -> Option<Self> {
        if !shelter.is_dir() {
            return None;
        }
        let (old, aside) = (in_shelter(shelter), shelter.join(ASIDE));
        if aside.is_dir() {
            let back = match (target.symlink_metadata(), old.symlink_metadata()) {
                (Err(_), _) => fs::rename(&aside, target),
                (Ok(_), Err(_)) => fs::rename(&aside, &old),
                _ => Ok(()),
            };
            if let Err(error) = back {
                tracing::warn!(%error, path = %aside.display(), "a folder could not get its name back");
                return None;
            }
        }
        Some(Self { shelter: shelter.to_path_buf(), old, target: target.to_path_buf() })
    }

    /// The folder in the shelter.
    pub fn old(&self) -> &Path {
        &self.old
    }

    /// Exchanges them back.
    ///
    /// # Errors
    /// When the disk refuses; then the new folder is in its place, and the old one in the shelter.
    pub fn back(self) -> Result<(), ReplaceError> {
        self.again()?;
        self.forget();
        Ok(())
    }

    /// Removes the shelter with what is in it.
    pub fn forget(&self) {
        remove_shelter(&self.shelter);
    }

    fn again(&self) -> Result<(), ReplaceError> {
        let system = |source| ReplaceError::from_system(&self.target, source);
        #[cfg(unix)]
        if crate::replace_file::exchange(&self.old, &self.target).map_err(system)? {
            return Ok(());
        }
        let aside = self.shelter.join(ASIDE);
        fs::rename(&self.target, &aside).map_err(system)?;
        if let Err(source) = fs::rename(&self.old, &self.target) {
            // The old folder gets its name back.
            fs::rename(&aside, &self.target).map_err(system)?;
            return Err(system(source));
        }
        fs::rename(&aside, &self.old).map_err(system)
    }
}

/// Removes a shelter with what is in it, if it is one and is there.
pub fn remove_shelter(shelter: &Path) {
    let is_one = shelter.file_name().is_some_and(|name| name.to_string_lossy().starts_with(SHELTER));
    if !is_one {
        return;
    }
    if let Err(error) = fs::remove_dir_all(shelter)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(%error, path = %shelter.display(), "a folder of Skilltender's own could not be removed");
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
