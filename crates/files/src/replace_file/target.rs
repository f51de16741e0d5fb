//! A file that is about to be replaced: opened, checked, and checked again afterwards.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read as _, Seek as _},
    path::{Path, PathBuf},
};

use super::{
    ReplaceError,
    attributes::Attributes,
    lease::{InUse, Lease},
};

/// An open file with its metadata from when it was opened.
#[derive(Debug)]
pub(super) struct Held {
    path: PathBuf,
    file: File,
    /// Device and inode, where the system has them.
    identity: Option<(u64, u64)>,
    attributes: Attributes,
}

impl Held {
    /// Opens the file at `path`, which is not a link; `None` if it does not exist.
    ///
    /// # Errors
    /// When it may not be replaced.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, ReplaceError> {
        let reading = |source| ReplaceError::from_reading(path, source);
        let file = match fs::symlink_metadata(path) {
            Ok(there) if there.is_symlink() => return Err(ReplaceError::Changed(path.to_path_buf())),
            Ok(there) if !there.is_file() => return Err(ReplaceError::NotAFile(path.to_path_buf())),
            Ok(_) => open(path).map_err(reading)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(reading(error)),
        };
        let metadata = file.metadata().map_err(reading)?;
        refuse_unfit(path, &file, &metadata)?;
        let attributes = Attributes::of(&file, &metadata).map_err(reading)?;
        Ok(Some(Self { path: path.to_path_buf(), identity: identity(&metadata), file, attributes }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Blocks other programs from opening the file for writing, where that is possible.
    ///
    /// # Errors
    /// When another program has it open for writing and does not close it soon.
    pub(super) fn lease(&self) -> Result<Option<Lease<'_>>, ReplaceError> {
        Lease::take(&self.file).map_err(|InUse| ReplaceError::InUse(self.path.clone()))
    }

    /// Checks that `at` is this very file, unchanged, with the bytes `expected`, and that no program waits to write to
    /// it.
    ///
    /// # Errors
    /// When it is not so, or cannot be determined.
    pub(super) fn look(&self, at: &Path, expected: &[u8], lease: Option<&Lease<'_>>) -> Result<(), ReplaceError> {
        self.is_at(at)?;
        let reading = |source| ReplaceError::from_reading(at, source);
        // Without inodes, the file now at the path is read instead of the one that was opened.
        let there = if self.identity.is_some() { None } else { Some(open(at).map_err(reading)?) };
        let metadata = self.file.metadata().map_err(reading)?;
        let same = bytes(there.as_ref().unwrap_or(&self.file), expected.len()).map_err(reading)? == expected
            && Attributes::of(&self.file, &metadata).map_err(reading)? == self.attributes
            && !lease.is_some_and(Lease::is_wanted);
        if same { Ok(()) } else { Err(self.changed()) }
    }

    /// Checks that `at` is this very file: the fastest check, for critical moments.
    ///
    /// # Errors
    /// When it is not, or cannot be determined.
    pub(super) fn is_at(&self, at: &Path) -> Result<(), ReplaceError> {
        match fs::symlink_metadata(at) {
            Ok(there) if there.is_file() && identity(&there) == self.identity => Ok(()),
            Ok(_) => Err(self.changed()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.changed()),
            Err(error) => Err(ReplaceError::from_reading(at, error)),
        }
    }

    fn changed(&self) -> ReplaceError {
        ReplaceError::Changed(self.path.clone())
    }
}

/// The bytes of an open file from its start, at most `length` + 1.
fn bytes(mut file: &File, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length + 1);
    file.rewind()?;
    file.take(length as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;

    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Respects the user's protection beyond what the system enforces: a file without any write bit is kept, even where it
/// could be replaced by a rename.
fn refuse_unfit(path: &Path, file: &File, metadata: &Metadata) -> Result<(), ReplaceError> {
    if !metadata.is_file() {
        return Err(ReplaceError::NotAFile(path.to_path_buf()));
    }
    if metadata.permissions().readonly() {
        return Err(ReplaceError::ReadOnly(path.to_path_buf()));
    }
    refuse_marked(path, file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        // The purpose of the other names is unknown: dotfiles should stay linked, a backup should keep the old bytes.
        // So the file is neither separated from them nor written in place.
        if metadata.nlink() > 1 {
            return Err(ReplaceError::Linked { path: path.to_path_buf(), names: metadata.nlink() });
        }
    }
    Ok(())
}

/// Refuses a file or folder marked by `chattr +i` or `+a`. Not every file system has marks.
#[cfg(target_os = "linux")]
pub(super) fn refuse_marked(path: &Path, file: &File) -> Result<(), ReplaceError> {
    use rustix::fs::{IFlags, ioctl_getflags};

    let marks = ioctl_getflags(file).unwrap_or(IFlags::empty());
    let marked = marks.intersects(IFlags::IMMUTABLE | IFlags::APPEND);
    if marked { Err(ReplaceError::Immutable(path.to_path_buf())) } else { Ok(()) }
}

/// Refuses a file or folder that is locked in the Finder, or by `chflags`.
#[cfg(target_os = "macos")]
pub(super) fn refuse_marked(path: &Path, file: &File) -> Result<(), ReplaceError> {
    use std::os::macos::fs::MetadataExt as _;

    /// Immutable or append-only, for the user or for the system (`sys/stat.h`).
    const MARKS: u32 = 0x2 | 0x4 | 0x2_0000 | 0x4_0000;
    let marked = file.metadata().is_ok_and(|file| file.st_flags() & MARKS != 0);
    if marked { Err(ReplaceError::Immutable(path.to_path_buf())) } else { Ok(()) }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn refuse_marked(_: &Path, _: &File) -> Result<(), ReplaceError> {
    Ok(())
}
