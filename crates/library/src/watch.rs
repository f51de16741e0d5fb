//! Reports changes on the disk; the only module that uses notify.
//!
//! One thread watches each folder that the walk read (on Windows each library folder with all below it, see
//! [`Watch::start`]) and waits for quiet before it reports what it saw
//! ([`Seen`]). It reads nothing: `walk` and `library` find out what a change means. Where the system cannot
//! watch everything, the watch reports that and asks for a full check every few seconds.

#[cfg_attr(not(target_os = "linux"), path = "watch/no_fence.rs")]
mod fence;
mod point;
mod watcher;

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use notify::Event;
use tempfile::TempDir;
use tokio::{sync::oneshot, time::timeout};

pub use self::fence::Fence;
use self::watcher::Watcher;

/// A caller that waits longer than this for a mark checks the disk itself.
const PATIENCE: Duration = Duration::from_millis(500);
/// What the watch saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Something happened at these places.
    Places(Places),
    /// Something may have happened anywhere.
    Anything,
    /// From now on, not everything can be watched; the reason, as a sentence.
    Limited(String),
}

/// Where something happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Folders whose content may have changed.
    pub folders: HashSet<PathBuf>,
    /// Paths that came, went or changed themselves; everything below them may have changed too.
    pub paths: HashSet<PathBuf>,
}

/// The folders that the walk read, by their real path.
pub type Folders = HashMap<Arc<Path>, Folder>;

/// A folder that the walk read.
#[derive(Debug, Default)]
pub struct Folder {
    /// The identity of the folder at this path: when another takes its place, that one is watched.
    pub inode: u64,
    /// Whether the library uses its real path.
    pub known_as_it_is: bool,
    /// The other paths by which the library knows it.
    pub known_as: Vec<PathBuf>,
}

/// A running watch; dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    tell: Sender<Message>,
    health: Arc<Health>,
    /// The folder for marks; see [`Settling`].
    marks: Option<Arc<TempDir>>,
    thread: Option<JoinHandle<()>>,
}

/// Waits until everything that happened so far is reported. It creates a file in a private folder under the
/// same watch: once that file is seen, everything before it was seen too.
#[derive(Debug)]
pub struct Settling {
    tell: Sender<Message>,
    marks: Arc<TempDir>,
}

/// State of the watch's own thread, for others to read.
#[derive(Debug)]
struct Health {
    /// Whether everything is watched that should be.
    watches_all: AtomicBool,
    /// Whether a watch was lost since the library last sent its folders.
    lost_some: AtomicBool,
}

enum Message {
    Event(notify::Result<Event>),
    Library(Folders, Vec<PathBuf>),
    File(PathBuf),
    /// Answer when this file is seen.
    Mark(PathBuf, oneshot::Sender<()>),
    Stop,
}

impl Watch {
    /// Starts a watch of no folders. `see` is called on the watch's own thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(see: impl FnMut(Seen) + Send + 'static) -> io::Result<Self> {
        // Windows lets no folder be renamed while one below it is open, as a watched one is. There a watch covers all
        // that is below a library folder, so that only that folder itself is held.
        Self::start_by(cfg!(windows), see)
    }

    /// Starts a watch of no folders, with one watch for all that is below a library folder, or one for each folder.
    fn start_by(whole: bool, see: impl FnMut(Seen) + Send + 'static) -> io::Result<Self> {
        let (tell, told) = mpsc::channel();
        let health = Arc::new(Health { watches_all: AtomicBool::new(true), lost_some: AtomicBool::new(false) });
        let events = tell.clone();
        let shared = Arc::clone(&health);
        // Other systems report each folder separately, in no common order.
        let marks = if cfg!(target_os = "linux") { tempfile::tempdir().ok().map(Arc::new) } else { None };
        let at = marks.as_ref().and_then(|marks| marks.path().canonicalize().ok());
        let watch = move || Watcher::new(events, shared, at, whole, see).run(&told);
        let thread = thread::Builder::new().name("watch".to_owned()).spawn(watch)?;
        Ok(Self { tell, health, marks, thread: Some(thread) })
    }

    /// From now on watches exactly these folders, and whether these `roots` go and come back.
    pub fn library(&self, folders: Folders, roots: Vec<PathBuf>) {
        self.send(Message::Library(folders, roots));
    }

    /// Watches one more file, which need not exist.
    pub fn file(&self, path: PathBuf) {
        self.send(Message::File(path));
    }

    /// Ends the watch and waits until nothing more is reported. Must not be called from within `see`.
    pub fn end(mut self) {
        self.send(Message::Stop);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("The watch ended too early.");
        }
    }

    /// Whether everything is watched that should be.
    pub fn healthy(&self) -> bool {
        self.health.watches_all.load(Ordering::Relaxed)
    }

    /// Whether watches were lost since the last call. Then the library must send its folders again even if they
    /// are the same: one of them went and came back.
    pub fn lost_some(&self) -> bool {
        self.health.lost_some.swap(false, Ordering::Relaxed)
    }

    /// A handle to wait for what happened so far; `None` where the system cannot tell.
    pub fn settling(&self) -> Option<Settling> {
        Some(Settling { tell: self.tell.clone(), marks: Arc::clone(self.marks.as_ref()?) })
    }

    fn send(&self, message: Message) {
        // Without the watch, only the periodic checks remain.
        drop(self.tell.send(message));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.send(Message::Stop);
    }
}

impl Settling {
    /// Whether everything is reported now. The mark is in memory or on a local disk, so creating it does not
    /// block.
    pub async fn wait(self) -> bool {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mark = self.marks.path().join(NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
        let (tell, told) = oneshot::channel();
        let asked = self.tell.send(Message::Mark(mark.clone(), tell)).is_ok();
        let seen = asked && fs::write(&mark, "").is_ok() && matches!(timeout(PATIENCE, told).await, Ok(Ok(())));
        // The mark is no longer needed; if its folder is gone, so is the mark.
        drop(fs::remove_file(&mark));
        seen
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    /// Longer than any debounce; a test that waits this long has failed.
    const TOO_LONG: Duration = Duration::from_secs(20);

    struct Seeing {
        home: PathBuf,
        watch: Watch,
        seen: Receiver<Seen>,
        _folder: tempfile::TempDir,
    }

    impl Seeing {
        fn start() -> Self {
            Self::start_by(cfg!(windows))
        }

        fn start_by(whole: bool) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let (tell, seen) = mpsc::channel();
            let watch = Watch::start_by(whole, move |seen| drop(tell.send(seen))).unwrap();
            Self { home: folder.path().canonicalize().unwrap(), watch, seen, _folder: folder }
        }

        fn next(&self) -> Places {
            match self.seen.recv_timeout(TOO_LONG) {
                Ok(Seen::Places(places)) => places,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn what_happens_beside_the_library_is_not_told() {
        let seeing = Seeing::start();
        let root = seeing.home.join("skills");
        fs::create_dir(&root).unwrap();
        let folder = Folder { inode: 0, known_as_it_is: true, known_as: Vec::new() };
        seeing.watch.library([(root.as_path().into(), folder)].into(), vec![root.clone()]);
        assert_eq!(seeing.next().folders, [root.clone()].into(), "what is new to the watch is looked at once");

        fs::write(seeing.home.join("noise"), "x").unwrap();
        fs::write(root.join("notes"), "x").unwrap();
        let places = seeing.next();
        assert_eq!(places.paths, [root.join("notes")].into());
        assert_eq!(places.folders, [root].into());
        assert!(seeing.watch.healthy());
    }

    #[test]
    fn one_watch_of_a_library_folder_tells_what_happens_far_below_it() {
        let seeing = Seeing::start_by(true);
        let root = seeing.home.join("skills");
        let tea = root.join("team/tea");
        fs::create_dir_all(&tea).unwrap();
        let folder = |path: &Path| (path.into(), Folder { inode: 0, known_as_it_is: true, known_as: Vec::new() });
        let library = |folders: &[&Path]| {
            seeing.watch.library(folders.iter().map(|path| folder(path)).collect(), vec![root.clone()]);
        };
        library(&[&root, &root.join("team"), &tea]);
        let new = [root.clone(), root.join("team"), tea.clone()];
        assert_eq!(seeing.next().folders, new.into(), "all that is below a new watch is looked at once");
        fs::write(tea.join("SKILL.md"), "x").unwrap();
        assert!(seeing.next().paths.contains(&tea.join("SKILL.md")));

        // A folder that comes is covered at once, before the library knows it.
        let milk = root.join("milk");
        fs::create_dir(&milk).unwrap();
        assert!(seeing.next().paths.contains(&milk));
        library(&[&root, &root.join("team"), &tea, &milk]);
        fs::write(milk.join("SKILL.md"), "x").unwrap();
        assert!(seeing.next().paths.contains(&milk.join("SKILL.md")));
        assert!(seeing.watch.healthy());
    }

    /// What Windows asks for: only the library folder itself is open.
    #[cfg(windows)]
    #[test]
    fn a_folder_of_a_library_can_be_renamed_while_it_is_watched() {
        let seeing = Seeing::start();
        let root = seeing.home.join("skills");
        let team = root.join("team");
        fs::create_dir_all(team.join("tea")).unwrap();
        let folder = |path: &Path| (path.into(), Folder { inode: 0, known_as_it_is: true, known_as: Vec::new() });
        seeing.watch.library([folder(&root), folder(&team), folder(&team.join("tea"))].into(), vec![root.clone()]);
        assert!(seeing.next().folders.contains(&team));
        fs::rename(&team, root.join("others")).unwrap();
        assert!(seeing.next().paths.contains(&team));
    }

    #[test]
    fn a_folder_that_went_away_before_it_was_watched_is_looked_at_once_more() {
        let seeing = Seeing::start_by(false);
        let root = seeing.home.join("skills");
        let gone = root.join("gone");
        fs::create_dir(&root).unwrap();
        let library = || {
            let folder = |path: &Path| (path.into(), Folder { inode: 0, known_as_it_is: true, known_as: Vec::new() });
            seeing.watch.library([folder(&root), folder(&gone)].into(), vec![root.clone()]);
        };
        library();
        assert!(seeing.next().paths.contains(&gone));

        library();
        fs::write(root.join("notes"), "x").unwrap();
        assert_eq!(seeing.next().paths, [root.join("notes")].into(), "and not again and again");

        fs::create_dir(&gone).unwrap();
        assert!(seeing.next().paths.contains(&gone));
        library();
        assert!(seeing.next().folders.contains(&gone), "once it can be watched it is looked at");
        fs::write(gone.join("SKILL.md"), "x").unwrap();
        assert!(seeing.next().paths.contains(&gone.join("SKILL.md")));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_behind_links_is_seen_going_and_coming_back() {
        use std::os::unix::fs::symlink;

        let seeing = Seeing::start();
        let (disk, away) = (seeing.home.join("media/disk"), seeing.home.join("away"));
        fs::create_dir_all(disk.join("skills")).unwrap();
        symlink("media/disk", seeing.home.join("disk")).unwrap();
        symlink("disk/skills", seeing.home.join("skills")).unwrap();
        let root = seeing.home.join("skills");
        seeing.watch.library(Folders::new(), vec![root.clone()]);
        assert!(seeing.next().folders.contains(&root));
        fs::rename(&disk, &away).unwrap();
        assert!(seeing.next().paths.contains(&root));
        // The reader now has everything watched again, from what exists now.
        seeing.watch.library(Folders::new(), vec![root.clone()]);
        assert!(seeing.next().folders.contains(&root));
        fs::rename(&away, &disk).unwrap();
        assert!(seeing.next().paths.contains(&root));
    }

    #[test]
    fn a_file_is_seen_coming_in_a_folder_that_comes() {
        let seeing = Seeing::start();
        let file = seeing.home.join("Claude/config.json");
        seeing.watch.file(file.clone());
        assert!(seeing.next().paths.contains(&file));
        fs::create_dir(seeing.home.join("Claude")).unwrap();
        assert!(seeing.next().paths.contains(&file));
        // The reader now has the library watched again, with the folder that came.
        seeing.watch.library(Folders::new(), Vec::new());
        assert!(seeing.next().paths.contains(&file));
        fs::write(&file, "{}").unwrap();
        assert!(seeing.next().paths.contains(&file));
    }
}
