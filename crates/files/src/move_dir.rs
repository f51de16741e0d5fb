//! Moves a skill's folder, or the link in its place, also to another volume: there it is copied, compared, and
//! only then removed. Until the copy is verified, the original is untouched.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use machine::random;

use crate::{
    replace_file::{ReplaceError, sync_folder},
    staged_dir,
};

/// Moves a folder or a link to a path where nothing exists yet. The parent of `to` must exist.
///
/// Returns the path of what could not be removed after it was copied to another volume.
///
/// # Errors
/// When something exists at `to`, a folder may not be changed, or the disk refuses; then nothing was moved.
pub fn move_to(from: &Path, to: &Path) -> Result<Option<PathBuf>, ReplaceError> {
    let left = match staged_dir::rename(from, to) {
        Err(ReplaceError::System { source, .. }) if source.kind() == io::ErrorKind::CrossesDevices => {
            carry_over(from, to)?
        }
        other => other.map(|()| None)?,
    };
    // It is moved, whatever happens here: after an error, the caller would believe it is still in its place.
    for changed in [from, to] {
        if let Err(error) = sync_folder(changed.parent().unwrap_or(Path::new("/"))) {
            tracing::warn!(%error, "a move may not be on the disk yet");
        }
    }
    Ok(left)
}

fn carry_over(from: &Path, to: &Path) -> Result<Option<PathBuf>, ReplaceError> {
    let unseen = |path: &Path| path.with_file_name(format!(".skilltender-{}", random::hex(&random::bytes::<6>())));
    // Under a private name: half a copy is never visible, and whatever appears at `to` meanwhile is another
    // program's.
    let copied_to = unseen(to);
    let copied = copy(from, &copied_to)
        .and_then(|()| same(from, &copied_to))
        .and_then(|same| if same { Ok(()) } else { Err(io::Error::other("it changed while it was copied")) })
        .map_err(|source| ReplaceError::from_system(from, source))
        .and_then(|()| staged_dir::rename(&copied_to, to));
    if let Err(error) = copied {
        drop(remove(&copied_to));
        return Err(error);
    }
    // A rename first, so that the folder disappears as a whole.
    let gone = unseen(from);
    if let Err(source) = fs::rename(from, &gone) {
        drop(remove(to));
        return Err(ReplaceError::from_system(from, source));
    }
    Ok(remove(&gone).is_err().then_some(gone))
}

/// Copies files with their permissions and times, folders, and links as links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let kind = from.symlink_metadata()?;
    if kind.is_symlink() {
        return link(&fs::read_link(from)?, to);
    }
    if kind.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        fs::set_permissions(to, kind.permissions())?;
        // Windows opens no folder as a file.
        return if cfg!(unix) { File::open(to)?.sync_all() } else { Ok(()) };
    }
    if !kind.is_file() {
        return Err(io::Error::other(format!("{} is no file that can be copied", from.display())));
    }
    fs::copy(from, to)?;
    let copy = File::options().write(true).open(to);
    // A read-only copy keeps the time at which it was made.
    copy.or_else(|_| File::open(to)).and_then(|copy| copy.set_modified(kind.modified()?).or_else(|_| copy.sync_all()))
}

fn same(one: &Path, other: &Path) -> io::Result<bool> {
    let (kind, other_kind) = (one.symlink_metadata()?, other.symlink_metadata()?);
    if kind.file_type() != other_kind.file_type() {
        return Ok(false);
    }
    if kind.is_symlink() {
        return Ok(fs::read_link(one)? == fs::read_link(other)?);
    }
    if kind.is_file() {
        return Ok(kind.len() == other_kind.len() && same_bytes(one, other)?);
    }
    let (names, other_names) = (names(one)?, names(other)?);
    for name in &names {
        if !same(&one.join(name), &other.join(name))? {
            return Ok(false);
        }
    }
    Ok(names == other_names)
}

fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    const STEP: u64 = 64 << 10;
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let next = |file: &mut File| {
        let mut bytes = Vec::new();
        file.take(STEP).read_to_end(&mut bytes).map(|_| bytes)
    };
    loop {
        let (here, there) = (next(&mut one)?, next(&mut other)?);
        if here != there || here.is_empty() {
            return Ok(here == there);
        }
    }
}

fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let mut names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// Removes a folder with everything in it, or a link.
///
/// # Errors
/// When something in it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    let kind = path.symlink_metadata()?;
    if kind.is_dir() {
        fs::remove_dir_all(path)
    } else if cfg!(windows) && kind.is_symlink() {
        // A link to a folder is removed as a folder there, one to a file as a file.
        fs::remove_dir(path).or_else(|_| fs::remove_file(path))
    } else {
        fs::remove_file(path)
    }
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(windows)]
fn link(target: &Path, at: &Path) -> io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};

    let leads_to = at.parent().unwrap_or(Path::new("")).join(target);
    if leads_to.is_file() { symlink_file(target, at) } else { symlink_dir(target, at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_carried_over_is_there_whole_and_not_here_any_more() {
        let home = tempfile::tempdir().unwrap();
        let (from, to) = (home.path().join("tea"), home.path().join("moved"));
        fs::create_dir_all(from.join("references/deep")).unwrap();
        fs::write(from.join("SKILL.md"), "Green.").unwrap();
        fs::write(from.join("references/deep/guide.md"), vec![7; 200_000]).unwrap();
        let modified = fs::metadata(from.join("SKILL.md")).unwrap().modified().unwrap();

        assert_eq!(carry_over(&from, &to).unwrap(), None);
        assert_eq!(fs::read(to.join("references/deep/guide.md")).unwrap(), vec![7; 200_000]);
        assert_eq!(fs::metadata(to.join("SKILL.md")).unwrap().modified().unwrap(), modified);
        assert_eq!(names(home.path()).unwrap(), ["moved"]);
    }
}
