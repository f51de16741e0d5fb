//! Reads a client folder, places links or copies there, and removes Skilltender's own. No step
//! follows a link of that name: a link is removed as a link.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use api::{ActionError, ErrorKind, PlaceWay, failed};
use files::{
    all_files, confined,
    ignored::{is_ignored_folder, is_somebodys},
    replace_file::{ReplaceError, sync_folder},
    staged_dir::{Prepared, is_executable},
};
use library::Root;
use machine::Machine;
use sha2::{Digest as _, Sha256};
use skills::Catalog;

use super::{
    plan::{Act, Step, There},
    record::{Made, Placed, Record},
};

/// The maximum size of a copied file, in bytes: the same as for served files.
const LARGEST: u64 = 64 << 20;

/// A path with the links in its existing part resolved.
pub(super) fn real(path: &Path) -> PathBuf {
    if let Ok(real) = dunce::canonicalize(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if parent != path => real(parent).join(name),
        _ => path.to_path_buf(),
    }
}

/// Refuses a folder that a link takes out of the person's home, and out of the folders that the person moved
/// elsewhere.
///
/// # Errors
/// When it does.
pub(super) fn refuse_outside(machine: &Machine, folder: &Path) -> Result<(), ActionError> {
    let folder_is = real(folder);
    let within = |own: &PathBuf| folder_is.starts_with(real(own));
    if within(&machine.home) || clients::moved_folders(&machine.places).iter().any(within) {
        return Ok(());
    }
    let message = format!("{} leads out of your home folder, so nothing is put there.", machine.place(folder));
    Err(failed(ErrorKind::Refused, message))
}

/// What exists at a path.
pub(super) fn look(path: &Path) -> There {
    let Ok(metadata) = path.symlink_metadata() else { return There::Nothing };
    // On Windows, a junction is a folder with a target.
    if let Ok(target) = fs::read_link(path) {
        return There::Link(dunce::simplified(&target).to_path_buf());
    }
    if !metadata.is_dir() {
        return There::Other;
    }
    There::Folder(digest(path).ok())
}

/// The digest of a folder's content. A link in it is not from Skilltender, whose copies contain none; nor is what a skill's
/// files leave out, such as a repository that somebody began there.
fn digest(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    if holds_somebodys(folder)? {
        return Err(io::ErrorKind::InvalidData.into());
    }
    for path in all_files::files(folder)? {
        let file = confined::open(folder, Path::new(path.as_str()))?;
        if folder.join(path.as_str()).symlink_metadata()?.is_symlink() {
            return Err(io::Error::other("a link"));
        }
        let bytes = confined::read_file(&file, LARGEST)?;
        files.push((path, <[u8; 32]>::from(Sha256::digest(&bytes)), is_executable(&file)));
    }
    Ok(digest_of(files.iter().map(|(path, sha256, executable)| (path.as_str(), *sha256, *executable))))
}

/// Whether something is in a folder that is no file of a skill, and is lost with the folder.
fn holds_somebodys(folder: &Path) -> io::Result<bool> {
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at)? {
            let entry = entry?;
            if is_somebodys(&entry.file_name()) {
                return Ok(true);
            }
            if entry.file_type()?.is_dir() && !is_ignored_folder(&entry.file_name()) {
                open.push(entry.path());
            }
        }
    }
    Ok(false)
}

/// One digest of these files, independent of their order.
pub(super) fn digest_of<'f>(files: impl Iterator<Item = (&'f str, [u8; 32], bool)>) -> String {
    let mut lines: Vec<_> = files.collect();
    lines.sort_unstable();
    let mut whole = Sha256::new();
    for (path, sha256, executable) in lines {
        whole.update(path.as_bytes());
        whole.update([0, u8::from(executable)]);
        whole.update(sha256);
    }
    whole.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How a link to a skill's folder is made.
pub(super) type MakeLink = fn(&Path, &Path) -> io::Result<()>;

/// Why a step was not carried out.
#[derive(Debug)]
pub(super) enum Failed {
    /// The system makes no link there; a copy may do.
    NoLink(io::Error),
    /// Anything else.
    Refused(ReplaceError),
}

impl From<ReplaceError> for Failed {
    fn from(error: ReplaceError) -> Self {
        Self::Refused(error)
    }
}

/// Carries out one step and updates `record` to the result.
///
/// # Errors
/// When the system refuses. Then nothing of the step counts as made.
pub(super) fn carry_out(
    catalog: &Catalog,
    roots: &[Root],
    folder: &Path,
    step: &Step,
    record: &mut Record,
    link: MakeLink,
) -> Result<(), Failed> {
    let Some(placed) = record.folders.get_mut(folder) else { return Ok(()) };
    let place = folder.join(&step.id);
    match (step.act, &step.made) {
        (Act::Make(_), Some(made)) => {
            make_folder(folder, placed)?;
            make(catalog, roots, &place, &step.id, made, link).inspect_err(|_| drop(placed.made.remove(&step.id)))
        }
        (Act::Replace(_), Some(made)) => {
            if let Some(old) = placed.made.remove(&step.id) {
                take_away(&place, &old)?;
            }
            make(catalog, roots, &place, &step.id, made, link)?;
            placed.made.insert(step.id.clone(), made.clone());
            Ok(())
        }
        (Act::Remove, _) => {
            let Some(old) = placed.made.get(&step.id) else { return Ok(()) };
            take_away(&place, old)?;
            placed.made.remove(&step.id);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Creates the folder if it is missing, and records which folders were created for it.
fn make_folder(folder: &Path, placed: &mut Placed) -> Result<(), ReplaceError> {
    let mut missing: Vec<_> =
        folder.ancestors().take_while(|above| above.symlink_metadata().is_err()).map(Path::to_path_buf).collect();
    missing.reverse();
    for one in missing {
        fs::create_dir(&one).map_err(|source| ReplaceError::from_system(&one, source))?;
        placed.folders.push(one);
    }
    Ok(())
}

/// Removes the inner ones first; one that is not empty by now stays.
pub(super) fn remove_folders(folders: &[PathBuf]) {
    folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}

/// Never overwrites: both ways fail where something exists.
fn make(catalog: &Catalog, roots: &[Root], place: &Path, id: &str, made: &Made, link: MakeLink) -> Result<(), Failed> {
    if place.symlink_metadata().is_ok() {
        return Err(ReplaceError::Taken(place.to_path_buf()).into());
    }
    if made.way == PlaceWay::Link {
        return link(&made.source, place).map_err(|error| {
            // What somebody else put there meanwhile is theirs.
            if error.kind() == io::ErrorKind::AlreadyExists {
                return ReplaceError::Taken(place.to_path_buf()).into();
            }
            // A junction is first an empty folder, which stays when it cannot be made to lead anywhere.
            drop(fs::remove_dir(place));
            Failed::NoLink(error)
        });
    }
    let parent = place.parent().unwrap_or(Path::new("/"));
    let mut copy = Prepared::beside(parent)?;
    let unread = |source| ReplaceError::from_reading(&made.source, source);
    let entry = catalog.get(id).ok_or_else(|| unread(io::ErrorKind::NotFound.into()))?;
    let root = roots.iter().find(|root| root.id == entry.folder).map_or(&*entry.location, |root| &root.path);
    for file in entry.files.iter() {
        let bytes = if file.path == skills::SkillPath::skill_md() {
            confined::read_skill_md(root, &entry.location, LARGEST)
        } else {
            confined::read(&entry.location, &file.path, LARGEST)
        };
        let open = confined::open(&entry.location, Path::new(file.path.as_str()));
        let executable = open.is_ok_and(|file| is_executable(&file));
        copy.write(&file.path, &*bytes.map_err(unread)?, executable)?;
    }
    Ok(copy.put(place)?)
}

#[cfg(unix)]
pub(super) fn link(source: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(source, place)
}

/// A junction needs no privilege that a person lacks; a symbolic link does.
#[cfg(windows)]
pub(super) fn link(source: &Path, place: &Path) -> io::Result<()> {
    junction::create(source, place)
}

/// Removes what is still exactly as it was made; checked again here, because the plan may be old.
fn take_away(place: &Path, made: &Made) -> Result<(), ReplaceError> {
    let is_ours = match (made.way, look(place)) {
        (_, There::Nothing) => return Ok(()),
        (PlaceWay::Link, There::Link(target)) => target == made.source,
        (PlaceWay::Copy, There::Folder(digest)) => digest.is_some() && digest == made.digest,
        _ => false,
    };
    if !is_ours {
        return Err(ReplaceError::Changed(place.to_path_buf()));
    }
    match made.way {
        PlaceWay::Link => unlink(place).map_err(|source| ReplaceError::from_system(place, source)),
        PlaceWay::Copy => clear_copy(place, made.digest.as_deref()),
    }
}

#[cfg(unix)]
fn unlink(place: &Path) -> io::Result<()> {
    fs::remove_file(place)
}

/// A junction is removed like a folder; its target stays.
#[cfg(windows)]
fn unlink(place: &Path) -> io::Result<()> {
    fs::remove_dir(place)
}

/// Removes a copy as a whole: one rename moves it aside first. With a digest, it is checked once more where it cannot be
/// reached by its name, and goes back if it has changed.
pub(super) fn clear_copy(place: &Path, expected: Option<&str>) -> Result<(), ReplaceError> {
    let parent = place.parent().unwrap_or(Path::new("/"));
    let system = |source| ReplaceError::from_system(place, source);
    if place.symlink_metadata().map_err(system)?.is_symlink() {
        return Err(ReplaceError::Changed(place.to_path_buf()));
    }
    let aside = tempfile::Builder::new().prefix(".skilltender-").tempdir_in(parent).map_err(system)?;
    let copy = aside.path().join("skill");
    fs::rename(place, &copy).map_err(system)?;
    if expected.is_some_and(|expected| !digest(&copy).is_ok_and(|now| now == expected)) {
        if fs::rename(&copy, place).is_ok() {
            return Err(ReplaceError::Changed(place.to_path_buf()));
        }
        let kept = aside.keep().join("skill");
        return Err(ReplaceError::Displaced { path: place.to_path_buf(), kept });
    }
    sync_folder(parent)?;
    aside.close().map_err(system)
}
