//! Puts another version of a skill in its place: prepared beside it, then exchanged as a whole, so that whoever reads
//! sees the old version or the new one and never half of either. What the folder holds besides the skill's files
//! (links, leftovers of tools) moves along.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use files::{
    move_dir,
    replace_file::ReplaceError,
    staged_dir::{Exchanged, Prepared, SHELTER, in_shelter},
};
use machine::random;
use skills::SkillPath;
use sources::update::FileSet;

use crate::{Disk, DiskError, Files, Pending, locked, read_files};

/// Why a version could not be put in place. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The skill's files are not those that were reviewed.
    #[error("The skill changed on the disk meanwhile.")]
    Changed,
    /// The folder cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The folder cannot be written.
    #[error(transparent)]
    Write(#[from] ReplaceError),
    /// A path of the new version is no name for a file of a skill, or is a link here.
    #[error("`{0}` is a link here, or no name for a file of a skill, so it cannot be written.")]
    Name(String),
}

/// Where a version is put: known and written down before anything is made there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Where the skill is, after links: what a link names is replaced, and the link stays.
    pub location: PathBuf,
    /// The folder in which the new version is prepared.
    pub shelter: PathBuf,
}

impl Spot {
    /// A spot for the skill at `location`.
    ///
    /// # Errors
    /// When there is nothing at `location`.
    pub fn of(location: &Path) -> Result<Self, DiskError> {
        let location = dunce::canonicalize(location).map_err(|error| DiskError(location.to_path_buf(), error))?;
        let name = format!("{SHELTER}{}", random::hex(&random::bytes::<6>()));
        Ok(Self { shelter: location.with_file_name(name), location })
    }
}

/// A version that is prepared next to a skill.
#[derive(Debug)]
pub struct Placed {
    prepared: Prepared,
    location: PathBuf,
    from: FileSet,
}

impl Placed {
    /// Prepares these files at a spot, where the skill must have the files `from`.
    ///
    /// # Errors
    /// When the skill has other files, or nothing can be written there.
    pub fn prepare(spot: &Spot, from: &FileSet, to: &FileSet) -> Result<Self, PlaceError> {
        let Spot { location, shelter } = spot.clone();
        let Disk { files, links } = read_files(&location, &locked(from))?;
        if files != *from {
            return Err(PlaceError::Changed);
        }
        let in_the_way = |path: &&String| {
            links.iter().any(|link| {
                link == *path || path.starts_with(&format!("{link}/")) || link.starts_with(&format!("{path}/"))
            })
        };
        if let Some(path) = to.keys().find(in_the_way) {
            return Err(PlaceError::Name(path.clone()));
        }
        let mut prepared = Prepared::at(&shelter)?;
        for (path, file) in to {
            let name = SkillPath::new(path).ok_or_else(|| PlaceError::Name(path.clone()))?;
            prepared.write(&name, &file.bytes[..], file.executable)?;
            // Who may read it stays as it was.
            if from.get(path).is_some_and(|old| old.executable == file.executable) {
                let (old, new) = (location.join(path), prepared.folder().join(path));
                let kept = fs::metadata(&old).and_then(|kind| fs::set_permissions(&new, kind.permissions()));
                kept.map_err(|source| ReplaceError::from_system(&new, source))?;
            }
        }
        Ok(Self { prepared, location, from: files })
    }

    /// Exchanges the folders. If the skill changed since it was prepared, they are exchanged back. The old one stays in
    /// the shelter: it goes when the record says what is in place, so that a kill leaves both or what is recorded.
    ///
    /// # Errors
    /// When the skill changed, or the disk refuses; then it is as it was.
    pub fn put(self) -> Result<(), PlaceError> {
        let Self { prepared, location, from } = self;
        let exchanged = prepared.exchange(&location)?;
        let is_same = read_files(exchanged.old(), &locked(&from)).is_ok_and(|disk| disk.files == from);
        if !is_same {
            exchanged.back()?;
            return Err(PlaceError::Changed);
        }
        carry(exchanged.old(), &location);
        Ok(())
    }
}

/// Whether the new version of what was interrupted is in place. Changes nothing.
pub fn is_placed(pending: &Pending) -> bool {
    let Pending { from, location, shelter, .. } = pending;
    let from = &from.files;
    files(&in_shelter(shelter), from).as_ref() == Some(from) && files(location, from).as_ref() != Some(from)
}

fn files(folder: &Path, known: &Files) -> Option<Files> {
    read_files(folder, known).map(|disk| locked(&disk.files)).ok()
}

/// Finishes what was interrupted. Returns whether the new version is in place, with the old one in its shelter until the
/// record says so; otherwise the old one is in place, and nothing is left. What a person wrote is never removed.
pub fn finish(pending: &Pending) -> bool {
    let Pending { to, location, shelter, .. } = pending;
    let Some(exchanged) = Exchanged::left(shelter, location) else { return false };
    if is_placed(pending) {
        carry(exchanged.old(), location);
        return true;
    }
    let to = &to.files;
    // A version that was being prepared may not be complete.
    let is_ours = |aside: Files| aside.iter().all(|(path, file)| to.get(path) == Some(file));
    if !exchanged.old().exists() || files(exchanged.old(), to).is_some_and(is_ours) {
        exchanged.forget();
    } else if files(location, to).as_ref() == Some(to) {
        // Somebody wrote into the old version a moment before the exchange.
        if let Err(error) = exchanged.back() {
            tracing::warn!(%error, "a skill could not be put back");
        }
    } else {
        tracing::warn!(path = %shelter.display(), "an interrupted update left what nobody can tell apart");
    }
    false
}

/// Moves what is no file of the skill from the old folder to the new one: links, and the leftovers of tools.
fn carry(old: &Path, new: &Path) {
    let Ok(entries) = fs::read_dir(old) else { return };
    for entry in entries.flatten() {
        let (from, to) = (entry.path(), new.join(entry.file_name()));
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let moved = match to.symlink_metadata() {
            Ok(kind) if kind.is_dir() && is_folder => {
                carry(&from, &to);
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(_) => bring(&from, &to, is_folder),
        };
        if let Err(error) = moved {
            tracing::warn!(%error, path = %from.display(), "something beside a skill's files could not move along");
        }
    }
}

/// Moves one entry that the new version has not, if it is no file of the skill: those that the version dropped go.
fn bring(from: &Path, to: &Path, is_folder: bool) -> io::Result<()> {
    let name = from.file_name().unwrap_or_default();
    if from.is_symlink() || files::ignored::is_ignored(name) || files::ignored::is_ignored_folder(name) {
        return move_dir::move_to(from, to).map(drop).map_err(io::Error::other);
    }
    if !is_folder {
        return Ok(());
    }
    // A folder of which the new version has nothing may still hold links and leftovers.
    fs::create_dir(to)?;
    carry(from, to);
    // It goes if nothing came into it; unless it was empty before.
    let was_empty = fs::read_dir(from)?.next().is_none();
    if !was_empty && fs::read_dir(to)?.next().is_none() {
        fs::remove_dir(to)?;
    }
    Ok(())
}
