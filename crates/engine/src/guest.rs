//! Writing a file like a guest: another program's settings, a person's SKILL.md, or our own state.
//!
//! A file is replaced as a whole, so that a reader sees the old bytes or the new ones and never a
//! half of them, and only while it still holds the bytes that the change was computed from. A
//! symbolic link stays one: its target is written, in the target's own folder. Mode and owner are
//! kept, a new file is for the user alone. Extended attributes and access lists are not carried
//! over. What to write is decided elsewhere.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::view::{ActionError, ErrorKind};

/// Why a file was left as it is. Each is a sentence for people.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GuestError {
    /// It no longer holds the bytes that the change was computed from.
    #[error("{path} was changed by something else in the meantime, so it was left alone.", path = .0.display())]
    Changed(PathBuf),
    /// It, or its folder, may not be written.
    #[error("{path} is read-only, so nothing was written. Make it writable and try again.", path = .0.display())]
    ReadOnly(PathBuf),
    /// It may not be read.
    #[error("{path} may not be read, so nothing was changed. Allow it in the file's permissions and try again.", path = .0.display())]
    Unreadable(PathBuf),
    /// Its folder is not there.
    #[error("{path} does not exist, so there is nowhere to write to.", path = .0.display())]
    NoFolder(PathBuf),
    /// It is a folder, a device or another thing that cannot be replaced by a file.
    #[error("{path} is not an ordinary file, so it was left alone.", path = .0.display())]
    NotAFile(PathBuf),
    /// Replacing it would take it away from the user it belongs to.
    #[error("{path} belongs to another user, so it was left alone.", path = .0.display())]
    NotOurs(PathBuf),
    /// Something is there already.
    #[error("{path} is there already, so nothing was written.", path = .0.display())]
    Taken(PathBuf),
    /// Something else that the system said.
    #[error("{path} could not be read or written: {source}.", path = path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl GuestError {
    /// What the system's word about `path` means.
    pub(crate) fn from_system(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly(path.to_path_buf()),
            _ => Self::System { path: path.to_path_buf(), source },
        }
    }

    /// The same of a system that was asked to read it.
    pub(crate) fn from_reading(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::Unreadable(path.to_path_buf()),
            _ => Self::System { path: path.to_path_buf(), source },
        }
    }
}

impl From<GuestError> for ActionError {
    fn from(error: GuestError) -> Self {
        let kind = match error {
            GuestError::Changed(_) => ErrorKind::Changed,
            GuestError::ReadOnly(_)
            | GuestError::Unreadable(_)
            | GuestError::NotAFile(_)
            | GuestError::NotOurs(_)
            | GuestError::Taken(_) => ErrorKind::Refused,
            GuestError::NoFolder(_) | GuestError::System { .. } => ErrorKind::System,
        };
        Self { kind, message: error.to_string(), hints: Vec::new() }
    }
}

/// The bytes of a file, or `None` where there is none. More than `limit` bytes are not read: the
/// result is then one byte longer than `limit`.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, GuestError> {
    let file = match existing(path)? {
        Some(_) => File::open(path).map_err(|source| GuestError::from_reading(path, source))?,
        None => return Ok(None),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|source| GuestError::from_reading(path, source))?;
    Ok(Some(bytes))
}

/// Makes `path` hold `new` if it holds `expected` now; `None` stands for "no file" in both.
///
/// The folder must exist. Everything is on the disk when this returns.
pub(crate) fn replace(path: &Path, expected: Option<&[u8]>, new: Option<&[u8]>) -> Result<(), GuestError> {
    let target = follow(path)?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(GuestError::NoFolder(folder.to_path_buf()));
    }
    let old = existing(&target)?;
    refuse_read_only(&target, folder, old.as_ref())?;

    let Some(new) = new else {
        refuse_changed(&target, expected)?;
        if old.is_some() {
            fs::remove_file(&target).map_err(|source| GuestError::from_system(&target, source))?;
        }
        return sync_folder(folder);
    };
    let next = written(folder, &target, old.as_ref(), new)?;
    refuse_changed(&target, expected)?;
    let persisted = match expected {
        Some(_) => next.persist(&target),
        None => next.persist_noclobber(&target),
    };
    match persisted {
        Ok(_) => sync_folder(folder),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(GuestError::Changed(target)),
        Err(error) => Err(GuestError::from_system(&target, error.error)),
    }
}

/// The file that a chain of symbolic links ends at; it need not exist.
pub(crate) fn follow(path: &Path) -> Result<PathBuf, GuestError> {
    const LINKS: usize = 40; // as many as Linux follows
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("/")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(GuestError::NotAFile(path.to_path_buf()))
}

fn existing(path: &Path) -> Result<Option<Metadata>, GuestError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(_) => Err(GuestError::NotAFile(path.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(GuestError::from_reading(path, source)),
    }
}

/// The user's own wish counts, not only what the system would let us do: a file without any write
/// bit stays as it is even where renaming over it would work.
fn refuse_read_only(target: &Path, folder: &Path, old: Option<&Metadata>) -> Result<(), GuestError> {
    if old.is_some_and(|old| old.permissions().readonly()) {
        return Err(GuestError::ReadOnly(target.to_path_buf()));
    }
    refuse_closed(folder)
}

/// As the user's wish about a file, so that about a folder: one without any write bit keeps what it
/// holds. On Windows the bit means something else for folders.
pub(crate) fn refuse_closed(folder: &Path) -> Result<(), GuestError> {
    let closed = cfg!(unix) && fs::metadata(folder).is_ok_and(|folder| folder.permissions().readonly());
    if closed { Err(GuestError::ReadOnly(folder.to_path_buf())) } else { Ok(()) }
}

fn refuse_changed(target: &Path, expected: Option<&[u8]>) -> Result<(), GuestError> {
    let limit = expected.map_or(0, <[u8]>::len) as u64;
    if read(target, limit)?.as_deref() == expected { Ok(()) } else { Err(GuestError::Changed(target.to_path_buf())) }
}

/// The new bytes on the disk beside the target, with the old file's owner and mode.
fn written(folder: &Path, target: &Path, old: Option<&Metadata>, new: &[u8]) -> Result<NamedTempFile, GuestError> {
    let mut next = tempfile::Builder::new()
        .prefix(".skilltender-")
        .tempfile_in(folder)
        .map_err(|source| GuestError::from_system(folder, source))?;
    if let Some(old) = old {
        keep_owner(next.as_file(), target, old)?;
        next.as_file().set_permissions(old.permissions()).map_err(|source| GuestError::from_system(target, source))?;
    }
    next.write_all(new)
        .and_then(|()| next.as_file().sync_all())
        .map_err(|source| GuestError::from_system(target, source))?;
    Ok(next)
}

#[cfg(unix)]
fn keep_owner(next: &File, target: &Path, old: &Metadata) -> Result<(), GuestError> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let ours = next.metadata().map_err(|source| GuestError::from_system(target, source))?;
    if (ours.uid(), ours.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(next, Some(old.uid()), Some(old.gid())).map_err(|_| GuestError::NotOurs(target.to_path_buf()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the Unix twin can fail")]
fn keep_owner(_: &File, _: &Path, _: &Metadata) -> Result<(), GuestError> {
    Ok(())
}

/// A rename is on the disk when its folder is. Windows has no such call and needs none.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), GuestError> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|source| GuestError::from_system(folder, source))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(name: &str, bytes: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_a_file_that_is_as_expected_and_leaves_nothing_beside_it() {
        let (folder, path) = folder_with("a", "old");
        replace(&path, Some(b"old"), Some(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn leaves_a_file_alone_that_changed_meanwhile() {
        let (folder, path) = folder_with("a", "theirs");
        for expected in [Some("old".as_bytes()), Some(b"their"), Some(b"theirs!"), None] {
            for new in [Some("new".as_bytes()), None] {
                assert!(matches!(replace(&path, expected, new), Err(GuestError::Changed(_))));
            }
        }
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_file_that_went_away_counts_as_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(matches!(replace(&path, Some(b"old"), Some(b"new")), Err(GuestError::Changed(_))));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn makes_and_deletes_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace(&path, None, Some(b"new")).unwrap();
        assert_eq!(read(&path, 100).unwrap().as_deref(), Some("new".as_bytes()));
        replace(&path, Some(b"new"), None).unwrap();
        assert_eq!(read(&path, 100).unwrap(), None);
    }

    #[test]
    fn a_missing_folder_and_a_folder_in_the_files_place_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("none/a");
        assert!(matches!(replace(&below, None, Some(b"new")), Err(GuestError::NoFolder(_))));
        assert!(matches!(replace(folder.path(), None, Some(b"new")), Err(GuestError::NotAFile(_))));
    }

    #[test]
    fn a_file_that_may_not_be_read_is_not_called_read_only() {
        // An administrator may read everything, so the system's word is given here.
        let refused = GuestError::from_reading(Path::new("/a"), io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            refused.to_string(),
            "/a may not be read, so nothing was changed. Allow it in the file's permissions and try again."
        );
    }

    #[test]
    fn reads_no_more_than_it_is_allowed_to() {
        let (_folder, path) = folder_with("a", "0123456789");
        assert_eq!(read(&path, 4).unwrap().unwrap(), b"01234");
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o7777
        }

        #[test]
        fn keeps_the_mode_and_makes_new_files_private() {
            let (folder, path) = folder_with("a", "old");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
            replace(&path, Some(b"old"), Some(b"new")).unwrap();
            assert_eq!(mode(&path), 0o664);
            let made = folder.path().join("b");
            replace(&made, None, Some(b"new")).unwrap();
            assert_eq!(mode(&made), 0o600);
        }

        #[test]
        fn writes_the_target_of_a_chain_of_links_and_keeps_the_links() {
            let (folder, real) = folder_with("real", "old");
            let home = folder.path().join("home");
            fs::create_dir(&home).unwrap();
            symlink("../second", home.join("first")).unwrap();
            symlink(&real, folder.path().join("second")).unwrap();
            replace(&home.join("first"), Some(b"old"), Some(b"new")).unwrap();
            assert_eq!(fs::read(&real).unwrap(), b"new");
            assert!(fs::read_link(home.join("first")).is_ok() && fs::read_link(folder.path().join("second")).is_ok());
            assert_eq!(names(&home), ["first"]);
        }

        #[test]
        fn makes_the_missing_target_of_a_link() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink("real", &link).unwrap();
            replace(&link, None, Some(b"new")).unwrap();
            assert_eq!(fs::read(folder.path().join("real")).unwrap(), b"new");
            assert!(fs::read_link(&link).is_ok());
        }

        #[test]
        fn links_that_lead_in_a_circle_are_refused() {
            let folder = tempfile::tempdir().unwrap();
            symlink("b", folder.path().join("a")).unwrap();
            symlink("a", folder.path().join("b")).unwrap();
            assert!(matches!(replace(&folder.path().join("a"), None, Some(b"x")), Err(GuestError::NotAFile(_))));
        }

        #[test]
        fn read_only_files_and_folders_are_refused_even_to_an_administrator() {
            let (folder, path) = folder_with("a", "old");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            let error = replace(&path, Some(b"old"), Some(b"new")).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{} is read-only, so nothing was written. Make it writable and try again.", path.display())
            );

            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
            assert!(matches!(replace(&path, Some(b"old"), Some(b"new")), Err(GuestError::ReadOnly(_))));
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }
    }
}
