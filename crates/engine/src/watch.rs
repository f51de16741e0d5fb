//! Telling that something changed on the disk: the only place that knows notify.
//!
//! One thread watches the folders that the walk looked into, each by itself, and waits for quiet
//! before it tells what it saw ([`Seen`]). It reads nothing: what a change means is found out by
//! looking again (`walk`, `library`). Where the system cannot watch everything, it says so and asks
//! for looking at everything every few seconds.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use notify::{
    Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, event::EventKindMask,
    event::ModifyKind,
};

/// After the last event, this long nothing must happen before we tell (decision 24) ...
const QUIET: Duration = Duration::from_millis(100);
/// ... but after the first one we wait no longer than this.
const AT_MOST: Duration = Duration::from_millis(500);
/// How often everything is looked at when all is watched.
const RECONCILE: Duration = Duration::from_secs(600);
/// How often everything is looked at when something cannot be watched.
const UNWATCHED: Duration = Duration::from_secs(10);

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

/// The folders to watch, by their real path.
pub(crate) type Folders = HashMap<PathBuf, Folder>;

/// A folder to watch.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Which folder was seen at this path: when another took its place, that one is watched.
    pub(crate) inode: u64,
    /// The paths by which the library knows it.
    pub(crate) known_as: Vec<PathBuf>,
}

/// A running watch; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Watch {
    tell: Sender<Message>,
    healthy: Arc<AtomicBool>,
}

enum Message {
    Event(notify::Result<Event>),
    Folders(Folders),
    File(PathBuf),
    Stop,
}

impl Watch {
    /// Starts watching nothing. `see` is called on the watch's own thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(see: impl FnMut(Seen) + Send + 'static) -> io::Result<Self> {
        let (tell, told) = mpsc::channel();
        let healthy = Arc::new(AtomicBool::new(true));
        let events = tell.clone();
        let shared = Arc::clone(&healthy);
        thread::Builder::new().name("watch".to_owned()).spawn(move || Watcher::new(events, shared, see).run(&told))?;
        Ok(Self { tell, healthy })
    }

    /// Watches exactly these folders from now on, and the files asked for.
    pub(crate) fn folders(&self, folders: Folders) {
        self.send(Message::Folders(folders));
    }

    /// Watches one more file, which need not exist.
    pub(crate) fn file(&self, path: PathBuf) {
        self.send(Message::File(path));
    }

    /// Whether everything is watched that should be.
    pub(crate) fn healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
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

struct Watcher<S> {
    notify: Option<RecommendedWatcher>,
    healthy: Arc<AtomicBool>,
    see: S,
    folders: Folders,
    files: HashSet<PathBuf>,
    /// What is watched, and the inode that the walk had seen there.
    watched: HashMap<PathBuf, u64>,
}

/// What gathered since the last quiet moment.
struct Gathered {
    first: Instant,
    last: Instant,
    places: Places,
    anything: bool,
}

impl<S: FnMut(Seen)> Watcher<S> {
    fn new(events: Sender<Message>, healthy: Arc<AtomicBool>, mut see: S) -> Self {
        let hear = move |event| drop(events.send(Message::Event(event)));
        let config = Config::default().with_event_kinds(EventKindMask::CORE);
        let notify = match RecommendedWatcher::new(hear, config) {
            Ok(notify) => Some(notify),
            Err(error) => {
                healthy.store(false, Ordering::Relaxed);
                see(Seen::Limited(limited(&error)));
                None
            }
        };
        Self { notify, healthy, see, folders: Folders::new(), files: HashSet::new(), watched: HashMap::new() }
    }

    fn run(mut self, told: &Receiver<Message>) {
        let mut gathered: Option<Gathered> = None;
        let mut looked = Instant::now();
        loop {
            let pause = if self.healthy.load(Ordering::Relaxed) { RECONCILE } else { UNWATCHED };
            let due = gathered.as_ref().map_or(looked + pause, Gathered::due);
            match told.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(Message::Event(event)) => self.hear(event, gathered.get_or_insert_with(Gathered::new)),
                Ok(Message::Folders(folders)) => {
                    self.folders = folders;
                    self.rewatch(&mut gathered);
                }
                Ok(Message::File(path)) => {
                    self.files.insert(path);
                    self.rewatch(&mut gathered);
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => match gathered.take().filter(|gathered| !gathered.anything) {
                    Some(gathered) => (self.see)(Seen::Places(gathered.places)),
                    None => {
                        looked = Instant::now();
                        (self.see)(Seen::Anything);
                    }
                },
            }
        }
    }

    fn hear(&mut self, event: notify::Result<Event>, gathered: &mut Gathered) {
        gathered.last = Instant::now();
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            Ok(_) => return gathered.anything = true,
            Err(error) => {
                tracing::debug!(%error, "the watcher lost something");
                return gathered.anything = true;
            }
        };
        let came_or_went =
            matches!(event.kind, EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        for real in event.paths {
            if came_or_went && self.watched.contains_key(&real) {
                self.forget(&real);
            }
            for path in self.known_as(&real).into_iter().chain([real]) {
                gathered.places.folders.extend(path.parent().map(Path::to_path_buf));
                gathered.places.paths.insert(path);
            }
        }
    }

    /// A folder that came or went takes its watch and those below it along.
    fn forget(&mut self, folder: &Path) {
        for (gone, _) in self.watched.extract_if(|watched, _| watched.starts_with(folder)) {
            if let Some(notify) = &mut self.notify {
                // Deleted, it is not watched any more anyway.
                drop(notify.unwatch(&gone));
            }
        }
    }

    /// The paths by which the library knows what is at a real path.
    fn known_as(&self, real: &Path) -> Vec<PathBuf> {
        let known_as = |real: &Path| self.folders.get(real).into_iter().flat_map(|folder| &folder.known_as);
        let inside =
            real.parent().into_iter().flat_map(known_as).filter_map(|folder| Some(folder.join(real.file_name()?)));
        known_as(real).cloned().chain(inside).collect()
    }

    /// Watches what should be watched and is not yet. What happened before a watch was there is
    /// found by looking at that folder once more.
    fn rewatch(&mut self, gathered: &mut Option<Gathered>) {
        let Some(notify) = &mut self.notify else { return };
        let above = |file: &PathBuf| file.ancestors().skip(1).find(|above| above.is_dir()).map(Path::to_path_buf);
        let mut wanted: HashMap<_, _> = self.files.iter().filter_map(above).map(|folder| (folder, 0)).collect();
        wanted.extend(self.folders.iter().map(|(real, folder)| (real.clone(), folder.inode)));
        for (gone, _) in self.watched.extract_if(|watched, inode| wanted.get(watched) != Some(inode)) {
            // Deleted, it is not watched any more anyway.
            drop(notify.unwatch(&gone));
        }
        wanted.retain(|folder, _| !self.watched.contains_key(folder));
        for (folder, inode) in wanted {
            match notify.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    let places = &mut gathered.get_or_insert_with(Gathered::new).places;
                    places.folders.extend(self.folders.get(&folder).iter().flat_map(|folder| folder.known_as.clone()));
                    self.watched.insert(folder, inode);
                }
                Err(error) if matches!(error.kind, ErrorKind::MaxFilesWatch) => {
                    if self.healthy.swap(false, Ordering::Relaxed) {
                        (self.see)(Seen::Limited(limited(&error)));
                    }
                    return;
                }
                Err(error) => tracing::debug!(%error, folder = %folder.display(), "not watched"),
            }
        }
        self.healthy.store(true, Ordering::Relaxed);
    }
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
