//! The watch's own thread: what it watches, what it gathers until it is quiet, and what it does when the system
//! grants no more watches.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use machine::malloc;
use notify::{
    Config, ErrorKind, Event, EventKind, PathOp, RecommendedWatcher, Watcher as _,
    event::{EventKindMask, ModifyKind},
};
use tokio::sync::oneshot;

use super::{Folders, Health, Message, Places, Seen, point::Point};

/// Time without events after the last one before the watch reports (decision 24) ...
const QUIET: Duration = Duration::from_millis(100);
/// ... but at most this long after the first one.
const AT_MOST: Duration = Duration::from_millis(500);
/// How often everything is checked when all is watched.
const RECONCILE: Duration = Duration::from_secs(600);
/// How often everything is checked when something cannot be watched, and how often missing library folders are
/// checked for: mounting a disk causes no event.
const UNWATCHED: Duration = Duration::from_secs(10);

/// With so many newly watched folders, checking everything is simpler than checking each of them.
const MANY: usize = 1_000;

pub(super) struct Watcher<S> {
    notify: Option<RecommendedWatcher>,
    health: Arc<Health>,
    see: S,
    folders: Folders,
    roots: Vec<PathBuf>,
    /// Those of them that were missing at the last check.
    missing: Vec<PathBuf>,
    files: HashSet<PathBuf>,
    /// Where the roots and the files would be, seen from the nearest existing folder.
    points: Vec<Point>,
    /// The watched folders, and how each is watched.
    watched: HashMap<Arc<Path>, Watched>,
    /// Whether one watch covers all that is below a folder.
    whole: bool,
    /// The folder for marks; `awaited` has who waits for which mark.
    marks: Option<PathBuf>,
    awaited: HashMap<OsString, oneshot::Sender<()>>,
    /// What could not be watched at the last attempt: most likely gone since the walk.
    missed: HashSet<Arc<Path>>,
}

/// How a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Watched {
    /// The inode that the walk saw there.
    inode: u64,
    /// Whether the watch covers all that is below it.
    whole: bool,
}

/// What gathered since the last quiet moment.
struct Gathered {
    first: Instant,
    last: Instant,
    places: Places,
    anything: bool,
}

impl<S: FnMut(Seen)> Watcher<S> {
    pub(super) fn new(
        events: Sender<Message>,
        health: Arc<Health>,
        marks: Option<PathBuf>,
        whole: bool,
        mut see: S,
    ) -> Self {
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
            whole,
            marks,
            awaited: HashMap::new(),
            missed: HashSet::new(),
        }
    }

    pub(super) fn run(mut self, told: &Receiver<Message>) {
        let mut gathered: Option<Gathered> = None;
        self.rewatch(&mut gathered);
        let mut looked = Instant::now();
        let mut asked = looked;
        let mut behind = None;
        loop {
            let pause = if self.health.watches_all.load(Ordering::Relaxed) { RECONCILE } else { UNWATCHED };
            let next = if self.missing.is_empty() { looked + pause } else { (looked + pause).min(asked + UNWATCHED) };
            let due = gathered.as_ref().map_or(next, Gathered::due);
            let message = match behind.take() {
                Some(message) => Ok(message),
                None => told.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Event(event)) => match self.mark_in(&event) {
                    Some(waiting) => {
                        if let Some(gathered) = gathered.take() {
                            self.report(gathered);
                        }
                        // The caller may have given up waiting.
                        waiting.send(()).ok();
                    }
                    None => self.handle(event, &mut gathered),
                },
                Ok(Message::Mark(mark, waiting)) => {
                    self.awaited.extend(mark.file_name().map(|name| (name.to_owned(), waiting)));
                }
                Ok(Message::Library(folders, roots)) => {
                    (self.folders, self.roots) = (folders, roots);
                    self.rewatch(&mut gathered);
                }
                Ok(Message::File(path)) => {
                    let files;
                    (files, behind) = in_a_row(path, told);
                    // Their folders may be watched already; what happened to the files before is unknown.
                    gathered.get_or_insert_with(Gathered::new).places.paths.extend(files.iter().cloned());
                    self.files.extend(files);
                    self.rewatch(&mut gathered);
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => match gathered.take() {
                    Some(gathered) => self.report(gathered),
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

    /// The folders of the library that were missing and now exist.
    fn came_back(&mut self) -> HashSet<PathBuf> {
        self.missing.extract_if(.., |root| root.is_dir()).collect()
    }

    fn report(&mut self, gathered: Gathered) {
        (self.see)(if gathered.anything { Seen::Anything } else { Seen::Places(gathered.places) });
    }

    /// The sender that waits for the mark of this event.
    fn mark_in(&mut self, event: &notify::Result<Event>) -> Option<oneshot::Sender<()>> {
        let path = event.as_ref().ok()?.paths.first()?;
        let marks = self.marks.as_deref()?;
        self.awaited.remove(path.file_name().filter(|_| path.parent() == Some(marks))?)
    }

    /// Ignores events in a folder above the library or the watched files that concern neither.
    fn handle(&mut self, event: notify::Result<Event>, gathered: &mut Option<Gathered>) {
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
                    // The nearest folder above it may have changed.
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

    /// Drops the watch of a folder that came or went, and those below it.
    fn forget(&mut self, folder: &Path) {
        self.health.lost_some.store(true, Ordering::Relaxed);
        for (gone, _) in self.watched.extract_if(|watched, _| watched.starts_with(folder)) {
            if let Some(notify) = &mut self.notify {
                // A deleted folder is not watched any more anyway.
                drop(notify.unwatch(&gone));
            }
        }
    }

    /// The paths by which the library knows this real path.
    fn known_as(&self, real: &Path) -> Vec<PathBuf> {
        let inside = real.parent().into_iter().flat_map(|folder| names(&self.folders, folder));
        let inside = inside.filter_map(|folder| Some(folder.join(real.file_name()?)));
        names(&self.folders, real).map(Path::to_path_buf).chain(inside).collect()
    }

    /// Watches what should be watched and is not yet. Whatever happened before a watch existed, or where none
    /// could be had, is found by checking there once more. What stays unwatched is tried again with the next
    /// library, so this does not loop.
    fn rewatch(&mut self, gathered: &mut Option<Gathered>) {
        self.missing = self.roots.iter().filter(|root| !root.is_dir()).cloned().collect();
        let Some(notify) = &mut self.notify else { return };
        self.points = self.roots.iter().chain(&self.files).flat_map(|path| Point::of(path)).collect();
        let points = self.points.iter().map(|point| &point.above);
        let mut wanted: HashMap<Arc<Path>, _> = points
            .chain(&self.marks)
            .map(|folder| (folder.as_path().into(), Watched { inode: 0, whole: false }))
            .collect();
        let whole = self.whole;
        let here = self.folders.iter().filter(|(real, _)| !whole || is_topmost(&self.folders, real));
        wanted.extend(here.map(|(real, folder)| (Arc::clone(real), Watched { inode: folder.inode, whole })));
        if whole {
            // What a watch above covers needs none of its own.
            wanted.retain(|folder, _| !is_in(&self.folders, folder) || is_topmost(&self.folders, folder));
        }
        for (gone, _) in self.watched.extract_if(|watched, how| wanted.get(watched) != Some(how)) {
            // A deleted folder is not watched any more anyway.
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
            let is_new = |folder: &Path| {
                folder.ancestors().any(|above| match wanted.get(above) {
                    Some(how) => how.whole || above == folder,
                    None => false,
                })
            };
            let new = self.folders.keys().filter(|folder| is_new(folder));
            places.folders.extend(new.flat_map(|folder| names(&self.folders, folder)).map(Path::to_path_buf));
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
        let many = wanted.len() > MANY;
        self.watched.extend(wanted);
        if many {
            malloc::give_back();
        }
        if self.health.watches_all.swap(limit.is_none(), Ordering::Relaxed)
            && let Some(error) = limit
        {
            (self.see)(Seen::Limited(limited(&error)));
        }
    }
}

/// This file with those that were told right behind it, and the first message that is another. An engine that starts
/// tells a hundred, and each look at what to watch goes through all of them.
fn in_a_row(first: PathBuf, told: &Receiver<Message>) -> (Vec<PathBuf>, Option<Message>) {
    let mut files = vec![first];
    loop {
        match told.try_recv() {
            Ok(Message::File(path)) => files.push(path),
            other => return (files, other.ok()),
        }
    }
}

/// Whether a folder of the library is in no other one.
fn is_topmost(folders: &Folders, folder: &Path) -> bool {
    folders.contains_key(folder) && !folder.ancestors().skip(1).any(|above| folders.contains_key(above))
}

/// Whether a folder is one of the library, or is in one.
fn is_in(folders: &Folders, folder: &Path) -> bool {
    folder.ancestors().any(|above| folders.contains_key(above))
}

/// Watches these folders and removes those that cannot be watched. Returns the error when the system grants no
/// more.
fn watch_all(notify: &mut RecommendedWatcher, folders: &mut HashMap<Arc<Path>, Watched>) -> Option<notify::Error> {
    // notify copies its input twice.
    const AT_A_TIME: usize = 500;
    let all: Vec<_> = folders.keys().cloned().collect();
    let mut limit = None;
    for part in all.chunks(AT_A_TIME) {
        if limit.is_some() {
            folders.retain(|folder, _| !part.contains(folder));
        } else {
            limit = watch_some(notify, part, folders);
        }
    }
    limit
}

fn watch_some(
    notify: &mut RecommendedWatcher,
    some: &[Arc<Path>],
    folders: &mut HashMap<Arc<Path>, Watched>,
) -> Option<notify::Error> {
    let watch = |folder: &Arc<Path>| match folders.get(folder) {
        Some(Watched { whole: true, .. }) => PathOp::watch_recursive(&**folder),
        _ => PathOp::watch_non_recursive(&**folder),
    };
    let mut left: Vec<_> = some.iter().map(watch).collect();
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
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn files_that_are_told_in_a_row_are_looked_at_once_and_what_follows_comes_next() {
        let (tell, told) = mpsc::channel();
        for message in [Message::File("b".into()), Message::File("c".into()), Message::Stop, Message::File("d".into())]
        {
            tell.send(message).unwrap();
        }
        let (files, behind) = in_a_row("a".into(), &told);
        assert_eq!(files, ["a", "b", "c"].map(PathBuf::from));
        assert!(matches!(behind, Some(Message::Stop)));
        let (files, behind) = in_a_row("a".into(), &told);
        assert_eq!((files.len(), behind.is_none()), (2, true));
    }
}
