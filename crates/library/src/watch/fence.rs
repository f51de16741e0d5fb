//! Whether anything changed in the folders of a reading since they were read: Linux notes it for each of them from the
//! moment before it was read, at a tenth of what reading them again costs. It serves until the watch has all of them.
//!
//! It says only yes or maybe: what changed, and where, is left to a reading. Whatever it cannot be sure of is a maybe.

use std::{
    fs,
    mem::MaybeUninit,
    os::fd::OwnedFd,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

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
    broken: AtomicBool,
}

impl Fence {
    /// A fence around no folder. `None` where the system has none to give.
    pub fn new() -> Option<Self> {
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let most = fs::read_to_string(MOST).ok()?.trim().parse::<usize>().ok()? / SHARE;
        Some(Self { inotify, most, folders: AtomicUsize::default(), broken: AtomicBool::default() })
    }

    /// Goes around a folder of the library with all above it, which is not read yet.
    pub(crate) fn around_root(&self, root: &Path) {
        // A way through links can change where nobody looks.
        if !matches!(root.canonicalize(), Ok(real) if real == root) {
            self.give_up();
        }
        for above in root.ancestors().skip(1) {
            self.note(above, WatchFlags::MOVE_SELF | WatchFlags::DELETE_SELF);
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
        if !self.broken.load(Ordering::Relaxed) && !matches!(read(&self.inotify, &mut event), Err(Errno::AGAIN)) {
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
