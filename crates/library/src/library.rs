//! The library: every skill below its folders, read and kept up to date.
//!
//! [`Library::sweep`] walks the folders (`walk`), reads the SKILL.md files that differ from the known ones, and returns
//! a new [`Reading`] if anything changed. Which skills are on, and which of two with the same id is served, is decided
//! elsewhere (`state`).

mod cache;
#[cfg(all(test, unix))]
mod tests;

use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, SystemTime},
};

use files::{confined, digest, folder::Stamp};
use machine::open_files::is_shortage;
use skills::{Entry, Problem, Severity, Skill};
use text::Place;

use crate::{
    walk::{Branch, ClientFolder, Scope, walk_within},
    watch::{Fence, Folders},
    work_tree,
};

/// The largest SKILL.md that is read, in bytes. The largest of 89,000 real ones has 294 kB.
pub const LARGEST: u64 = 1 << 20;

/// A file written this shortly before it was read may have been written again in the same tick of the file system's
/// clock, so it is read again until it is older.
const TICK: Duration = Duration::from_millis(50);

/// One of the library's folders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Root {
    /// Its id.
    pub id: String,
    /// Its absolute path.
    pub path: PathBuf,
    /// Whether it is made when its first skill comes: until then it is empty, and not missing.
    pub made_later: bool,
}

/// The library as read at one moment, in the order of its folders.
#[derive(Debug, Default)]
pub struct Reading {
    folders: Vec<FolderReading>,
}

/// One folder as it was read.
#[derive(Debug, Clone)]
pub struct FolderReading {
    /// Its id.
    pub id: String,
    /// Its skills, sorted by path, without regard to switches and duplicate ids.
    pub skills: Vec<Arc<Entry>>,
    /// Why it cannot be read, as a sentence.
    pub trouble: Option<String>,
    /// What was left out, as sentences.
    pub remarks: Vec<String>,
    /// The top of the git work tree that it lies in.
    pub work_tree: Option<PathBuf>,
}

impl Reading {
    /// The folder of this id, if it was read.
    pub fn folder(&self, id: &str) -> Option<&FolderReading> {
        self.folders.iter().find(|folder| folder.id == id)
    }
}

impl Reading {
    /// The same without the skills at these paths.
    pub fn without(self: Arc<Self>, places: &BTreeSet<PathBuf>) -> Arc<Self> {
        let is_there = |entry: &Arc<Entry>| places.contains(&entry.location);
        if places.is_empty() || !self.folders.iter().any(|folder| folder.skills.iter().any(is_there)) {
            return self;
        }
        let mut folders = self.folders.clone();
        folders.iter_mut().for_each(|folder| folder.skills.retain(|entry| !is_there(entry)));
        Arc::new(Self { folders })
    }
}

/// The state between two sweeps.
#[derive(Debug, Default)]
pub struct Library {
    /// The result of the last walk of each folder.
    trees: HashMap<Root, Arc<Branch<Known>>>,
    reading: Arc<Reading>,
    /// Whether the set of walked folders differs from the last result of [`Library::watched`].
    other_folders: bool,
    /// Whether the last sweep was incomplete because no more files could be opened.
    short: bool,
    unread: Arc<[Unread]>,
    /// How many skills were looked at since the start.
    read: Arc<AtomicU32>,
}

/// Something in the library that exists but cannot be read, and so does not count as missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The id of the skill that it is or contains; `None` if that may be any.
    pub id: Option<String>,
    /// Why it cannot be read, as a sentence.
    pub why: String,
}

/// A skill, and the stamp of its SKILL.md when it was read.
#[derive(Debug, Clone)]
struct Known {
    stamp: Option<Stamp>,
    read: SystemTime,
    entry: Arc<Entry>,
    /// Why the system refuses to read it.
    unread: Option<Arc<str>>,
}

impl Library {
    /// A library that has read nothing yet, and counts there what it reads.
    pub fn counting(read: Arc<AtomicU32>) -> Self {
        Self { read, ..Self::default() }
    }

    /// Scans the `fresh` folders again and reads what changed. `None` if nothing did.
    pub fn sweep(&mut self, roots: &[Root], fresh: &Scope) -> Option<Arc<Reading>> {
        self.sweep_within(roots, fresh, None)
    }

    /// The same; the fence goes around each folder before it is read.
    pub fn sweep_within(&mut self, roots: &[Root], fresh: &Scope, fence: Option<&Fence>) -> Option<Arc<Reading>> {
        // After an incomplete sweep everything is scanned, whatever was reported since.
        let fresh = if std::mem::take(&mut self.short) { &Scope::All } else { fresh };
        let folders: Vec<_> = roots.iter().map(|root| self.sweep_folder(root, fresh, fence)).collect();
        self.unread = self.unread_in(roots, &folders);
        let trees = self.trees.len();
        self.trees.retain(|root, _| roots.contains(root));
        self.other_folders |= self.trees.len() != trees;
        if same(&self.reading.folders, &folders) {
            return None;
        }
        self.reading = Arc::new(Reading { folders });
        Some(Arc::clone(&self.reading))
    }

    /// Whether the last sweep was incomplete because no more files could be opened.
    pub fn is_short(&self) -> bool {
        self.short
    }

    /// What exists but cannot be read.
    pub fn unread(&self) -> &Arc<[Unread]> {
        &self.unread
    }

    fn unread_in(&self, roots: &[Root], folders: &[FolderReading]) -> Arc<[Unread]> {
        let mut unread = Vec::new();
        for (root, folder) in roots.iter().zip(folders) {
            if let Some(trouble) = folder.trouble.as_ref().filter(|_| root.path.exists()) {
                unread.push(Unread { id: None, why: trouble.clone() });
            }
            let Some(tree) = self.trees.get(root) else { continue };
            for known in tree.skills() {
                let id = || Some(known.entry.skill.id.clone());
                unread.extend(known.unread.as_ref().map(|why| Unread { id: id(), why: why.to_string() }));
            }
            tree.failed(&mut |name, why| {
                let id = Some(name.to_string_lossy().into_owned());
                unread.push(Unread { id, why: format!("Its folder cannot be looked into: {why}.") });
            });
        }
        if self.short {
            let why = "Too many files are open on this computer, so not all of the library can be read. Close programs, and ask again.";
            unread.push(Unread { id: None, why: why.to_owned() });
        }
        unread.into()
    }

    /// Every folder that was walked, and so has to be watched; `None` if they are the same as the last time, unless
    /// `all` is set.
    pub fn watched(&mut self, all: bool) -> Option<Folders> {
        if !std::mem::take(&mut self.other_folders) && !all {
            return None;
        }
        let mut folders = Folders::new();
        for (root, tree) in &self.trees {
            tree.folders(&mut root.path.clone(), &mut |path, real, inode| {
                let folder = folders.entry(Arc::clone(real)).or_default();
                // A listing and the folder itself may report different inodes (overlays, mounts); either will do.
                folder.inode = folder.inode.max(inode);
                if **real == *path {
                    folder.known_as_it_is = true;
                } else {
                    folder.known_as.push(path.to_path_buf());
                }
            });
        }
        Some(folders)
    }

    fn sweep_folder(&mut self, root: &Root, fresh: &Scope, fence: Option<&Fence>) -> FolderReading {
        if let Some(fence) = fence {
            fence.around_root(&root.path);
        }
        let before = self.trees.get(root);
        if let Some(read) = self.reading.folder(&root.id).filter(|_| before.is_some() && !fresh.concerns(&root.path)) {
            return read.clone();
        }
        let short = AtomicBool::new(false);
        let read = |folder: ClientFolder<'_>, known: Option<&Known>| {
            let read = read(root, &folder, known, &short);
            self.read.fetch_add(1, Ordering::Relaxed);
            read
        };
        let id = root.id.clone();
        match walk_within(&root.path, before, fresh, fence, &read) {
            Ok(walked) => {
                let mut skills: Vec<_> =
                    walked.tree.skills().into_iter().map(|known| Arc::clone(&known.entry)).collect();
                skills.sort_unstable_by(|a, b| a.path.cmp(&b.path));
                self.trees.insert(root.clone(), walked.tree);
                self.other_folders |= walked.other_folders;
                self.short |= walked.short | short.into_inner();
                let work_tree = work_tree(&root.path);
                FolderReading { id, skills, trouble: None, remarks: walked.remarks, work_tree }
            }
            Err(error) if is_shortage(&error) => {
                self.short = true;
                let trouble = Some(folder_trouble(&root.path, &error));
                let unknown = FolderReading { id, skills: Vec::new(), trouble, remarks: Vec::new(), work_tree: None };
                self.reading.folder(&root.id).filter(|_| before.is_some()).cloned().unwrap_or(unknown)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && root.made_later && before.is_none() => {
                FolderReading { id, skills: Vec::new(), trouble: None, remarks: Vec::new(), work_tree: None }
            }
            Err(error) => {
                self.other_folders |= self.trees.remove(root).is_some();
                let trouble = Some(folder_trouble(&root.path, &error));
                FolderReading { id, skills: Vec::new(), trouble, remarks: Vec::new(), work_tree: None }
            }
        }
    }
}

/// Why a folder of the library cannot be read, as sentences.
pub fn folder_trouble(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => format!("{path} is not there. Its skills come back when it does."),
        io::ErrorKind::PermissionDenied => format!("{path} may not be read. Allow it in the folder's permissions."),
        _ => format!("{path} could not be read: {error}."),
    }
}

fn same(old: &[FolderReading], new: &[FolderReading]) -> bool {
    let same_skills = |old: &[Arc<Entry>], new: &[Arc<Entry>]| {
        old.len() == new.len() && old.iter().zip(new).all(|(old, new)| Arc::ptr_eq(old, new))
    };
    old.len() == new.len()
        && old.iter().zip(new).all(|(old, new)| {
            old.id == new.id
                && old.trouble == new.trouble
                && old.remarks == new.remarks
                && old.work_tree == new.work_tree
                && same_skills(&old.skills, &new.skills)
        })
}

/// Reads a skill, unless it looks unchanged since it was read.
fn read(root: &Root, folder: &ClientFolder<'_>, known: Option<&Known>, short: &AtomicBool) -> Known {
    let settled = |known: &&Known| {
        let old_enough = |stamp: Stamp| stamp.latest() + TICK < known.read;
        known.stamp == folder.stamp && folder.stamp.is_some_and(old_enough) && !folder.touched
    };
    if let Some(known) = known.filter(settled) {
        return keep(folder, known);
    }
    let (stamp, read) = (folder.stamp, SystemTime::now());
    let (entry, failed) = read_skill(root, folder);
    let is_short = failed.as_ref().is_some_and(is_shortage);
    if is_short {
        short.store(true, Ordering::Relaxed);
        if let Some(known) = known {
            return known.clone();
        }
    }
    // It exists, but the system refuses to read it. Our own refusal, for a link that leads out, has no error number.
    let denied = |error: &io::Error| error.raw_os_error().is_some() && error.kind() != io::ErrorKind::NotFound;
    let unread = failed.filter(denied).map(|error| why(&error).into());
    let entry = match known.filter(|known| are_equal(&known.entry, &entry)) {
        Some(known) => Arc::clone(&known.entry),
        None => Arc::new(entry),
    };
    Known { stamp: stamp.filter(|_| !is_short), read, entry, unread }
}

/// A skill with an unchanged SKILL.md; its other files may have changed.
fn keep(folder: &ClientFolder<'_>, known: &Known) -> Known {
    if folder.same {
        return known.clone();
    }
    let files = (folder.files)();
    if *known.entry.files == *files {
        return known.clone();
    }
    let entry = Entry { files: files.into(), ..Entry::clone(&known.entry) };
    Known { entry: Arc::new(entry), ..known.clone() }
}

/// Reads one skill. Never fails: an unreadable SKILL.md yields a broken skill that gives the reason. The error is
/// returned as well.
fn read_skill(root: &Root, folder: &ClientFolder<'_>) -> (Entry, Option<io::Error>) {
    let location = folder.location;
    let id = location.file_name().unwrap_or(location.as_os_str()).to_string_lossy();
    let (skill, digest, failed) = match confined::read_listed_skill_md(folder.open, &root.path, location, LARGEST) {
        Ok(bytes) => (skills::read(&id, &bytes), digest(&bytes), None),
        Err(error) => (unreadable(&id, &error), digest(&[]), Some(error)),
    };
    let entry = Entry {
        skill: Arc::new(skill),
        folder: root.id.clone(),
        path: path_below(&root.path, location),
        location: location.to_path_buf(),
        digest,
        files: (folder.files)().into(),
        enabled: true,
        shadowed_by: None,
    };
    (entry, failed)
}

/// The path of a skill below its root, with `/`.
fn path_below(root: &Path, location: &Path) -> String {
    let names = location.strip_prefix(root).unwrap_or(location).iter();
    names.map(OsStr::to_string_lossy).collect::<Vec<_>>().join("/")
}

/// Two readings of the same skill are equal if the same bytes and files were read.
fn are_equal(one: &Entry, other: &Entry) -> bool {
    (&one.path, &one.location, &one.digest, &one.files) == (&other.path, &other.location, &other.digest, &other.files)
        && one.skill.problems == other.skill.problems
}

/// Why a SKILL.md cannot be read, as a sentence.
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge => "SKILL.md is larger than 1 MiB, so it was not read.".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "SKILL.md may not be read, or is a link that leads out of the library's folder.".to_owned()
        }
        io::ErrorKind::NotFound => "SKILL.md is not there, or is a link to a file that is not there.".to_owned(),
        _ => format!("SKILL.md could not be read: {error}."),
    }
}

fn unreadable(id: &str, error: &io::Error) -> Skill {
    let problem = Problem {
        rule: "unreadable",
        severity: Severity::Error,
        message: why(error),
        start: 0,
        end: 0,
        place: Place { line: 1, column: 1 },
        field: None,
        fix: None,
    };
    skills::unread(id, problem)
}
