//! Telling that something changed on the disk: the only place that knows notify.
//!
//! One thread watches the folders that the walk looked into, each by itself, and waits for quiet
//! before it tells what it saw ([`Seen`]). It reads nothing: what a change means is found out by
//! looking again (`walk`, `library`). Where the system cannot watch everything, it says so and asks
//! for looking at everything every few seconds.

mod point;

use std::{
    collections::{HashMap, HashSet},
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use notify::{
    Config, ErrorKind, Event, EventKind, PathOp, RecommendedWatcher, Watcher as _,
    event::{EventKindMask, ModifyKind},
};
use tempfile::TempDir;

use self::point::Point;

/// After the last event, this long nothing must happen before we tell (decision 24) ...
const QUIET: Duration = Duration::from_millis(100);
/// ... but after the first one we wait no longer than this.
const AT_MOST: Duration = Duration::from_millis(500);
/// Who waits for a mark longer than this looks for itself.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often everything is looked at when all is watched.
const RECONCILE: Duration = Duration::from_secs(600);
/// How often everything is looked at when something cannot be watched, and how often it is asked whether a folder of the
/// library that is not there came back: of a disk that is mounted no event tells.
const UNWATCHED: Duration = Duration::from_secs(10);

/// When so many folders are watched anew, looking at all is simpler than at each of them.
const MANY: usize = 1_000;

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Something happened here.
    Places(Places),
    /// Something may have happened anywhere.
    Anything,
    /// From now on not everything can be watched; why, as a sentence.
    Limited(String),
}

/// Where something happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// Folders whose content may look different.
    pub(crate) folders: HashSet<PathBuf>,
    /// What came, went or changed itself; what is below it may be different too.
    pub(crate) paths: HashSet<PathBuf>,
}

/// The folders that the walk looked into, by their real path.
pub(crate) type Folders = HashMap<Arc<Path>, Folder>;

/// A folder that the walk looked into.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Which folder was seen at this path: when another took its place, that one is watched.
    pub(crate) inode: u64,
    /// Whether the library knows it by its real path.
    pub(crate) known_as_it_is: bool,
    /// The other paths by which the library knows it.
    pub(crate) known_as: Vec<PathBuf>,
}

/// A running watch; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Watch {
    tell: Sender<Message>,
    health: Arc<Health>,
    /// Where marks are left; see [`Settling`].
    marks: Option<Arc<TempDir>>,
    thread: Option<JoinHandle<()>>,
}

/// Waiting until everything is told that happened so far. A file is made in a folder of our own that
/// the same watch watches: once it is seen, everything before it was seen too.
#[derive(Debug)]
pub(crate) struct Settling {
    tell: Sender<Message>,
    marks: Arc<TempDir>,
}

/// What the watch's own thread lets others know.
#[derive(Debug)]
struct Health {
    /// Whether everything is watched that should be.
    watches_all: AtomicBool,
    /// Whether a watch was lost since the library was last told.
    lost_some: AtomicBool,
}

enum Message {
    Event(notify::Result<Event>),
    Library(Folders, Vec<PathBuf>),
    File(PathBuf),
    /// Tell when this file is seen.
    Mark(PathBuf, Sender<()>),
    Stop,
}

impl Watch {
    /// Starts watching nothing. `see` is called on the watch's own thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(see: impl FnMut(Seen) + Send + 'static) -> io::Result<Self> {
        let (tell, told) = mpsc::channel();
        let health = Arc::new(Health { watches_all: AtomicBool::new(true), lost_some: AtomicBool::new(false) });
        let events = tell.clone();
        let shared = Arc::clone(&health);
        // Other systems tell of each folder by itself, in no common order.
        let marks = if cfg!(target_os = "linux") { tempfile::tempdir().ok().map(Arc::new) } else { None };
        let at = marks.as_ref().and_then(|marks| marks.path().canonicalize().ok());
        let watch = move || Watcher::new(events, shared, at, see).run(&told);
        let thread = thread::Builder::new().name("watch".to_owned()).spawn(watch)?;
        Ok(Self { tell, health, marks, thread: Some(thread) })
    }

    /// Watches exactly these folders from now on, and whether these `roots` go and come back.
    pub(crate) fn library(&self, folders: Folders, roots: Vec<PathBuf>) {
        self.send(Message::Library(folders, roots));
    }

    /// Watches one more file, which need not exist.
    pub(crate) fn file(&self, path: PathBuf) {
        self.send(Message::File(path));
    }

    /// Ends it, and waits until nothing is told any more. Not for what is called by `see`.
    pub(crate) fn end(mut self) {
        self.send(Message::Stop);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("The watch ended too early.");
        }
    }

    /// Whether everything is watched that should be.
    pub(crate) fn healthy(&self) -> bool {
        self.health.watches_all.load(Ordering::Relaxed)
    }

    /// Whether watches were lost since this was last asked, so that the library must be told again
    /// even if its folders are the same: one of them went and came back.
    pub(crate) fn lost_some(&self) -> bool {
        self.health.lost_some.swap(false, Ordering::Relaxed)
    }

    /// To wait for what happened so far; `None` where that cannot be known.
    pub(crate) fn settling(&self) -> Option<Settling> {
        Some(Settling { tell: self.tell.clone(), marks: Arc::clone(self.marks.as_ref()?) })
    }

    fn send(&self, message: Message) {
        // A watch that is gone leaves only the sweeps.
        drop(self.tell.send(message));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.send(Message::Stop);
    }
}

impl Settling {
    /// Whether everything is told now.
    pub(crate) fn wait(self) -> bool {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mark = self.marks.path().join(NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
        let (tell, told) = mpsc::channel();
        let asked = self.tell.send(Message::Mark(mark.clone(), tell)).is_ok();
        let seen = asked && fs::write(&mark, "").is_ok() && told.recv_timeout(PATIENCE).is_ok();
        // It has done its work; a folder that is gone already took it along.
        drop(fs::remove_file(&mark));
        seen
    }
}

struct Watcher<S> {
    notify: Option<RecommendedWatcher>,
    health: Arc<Health>,
    see: S,
    folders: Folders,
    roots: Vec<PathBuf>,
    /// Those of them that were not there when they were last asked for.
    missing: Vec<PathBuf>,
    files: HashSet<PathBuf>,
    /// Where the roots and the files would be, seen from the nearest folder that is there.
    points: Vec<Point>,
    /// What is watched, and the inode that the walk had seen there.
    watched: HashMap<Arc<Path>, u64>,
    /// Where marks are left, and who waits for which.
    marks: Option<PathBuf>,
    awaited: HashMap<OsString, Sender<()>>,
    /// What could not be watched when that was last tried: most likely gone since the walk.
    missed: HashSet<Arc<Path>>,
}

/// What gathered since the last quiet moment.
struct Gathered {
    first: Instant,
    last: Instant,
    places: Places,
    anything: bool,
}

impl<S: FnMut(Seen)> Watcher<S> {
    fn new(events: Sender<Message>, health: Arc<Health>, marks: Option<PathBuf>, mut see: S) -> Self {
        let hear = move |event| drop(events.send(Message::Event(event)));
        let config = Config::default().with_event_kinds(EventKindMask::CORE);
        let notify = match RecommendedWatcher::new(hear, config) {
            Ok(notify) => Some(notify),
            Err(error) => {
                health.watches_all.store(false, Ordering::Relaxed);
                see(Seen::Limited(limited(&error)));
                None
            }
        };
        Self {
            notify,
            health,
            see,
            folders: Folders::new(),
            roots: Vec::new(),
            missing: Vec::new(),
            files: HashSet::new(),
            points: Vec::new(),
            watched: HashMap::new(),
            marks,
            awaited: HashMap::new(),
            missed: HashSet::new(),
        }
    }

    fn run(mut self, told: &Receiver<Message>) {
        let mut gathered: Option<Gathered> = None;
        self.rewatch(&mut gathered);
        let mut looked = Instant::now();
        let mut asked = looked;
        loop {
            let pause = if self.health.watches_all.load(Ordering::Relaxed) { RECONCILE } else { UNWATCHED };
            let next = if self.missing.is_empty() { looked + pause } else { (looked + pause).min(asked + UNWATCHED) };
            let due = gathered.as_ref().map_or(next, Gathered::due);
            match told.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Message::Event(event)) => match self.mark_in(&event) {
                    Some(waiting) => {
                        if let Some(gathered) = gathered.take() {
                            self.tell(gathered);
                        }
                        // Who waited may have given up.
                        waiting.send(()).ok();
                    }
                    None => self.hear(event, &mut gathered),
                },
                Ok(Message::Mark(mark, waiting)) => {
                    self.awaited.extend(mark.file_name().map(|name| (name.to_owned(), waiting)));
                }
                Ok(Message::Library(folders, roots)) => {
                    (self.folders, self.roots) = (folders, roots);
                    self.rewatch(&mut gathered);
                }
                Ok(Message::File(path)) => {
                    // Its folder may be watched already; what happened to the file before is not known.
                    gathered.get_or_insert_with(Gathered::new).places.paths.insert(path.clone());
                    self.files.insert(path);
                    self.rewatch(&mut gathered);
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => match gathered.take() {
                    Some(gathered) => self.tell(gathered),
                    None => {
                        asked = Instant::now();
                        let back = self.came_back();
                        if looked + pause <= asked {
                            looked = asked;
                            (self.see)(Seen::Anything);
                        } else if !back.is_empty() {
                            (self.see)(Seen::Places(Places { paths: back, ..Places::default() }));
                        }
                    }
                },
            }
        }
    }

    /// The folders of the library that were not there, and are.
    fn came_back(&mut self) -> HashSet<PathBuf> {
        self.missing.extract_if(.., |root| root.is_dir()).collect()
    }

    fn tell(&mut self, gathered: Gathered) {
        (self.see)(if gathered.anything { Seen::Anything } else { Seen::Places(gathered.places) });
    }

    /// Who waits for the mark that an event is about.
    fn mark_in(&mut self, event: &notify::Result<Event>) -> Option<Sender<()>> {
        let path = event.as_ref().ok()?.paths.first()?;
        let marks = self.marks.as_deref()?;
        self.awaited.remove(path.file_name().filter(|_| path.parent() == Some(marks))?)
    }

    /// What happens beside the library and the files in a folder above them is nothing to us.
    fn hear(&mut self, event: notify::Result<Event>, gathered: &mut Option<Gathered>) {
        let lost = match &event {
            Ok(event) => event.need_rescan(),
            Err(error) => {
                tracing::debug!(%error, "the watcher lost something");
                true
            }
        };
        let mut places = Places::default();
        for event in event.into_iter().filter(|_| !lost) {
            let came_or_went = matches!(
                event.kind,
                EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
            );
            for real in event.paths {
                if came_or_went && self.watched.contains_key(real.as_path()) {
                    self.forget(&real);
                }
                let points = self.points.iter().filter(|point| point.real.starts_with(&real));
                for point in points {
                    // The nearest folder above it may be another now.
                    self.health.lost_some.store(true, Ordering::Relaxed);
                    places.paths.insert(point.path.clone());
                }
                for path in self.known_as(&real) {
                    places.folders.extend(path.parent().map(Path::to_path_buf));
                    places.paths.insert(path);
                }
            }
        }
        if lost || !places.paths.is_empty() {
            let gathered = gathered.get_or_insert_with(Gathered::new);
            gathered.last = Instant::now();
            gathered.anything |= lost;
            gathered.places.folders.extend(places.folders);
            gathered.places.paths.extend(places.paths);
        }
    }

    /// A folder that came or went takes its watch and those below it along.
    fn forget(&mut self, folder: &Path) {
        self.health.lost_some.store(true, Ordering::Relaxed);
        for (gone, _) in self.watched.extract_if(|watched, _| watched.starts_with(folder)) {
            if let Some(notify) = &mut self.notify {
                // Deleted, it is not watched any more anyway.
                drop(notify.unwatch(&gone));
            }
        }
    }

    /// The paths by which the library knows what is at a real path.
    fn known_as(&self, real: &Path) -> Vec<PathBuf> {
        let inside = real.parent().into_iter().flat_map(|folder| names(&self.folders, folder));
        let inside = inside.filter_map(|folder| Some(folder.join(real.file_name()?)));
        names(&self.folders, real).map(Path::to_path_buf).chain(inside).collect()
    }

    /// Watches what should be watched and is not yet. What happened before a watch was there, or
    /// where none could be had, is found by looking there once more; what stays unwatched is tried
    /// again with the next library, without looking again and again.
    fn rewatch(&mut self, gathered: &mut Option<Gathered>) {
        self.missing = self.roots.iter().filter(|root| !root.is_dir()).cloned().collect();
        let Some(notify) = &mut self.notify else { return };
        self.points = self.roots.iter().chain(&self.files).flat_map(|path| Point::of(path)).collect();
        let points = self.points.iter().map(|point| &point.above);
        let mut wanted: HashMap<Arc<Path>, _> =
            points.chain(&self.marks).map(|folder| (folder.as_path().into(), 0)).collect();
        wanted.extend(self.folders.iter().map(|(real, folder)| (Arc::clone(real), folder.inode)));
        for (gone, _) in self.watched.extract_if(|watched, inode| wanted.get(watched) != Some(inode)) {
            // Deleted, it is not watched any more anyway.
            drop(notify.unwatch(&gone));
        }
        wanted.retain(|folder, _| !self.watched.contains_key(folder));
        let asked: HashSet<_> = wanted.keys().cloned().collect();
        let limit = watch_all(notify, &mut wanted);
        let missed: HashSet<_> = asked.into_iter().filter(|folder| !wanted.contains_key(folder)).collect();
        let vanished: HashSet<_> = missed.difference(&self.missed).collect();
        let is_mark = |folder: &Arc<Path>| self.marks.as_deref() == Some(folder);
        if !wanted.keys().all(is_mark) || !vanished.is_empty() {
            let gathered = gathered.get_or_insert_with(Gathered::new);
            gathered.anything |= wanted.len() > MANY;
            let places = &mut gathered.places;
            places.folders.extend(wanted.keys().flat_map(|folder| names(&self.folders, folder)).map(Path::to_path_buf));
            places.paths.extend(vanished.iter().flat_map(|folder| names(&self.folders, folder)).map(Path::to_path_buf));
            let new = |point: &&Point| {
                wanted.contains_key(point.above.as_path()) || vanished.iter().any(|gone| ***gone == *point.above)
            };
            for point in self.points.iter().filter(new) {
                let places = if self.roots.contains(&point.path) { &mut places.folders } else { &mut places.paths };
                places.insert(point.path.clone());
            }
        }
        self.missed = missed;
        self.watched.extend(wanted);
        if self.health.watches_all.swap(limit.is_none(), Ordering::Relaxed)
            && let Some(error) = limit
        {
            (self.see)(Seen::Limited(limited(&error)));
        }
    }
}

/// Watches these folders; those that cannot be watched are taken out. The error, when no more can be.
fn watch_all(notify: &mut RecommendedWatcher, folders: &mut HashMap<Arc<Path>, u64>) -> Option<notify::Error> {
    let mut left: Vec<_> = folders.keys().map(|folder| PathOp::watch_non_recursive(&**folder)).collect();
    while let Err(error) = notify.update_paths(left) {
        left = error.remaining;
        let more = error.origin.is_some() && !matches!(error.source.kind, ErrorKind::MaxFilesWatch);
        for missed in error.origin.into_iter().chain(left.drain(..if more { 0 } else { left.len() })) {
            folders.remove(missed.as_path());
        }
        if !more {
            return Some(error.source);
        }
        tracing::debug!(error = %error.source, "not watched");
    }
    None
}

/// The paths by which the library knows a folder.
fn names<'f>(folders: &'f Folders, real: &'f Path) -> impl Iterator<Item = &'f Path> {
    let folder = folders.get(real);
    let as_it_is = folder.is_some_and(|folder| folder.known_as_it_is).then_some(real);
    as_it_is.into_iter().chain(folder.into_iter().flat_map(|folder| &folder.known_as).map(PathBuf::as_path))
}

impl Gathered {
    fn new() -> Self {
        let now = Instant::now();
        Self { first: now, last: now, places: Places::default(), anything: false }
    }

    fn due(&self) -> Instant {
        (self.last + QUIET).min(self.first + AT_MOST)
    }
}

fn limited(error: &notify::Error) -> String {
    let seconds = UNWATCHED.as_secs();
    match error.kind {
        ErrorKind::MaxFilesWatch => format!(
            "This computer allows no more watched folders, so changes show after {seconds} seconds at most. \
             Raise fs.inotify.max_user_watches to see them at once."
        ),
        _ => format!("Folders cannot be watched ({error}), so changes show after {seconds} seconds at most."),
    }
}

#[cfg(test)]
mod tests {
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
            let folder = tempfile::tempdir().unwrap();
            let (tell, seen) = mpsc::channel();
            let watch = Watch::start(move |seen| drop(tell.send(seen))).unwrap();
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
    fn a_folder_that_went_away_before_it_was_watched_is_looked_at_once_more() {
        let seeing = Seeing::start();
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
        // Whoever looked has all watched anew, from what is there now.
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
        // Whoever looked has the library watched anew, and with it the folder that came.
        seeing.watch.library(Folders::new(), Vec::new());
        assert!(seeing.next().paths.contains(&file));
        fs::write(&file, "{}").unwrap();
        assert!(seeing.next().paths.contains(&file));
    }
}
