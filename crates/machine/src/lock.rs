//! Locks on files, which the system releases when the process ends, however it ends. The one on `engine.lock` ensures
//! one writing engine per user: its holder writes state, serves HTTP and listens on the socket.
//!
//! Every lock of the tree is taken through [`Lockable`]: clippy refuses [`File`]'s own methods elsewhere.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

use crate::machine::{make_private, private};

/// An open file that every system can lock. Dropping it lets go of its lock.
#[derive(Debug)]
pub struct Lockable(File);

#[expect(clippy::disallowed_methods, reason = "the handle is one that Windows locks")]
impl Lockable {
    /// Opens the file for reading and writing, for the user alone: Windows locks no handle that may only append.
    ///
    /// # Errors
    /// When it cannot be opened, or is missing and shall not be made.
    pub fn open(path: &Path, create: bool) -> io::Result<Self> {
        private().create(create).read(true).write(true).truncate(false).open(path).map(Self)
    }

    /// Opens a folder: Windows locks none.
    ///
    /// # Errors
    /// When it cannot be opened.
    #[cfg(unix)]
    pub fn folder(path: &Path) -> io::Result<Self> {
        File::open(path).map(Self)
    }

    /// Takes the lock; waits for whoever holds it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn take(&self) -> io::Result<()> {
        self.0.lock()
    }

    /// Takes the lock if nobody holds it.
    ///
    /// # Errors
    /// When somebody holds it, or the system refuses.
    pub fn try_take(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }

    /// Whether somebody else holds it.
    fn is_held(&self) -> bool {
        matches!(self.0.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

/// A lock belongs to the opened file, not to the handle: a child that is being started has the handle, too, until it runs its
/// program, and would hold the lock for that long.
impl Drop for Lockable {
    fn drop(&mut self) {
        // Of a file that was not locked there is nothing to let go.
        let _let_go = self.0.unlock();
    }
}

impl Deref for Lockable {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Lockable {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

/// The lock, held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    _held: Lockable,
}

/// Why the lock could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another engine of this user holds it.
    #[error("Skilltender is already running{}. Quit it first, or use the running one.", with_pid(*pid))]
    Held {
        /// Its process id, if known.
        pid: Option<u32>,
    },
    /// The data folder cannot be created.
    #[error("Skilltender's own folder {path} cannot be made: {source}.", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The lock file cannot be used.
    #[error("{path} cannot be locked: {source}.", path = path.display())]
    System {
        /// The lock file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of the data folder `data`, which is created if missing, and writes our process id to a file next
    /// to it.
    ///
    /// # Errors
    /// When another process holds it, or the file cannot be used.
    pub fn take(data: &Path) -> Result<Self, LockError> {
        let path = data.join("engine.lock");
        // Not in the lock file itself: on Windows other processes cannot read a locked file.
        let pid = data.join("engine.pid");
        let system = |source| LockError::System { path: path.clone(), source };
        make_private(data).map_err(|source| LockError::Folder { path: data.to_path_buf(), source })?;
        let file = Lockable::open(&path, true).map_err(system)?;
        match file.try_take() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { pid: read(&pid) }),
            Err(TryLockError::Error(source)) => return Err(system(source)),
        }
        let mut pid = private().create(true).write(true).truncate(true).open(&pid).map_err(system)?;
        pid.write_all(std::process::id().to_string().as_bytes()).map_err(system)?;
        Ok(Self { _held: file })
    }
}

/// Whether a process holds the lock of this data folder; its process id, if known.
pub fn holder(data: &Path) -> Option<Option<u32>> {
    let file = Lockable(File::open(data.join("engine.lock")).ok()?);
    file.is_held().then(|| read(&data.join("engine.pid")))
}

fn read(pid: &Path) -> Option<u32> {
    fs::read_to_string(pid).ok()?.trim().parse().ok()
}

fn with_pid(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" (process {pid})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_let_go_though_a_child_that_is_being_started_has_its_handle() {
        let data = tempfile::tempdir().unwrap();
        let lock = Lock::take(data.path()).unwrap();
        // What a fork leaves in a child until it runs its program.
        let _of_a_child = lock._held.try_clone().unwrap();
        drop(lock);
        assert_eq!(holder(data.path()), None);
        drop(Lock::take(data.path()).unwrap());
    }

    #[test]
    fn a_second_engine_is_refused_and_told_who_runs() {
        let data = tempfile::tempdir().unwrap();
        let _held = Lock::take(data.path()).unwrap();
        let refused = Lock::take(data.path()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "Skilltender is already running (process {}). Quit it first, or use the running one.",
                std::process::id()
            )
        );
    }

    /// Windows refuses to lock a handle that may only append (`File::try_lock`), and no other system says so. Clippy
    /// refuses other locks than those of a [`Lockable`].
    #[cfg(unix)]
    #[test]
    fn every_lock_is_taken_on_a_handle_that_may_read_and_write() {
        let data = tempfile::tempdir().unwrap();
        let lock = Lockable::open(&data.path().join("lock"), true).unwrap();
        let flags = rustix::fs::fcntl_getfl(&*lock).unwrap();
        assert!(flags.contains(rustix::fs::OFlags::RDWR) && !flags.contains(rustix::fs::OFlags::APPEND), "{flags:?}");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("file"), "").unwrap();
        let refused = Lock::take(&home.path().join("file/data")).unwrap_err();
        assert!(refused.to_string().contains("file/data cannot be made"), "{refused}");
    }

    #[test]
    fn the_lock_is_free_again_when_its_holder_is_gone() {
        let data = tempfile::tempdir().unwrap();
        drop(Lock::take(data.path()).unwrap());
        assert!(Lock::take(data.path()).is_ok());
    }
}
