//! Why a file was not changed: system errors as sentences for users.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a file was not changed. Each is a sentence for users.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// It no longer has the bytes that the change was computed from.
    #[error("{path} was changed by something else in the meantime, so it was left alone.", path = .0.display())]
    Changed(PathBuf),
    /// Another program may be in the middle of saving it.
    #[error("{path} is open for writing in another program right now, so it was left alone. Try again when it is saved there.", path = .0.display())]
    InUse(PathBuf),
    /// Another of our processes is writing it.
    #[error("{path} is being changed by another Skilltender right now, so nothing was written. Try again.", path = .0.display())]
    Busy(PathBuf),
    /// Two programs saved it during our write. Nothing is lost, but one version is in a file next to it.
    #[error("{path} was saved by other programs while it was being changed. One of their versions is in it, the other in {kept}.", path = path.display(), kept = kept.display())]
    Displaced {
        /// The file.
        path: PathBuf,
        /// The path of the other version.
        kept: PathBuf,
    },
    /// It, or its folder, is not writable.
    #[error("{path} is read-only, so nothing was written. Make it writable and try again.", path = .0.display())]
    ReadOnly(PathBuf),
    /// The whole volume is read-only.
    #[error("{path} is on a volume that is mounted read-only, so nothing was written.", path = .0.display())]
    ReadOnlyVolume(PathBuf),
    /// It, or its folder, has a mark that even an administrator must remove first.
    #[error("{path} is marked as not to be changed (chattr +i or +a, or Locked in the Finder), so nothing was written. Take the mark away and try again.", path = .0.display())]
    Immutable(PathBuf),
    /// It is a mount point, which cannot be renamed.
    #[error("{path} is mounted as a single file, as containers do it, so it cannot be replaced in one step and was left alone. Change it where it is mounted from.", path = .0.display())]
    Mounted(PathBuf),
    /// Replacing it would separate its hard links.
    #[error("{path} is one of {names} names of the same file (hard links). Replacing it would part them, so it was left alone. Make it a file of its own, or a symbolic link, and try again.", path = path.display())]
    Linked {
        /// The file.
        path: PathBuf,
        /// The number of its names.
        names: u64,
    },
    /// The disk, or the user's share of it, is full.
    #[error("There is no room left on the disk of {path}, so nothing was written. Free some space and try again.", path = .0.display())]
    Full(PathBuf),
    /// It is not readable.
    #[error("{path} may not be read, so nothing was changed. Allow it in the file's permissions and try again.", path = .0.display())]
    Unreadable(PathBuf),
    /// Its folder does not exist.
    #[error("{path} does not exist, so there is nowhere to write to.", path = .0.display())]
    NoFolder(PathBuf),
    /// It is a link into a folder that does not exist.
    #[error("{path} is a link to {target}, whose folder does not exist, so there is nowhere to write to.", path = path.display(), target = target.display())]
    Dangling {
        /// The link.
        path: PathBuf,
        /// The link's target.
        target: PathBuf,
    },
    /// It is a link that leads back to itself.
    #[error("{path} is a link that leads in a circle, so there is nothing to write to.", path = .0.display())]
    Circle(PathBuf),
    /// It is a folder, a device or something else that a file cannot replace.
    #[error("{path} is not an ordinary file, so it was left alone.", path = .0.display())]
    NotAFile(PathBuf),
    /// Replacing it would change its owner.
    #[error("{path} belongs to another user, so it was left alone.", path = .0.display())]
    NotOurs(PathBuf),
    /// Metadata of the file would be lost.
    #[error("{path} carries {what}, which could not be given to its changed version ({source}), so it was left alone.", path = path.display())]
    NotCarried {
        /// The file.
        path: PathBuf,
        /// An extended attribute, or an access list.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// Something exists there already.
    #[error("{path} is there already, so nothing was written.", path = .0.display())]
    Taken(PathBuf),
    /// Any other error of the system.
    #[error("{path} could not be read or written: {source}.", path = path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl ReplaceError {
    /// Translates a system error about `path`.
    pub fn from_system(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::ReadOnly(path),
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnlyVolume(path),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(path),
            _ => Self::System { path, source },
        }
    }

    /// The same for an error while reading.
    pub fn from_reading(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::Unreadable(path.to_path_buf()),
            _ => Self::System { path: path.to_path_buf(), source },
        }
    }

    /// The same for an error while renaming.
    pub(super) fn from_renaming(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices => Self::Mounted(path.to_path_buf()),
            _ => Self::from_system(path, source),
        }
    }
}
