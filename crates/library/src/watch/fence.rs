//! Whether anything changed in the folders of a reading since they were read: Linux notes it for each of them from the
//! moment before it was read, at a tenth of what reading them again costs. It serves until the watch has all of them.
//!
//! It says only yes or maybe: what changed, and where, is left to a reading. Whatever it cannot be sure of is a maybe.

use std::{
    ffi::{OsStr, OsString},
    fs,
    io::ErrorKind,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use machine::waiting::Mutex;
use rustix::{
    fs::inotify::{self, CreateFlags, WatchFlags},
    io::{Errno, read},
};

/// How many folders one user may have watched by all programs.
const MOST: &str = "/proc/sys/fs/inotify/max_user_watches";
/// What is left to the watch, which needs as many again, and to other programs.
const SHARE: usize = 4;

/// The folders of one reading.
#[derive(Debug)]
pub struct Fence {
    inotify: OwnedFd,
    most: usize,
    folders: AtomicUsize,
    awaited: Mutex<Vec<Awaited>>,
    broken: AtomicBool,
}

/// A folder of the library that is not there, seen from the one that it would be in.
#[derive(Debug)]
struct Awaited {
    /// Of its own: what else happens there, such as writing of our own, is nothing to the library.
    inotify: OwnedFd,
    name: OsString,
}

impl Fence {
    /// A fence around no folder. `None` where the system has none to give.
    pub fn new() -> Option<Self> {
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let most = fs::read_to_string(MOST).ok()?.trim().parse::<usize>().ok()? / SHARE;
        let (folders, awaited, broken) = (AtomicUsize::default(), Mutex::default(), AtomicBool::default());
        Some(Self { inotify, most, folders, awaited, broken })
    }

    /// Goes around a folder of the library with all above it, which is not read yet.
    pub(crate) fn around_root(&self, root: &Path) {
        // A way through links can change where nobody looks.
        let is_real = |path: &Path| matches!(path.canonicalize(), Ok(real) if real == path);
        match root.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound && root.parent().is_some_and(is_real) => {
                self.await_it(root);
            }
            _ if is_real(root) => {}
            _ => self.give_up(),
        }
        for above in root.ancestors().skip(1) {
            self.note(above, WatchFlags::MOVE_SELF | WatchFlags::DELETE_SELF);
        }
    }

    /// Waits for a folder that is not there.
    fn await_it(&self, root: &Path) {
        let awaited = || {
            let (above, name) = (root.parent()?, root.file_name()?);
            let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            inotify::add_watch(&inotify, above, WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::ONLYDIR)
                .ok()?;
            Some(Awaited { inotify, name: name.to_owned() })
        };
        match awaited() {
            // It may have come just before.
            Some(awaited) if !root.exists() => self.awaited.lock().push(awaited),
            _ => self.give_up(),
        }
    }

    /// Goes around a folder that is not read yet.
    pub(crate) fn around(&self, folder: &Path) {
        const CHANGES: WatchFlags = WatchFlags::MODIFY
            .union(WatchFlags::CLOSE_WRITE)
            .union(WatchFlags::ATTRIB)
            .union(WatchFlags::CREATE)
            .union(WatchFlags::DELETE)
            .union(WatchFlags::MOVED_FROM)
            .union(WatchFlags::MOVED_TO)
            .union(WatchFlags::MOVE_SELF)
            .union(WatchFlags::DELETE_SELF);
        self.note(folder, CHANGES);
    }

    /// From now on it holds no more: something in the library can change where it cannot see it.
    pub(crate) fn give_up(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Whether nothing changed in any of its folders since each was read.
    pub fn holds(&self) -> bool {
        let mut event = [MaybeUninit::<u8>::uninit(); 512];
        let mut told = || !matches!(read(&self.inotify, &mut event), Err(Errno::AGAIN));
        if !self.broken.load(Ordering::Relaxed) && (told() || self.awaited.lock().iter().any(Awaited::came)) {
            self.give_up();
        }
        !self.broken.load(Ordering::Relaxed)
    }

    fn note(&self, folder: &Path, flags: WatchFlags) {
        if self.broken.load(Ordering::Relaxed) {
            return;
        }
        let is_one_more = self.folders.fetch_add(1, Ordering::Relaxed) < self.most;
        // A folder may be both in the library and above one of its folders.
        let noted = inotify::add_watch(&self.inotify, folder, flags | WatchFlags::ONLYDIR | WatchFlags::MASK_ADD);
        if !is_one_more || noted.is_err() {
            self.give_up();
        }
    }
}

impl Awaited {
    /// Whether it came, or may have.
    fn came(&self) -> bool {
        let mut events = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(&self.inotify, &mut events);
        loop {
            match events.next() {
                Ok(event) => match event.file_name() {
                    Some(name) if OsStr::from_bytes(name.to_bytes()) != self.name => {}
                    _ => return true,
                },
                Err(Errno::AGAIN) => return false,
                Err(_) => return true,
            }
        }
    }
}
