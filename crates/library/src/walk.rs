//! Finds skills below a folder, by the same rules as the clients: which folders count, how deep, which links.
//!
//! The walk returns a tree of [`Branch`]es, one for every folder that it read. The next walk reads only the
//! folders that may have changed and reuses the others, so one saved file costs one folder and not the whole
//! tree. Reading a SKILL.md is left to `library`, which the walk calls for each skill.

mod cached;
mod fresh;
mod listing;
mod remarks;

use std::{
    collections::HashSet,
    ffi::OsStr,
    io,
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use files::{
    confined,
    folder::{Open, Stamp, stamp},
    ignored,
};
use machine::{clock, open_files::is_shortage, waiting};
use skills::{File, SkillPath};

use crate::watch::Fence;

pub(crate) use self::cached::{CachedFolder, CachedPlace, CachedSubfolder, Children, children, number, time};
pub use self::fresh::Scope;
use self::listing::{FileKind, Listing, Subfolder, inode_of, is_hidden};

/// How deep below a library folder a skill may be. Codex stops at 6, other clients have no limit; a package of
/// a repository that holds a client's folder of skills needs 8.
const DEPTH: usize = 8;
/// How deep below a skill's own folder its files may be. Deeper than any real skill, but finite.
const FILE_DEPTH: u8 = 32;
/// How many folders are read at most. Codex stops at 2,000; a library of 10,000 skills has 20,000.
const FOLDERS: usize = 40_000;
/// How many files of a skill are listed: one more than are counted, so that an excess is visible.
const FILES: usize = skills::MOST_COUNTED + 1;

/// With fewer sibling folders than this, a thread does not pay.
const WORTH_A_THREAD: usize = 32;
/// Minimum number of threads, whatever the number of processors: folders that are not cached come from the
/// disk, and a disk that gets four requests at once answers in half the time.
const AT_ONCE: usize = 4;

/// The result of a walk below one folder.
#[derive(Debug)]
pub struct Walked<S> {
    /// Every folder that was read.
    pub tree: Arc<Branch<S>>,
    /// What was left out, as sentences.
    pub remarks: Vec<String>,
    /// Whether the set of folders differs from the walk before.
    pub other_folders: bool,
    /// Whether a folder could not be read because the process ran out of file descriptors. Its earlier state is
    /// kept, if known.
    pub short: bool,
}

/// One folder that was read, with those below it. `S` is what `read` made of a skill.
#[derive(Debug)]
pub struct Branch<S> {
    /// Its real path and, in `inode`, its identity: another folder may take its place.
    real: Arc<Path>,
    inode: u64,
    /// Remaining depth at which files still belong to the enclosing skill; `None` outside a skill.
    files_below: Option<u8>,
    listing: Arc<Listing>,
    /// The result for each folder of the listing.
    folders: Box<[Child<S>]>,
    /// Half of all folders have none, and then no room for one.
    skill: Option<Box<S>>,
    /// Number of folders, this one and those below it.
    count: usize,
}

#[derive(Debug)]
enum Child<S> {
    Entered(Arc<Branch<S>>),
    LeftOut(LeftOut),
    /// Why it could not be read.
    Failed(Box<str>),
}

/// Why a folder was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    /// Deeper than the search goes.
    Deep,
    /// Its name begins with a dot.
    Hidden,
    /// A part of a skill that is not listed, a loop, a broken link, or a folder beyond the limit, for which one
    /// remark covers all.
    Quietly,
}

/// A folder with a SKILL.md.
pub struct ClientFolder<'w> {
    /// Its path.
    pub location: &'w Path,
    /// The open folder, if this walk read it.
    pub open: Option<&'w Open>,
    /// The stamp of its SKILL.md.
    pub stamp: Option<Stamp>,
    /// Whether an event was seen for its SKILL.md.
    pub touched: bool,
    /// Whether everything in it is unchanged.
    pub same: bool,
    /// Its files, sorted by path.
    pub files: &'w dyn Fn() -> Vec<File>,
}

/// Reads a skill's folder; the second argument is its result from the walk before.
pub type Read<'r, S> = &'r (dyn Fn(ClientFolder<'_>, Option<&S>) -> S + Sync);

/// Whether the walk of `root` reaches `folder`, which is below it.
pub fn reaches(root: &Path, folder: &Path) -> bool {
    let Ok(below) = folder.strip_prefix(root) else { return false };
    let mut above = root.to_path_buf();
    let enters = |(depth, name): (usize, &OsStr)| {
        let enters = !ignored::is_ignored_folder(name) && is_searched(&above, name, depth);
        above.push(name);
        enters
    };
    below.iter().count() <= DEPTH && below.iter().enumerate().all(enters)
}

/// Whether the folder `name`, `depth` folders below a library folder, is searched for skills. Hidden folders
/// are searched only where people keep skills: directly below the library folder, below a folder `skills`
/// (`skills/.curated`), and around one (`.claude/skills` of a repository's package).
fn is_searched(above: &Path, name: &OsStr, depth: usize) -> bool {
    !is_hidden(name) || depth == 0 || above.ends_with("skills") || above.join(name).join("skills").is_dir()
}

/// Walks below `root` and reuses the tree of the walk `before` for everything that is not `fresh`. `read` reads
/// the skills, on several threads when there are many.
///
/// # Errors
/// When the folder itself cannot be read.
pub fn walk<S: Send + Sync>(
    root: &Path,
    before: Option<&Arc<Branch<S>>>,
    fresh: &Scope,
    read: Read<'_, S>,
) -> io::Result<Walked<S>> {
    walk_within(root, before, fresh, None, read)
}

/// The same; the fence goes around each folder before it is read.
pub(crate) fn walk_within<S: Send + Sync>(
    root: &Path,
    before: Option<&Arc<Branch<S>>>,
    fresh: &Scope,
    fence: Option<&Fence>,
    read: Read<'_, S>,
) -> io::Result<Walked<S>> {
    let real: Arc<Path> = root.canonicalize()?.into();
    let (everywhere, splits) = match fresh {
        Scope::All => (true, true),
        Scope::Only(places) => (places.holds_one_above(root), false),
    };
    let at = Position { depth: 0, in_search: true, files_below: None, inode: inode_of(root), everywhere, splits };
    let walk = Walk {
        fresh,
        touched: fresh.touched(),
        fence,
        read,
        count: AtomicUsize::new(0),
        other_folders: AtomicBool::new(false),
        short: AtomicBool::new(false),
    };
    let tree = walk.folder(root, &real, None, at, before)?;
    let remarks = remarks::of(root, &tree);
    let (other_folders, short) = (walk.other_folders.into_inner(), walk.short.into_inner());
    Ok(Walked { tree, remarks, other_folders, short })
}

impl<S> Branch<S> {
    /// The results of `read` for all skills, in no particular order.
    pub fn skills(&self) -> Vec<&S> {
        let mut skills = Vec::new();
        self.each(&mut |branch| skills.extend(branch.skill.as_deref()));
        skills
    }

    /// Calls `tell` for every folder that was read, with its path, real path and inode.
    pub fn folders(&self, path: &mut PathBuf, tell: &mut dyn FnMut(&Path, &Arc<Path>, u64)) {
        tell(path, &self.real, self.inode);
        for (folder, branch) in self.entered() {
            path.push(&folder.name);
            branch.folders(path, tell);
            path.pop();
        }
    }

    /// The files of the skill in this folder, sorted by path.
    fn files_of_skill(&self, location: &Path) -> Vec<File> {
        let mut files = Vec::new();
        self.add_files(location, "", &mut files);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    fn add_files(&self, location: &Path, below: &str, files: &mut Vec<File>) {
        for (name, kind) in &self.listing.files {
            // A name that fits in no URI or message could be listed, but never read.
            let Some(path) = name.to_str().and_then(|name| SkillPath::new(&format!("{below}{name}"))) else { continue };
            let stamp = match kind {
                FileKind::Plain(stamp) => Some(*stamp),
                // Its target may be elsewhere in the library's folder (decision 15).
                FileKind::Link if path == SkillPath::skill_md() => self.listing.stamp_of_skill_md(location),
                FileKind::Link => confined::open(location, Path::new(path.as_str()))
                    .and_then(|file| file.metadata())
                    .ok()
                    .as_ref()
                    .and_then(stamp),
            };
            if let Some(stamp) = stamp.filter(|_| files.len() < FILES) {
                files.push(File { path, size: stamp.size, modified: clock::milliseconds(stamp.modified.into()) });
            }
        }
        for (folder, branch) in self.entered().filter(|(folder, _)| !folder.link) {
            if let Some(name) = folder.name.to_str().filter(|_| files.len() < FILES) {
                branch.add_files(location, &format!("{below}{name}/"), files);
            }
        }
    }

    /// Whether listing and subfolders equal these. Targets of links are checked each time.
    fn is(&self, listing: &Arc<Listing>, folders: &[Child<S>]) -> bool {
        let same = |(one, other): (&Child<S>, &Child<S>)| match (one, other) {
            (Child::Entered(one), Child::Entered(other)) => Arc::ptr_eq(one, other),
            (Child::LeftOut(one), Child::LeftOut(other)) => one == other,
            _ => false,
        };
        Arc::ptr_eq(&self.listing, listing)
            && !listing.has_links()
            && self.folders.len() == folders.len()
            && self.folders.iter().zip(folders).all(same)
    }

    /// Calls `tell` for every folder that could not be read, with the reason.
    pub fn failed(&self, tell: &mut dyn FnMut(&OsStr, &str)) {
        for (folder, below) in self.listing.folders.iter().zip(&self.folders) {
            match below {
                Child::Entered(branch) => branch.failed(tell),
                Child::Failed(why) => tell(&folder.name, why),
                Child::LeftOut(_) => {}
            }
        }
    }

    fn each<'b>(&'b self, tell: &mut dyn FnMut(&'b Self)) {
        tell(self);
        self.entered().for_each(|(_, branch)| branch.each(tell));
    }

    fn entered(&self) -> impl Iterator<Item = (&Subfolder, &Arc<Self>)> {
        self.listing.folders.iter().zip(&self.folders).filter_map(|(folder, below)| match below {
            Child::Entered(branch) => Some((folder, branch)),
            Child::LeftOut(_) | Child::Failed(_) => None,
        })
    }
}

impl<S> Child<S> {
    fn count(&self) -> usize {
        match self {
            Self::Entered(branch) => branch.count,
            Self::LeftOut(_) | Self::Failed(_) => 0,
        }
    }
}

struct Walk<'a, S> {
    fresh: &'a Scope,
    /// The places in `fresh` and all folders above them.
    touched: HashSet<&'a Path>,
    fence: Option<&'a Fence>,
    read: Read<'a, S>,
    count: AtomicUsize,
    other_folders: AtomicBool,
    short: AtomicBool,
}

/// The position of the walk.
#[derive(Clone, Copy)]
struct Position {
    depth: usize,
    /// Whether skills are searched for here, and not only files of the enclosing skill.
    in_search: bool,
    files_below: Option<u8>,
    inode: u64,
    /// Whether nothing here may be reused.
    everywhere: bool,
    /// Whether the folders below may be divided among threads.
    splits: bool,
}

/// The real paths of all folders above one: a link back to one of them is a loop.
#[derive(Clone, Copy)]
struct Ancestors<'a> {
    real: &'a Path,
    above: Option<&'a Ancestors<'a>>,
}

impl Ancestors<'_> {
    fn holds(&self, real: &Path) -> bool {
        *self.real == *real || self.above.is_some_and(|above| above.holds(real))
    }
}

impl<S: Send + Sync> Walk<'_, S> {
    fn folder(
        &self,
        path: &Path,
        real: &Arc<Path>,
        above: Option<&Ancestors<'_>>,
        at: Position,
        before: Option<&Arc<Branch<S>>>,
    ) -> io::Result<Arc<Branch<S>>> {
        let before = before.filter(|before| before.inode == at.inode && before.real == *real);
        let same = |before: &&Arc<Branch<S>>| {
            before.files_below == at.files_below && !at.everywhere && !self.touched.contains(path)
        };
        if let Some(same) = before.filter(same) {
            self.count.fetch_add(same.count, Ordering::Relaxed);
            return Ok(Arc::clone(same));
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        let (everywhere, here) = match self.fresh {
            Scope::All => (true, true),
            Scope::Only(places) => {
                let everywhere = at.everywhere || places.paths.contains(path);
                (everywhere, everywhere || places.folders.contains(path))
            }
        };
        let (listing, open) = self.listing(path, Position { everywhere: here, ..at }, before)?;
        // What is behind a link is elsewhere.
        if let Some(fence) = self.fence.filter(|_| listing.has_links()) {
            fence.give_up();
        }
        let has_skill = listing.skill_md && at.depth <= DEPTH;
        let files_below = if has_skill { Some(FILE_DEPTH) } else { at.files_below };
        let files_below = files_below.and_then(|left| left.checked_sub(1));
        let below = Position { depth: at.depth + 1, files_below, everywhere, ..at };
        let folders = self.folders(path, &listing, &Ancestors { real, above }, below, before);
        let same = before.filter(|before| before.is(&listing, &folders));
        if let Some(before) = same.filter(|before| !has_skill && before.files_below == at.files_below) {
            return Ok(Arc::clone(before));
        }
        let count = 1 + folders.iter().map(Child::count).sum::<usize>();
        let (real, inode, files_below) = (Arc::clone(real), at.inode, at.files_below);
        let mut branch = Branch { real, inode, files_below, listing, folders, skill: None, count };
        if has_skill {
            let stamp = branch.listing.stamp_of_skill_md(path);
            let touched = match self.fresh {
                Scope::All => false,
                Scope::Only(places) => everywhere || places.paths.contains(&path.join("SKILL.md")),
            };
            let files = || branch.files_of_skill(path);
            let folder = ClientFolder {
                location: path,
                open: open.as_ref(),
                stamp,
                touched,
                same: same.is_some(),
                files: &files,
            };
            let skill = (self.read)(folder, before.and_then(|before| before.skill.as_deref()));
            branch.skill = Some(Box::new(skill));
        }
        Ok(Arc::new(branch))
    }

    /// The folder as it is now, or the remembered listing when nothing happened in it.
    fn listing(
        &self,
        path: &Path,
        at: Position,
        before: Option<&Arc<Branch<S>>>,
    ) -> io::Result<(Arc<Listing>, Option<Open>)> {
        waiting::for_disk(path);
        if let Some(fence) = self.fence {
            fence.around(path);
        }
        let known = before.map(|before| &before.listing);
        let known = known.filter(|known| known.with_files || at.files_below.is_none());
        if let Some(known) = known.filter(|_| !at.everywhere) {
            return Ok((Arc::clone(known), None));
        }
        let (now, open) = match known {
            Some(known) if self.fresh.is_all() && known.names_hold(path) => {
                if known.files_hold(path) {
                    return Ok((Arc::clone(known), None));
                }
                (known.looked_at_again(path), None)
            }
            _ => {
                let open = Open::at(path)?;
                (Listing::of(&open, path, at.in_search, at.files_below.is_some())?, Some(open))
            }
        };
        if let Some(known) = known.filter(|known| ***known == now && known.is_settled() == now.is_settled()) {
            return Ok((Arc::clone(known), open));
        }
        if known.is_none_or(|known| known.folders != now.folders) {
            self.other_folders.store(true, Ordering::Relaxed);
        }
        Ok((Arc::new(now), open))
    }

    fn folders(
        &self,
        path: &Path,
        listing: &Listing,
        above: &Ancestors<'_>,
        at: Position,
        before: Option<&Arc<Branch<S>>>,
    ) -> Box<[Child<S>]> {
        let known = |index: usize, folder: &Subfolder| {
            let before = before?;
            // Usually its position is unchanged.
            let same = |index: &usize| before.listing.folders.get(*index).is_some_and(|old| old.name == folder.name);
            let index = Some(index).filter(same).or_else(|| before.listing.position(&folder.name))?;
            match &before.folders[index] {
                Child::Entered(branch) => Some(branch),
                Child::LeftOut(_) | Child::Failed(_) => None,
            }
        };
        let splits = at.splits && listing.folders.len() >= WORTH_A_THREAD && matches!(self.fresh, Scope::All);
        let at = Position { splits: at.splits && !splits, ..at };
        let enter = |index: usize| {
            let folder = &listing.folders[index];
            self.enter(&path.join(&folder.name), folder, above, at, known(index, folder))
        };
        let count = listing.folders.len();
        if !splits {
            return (0..count).map(enter).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let indexes =
                std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < count));
            indexes.map(|index| (index, enter(index))).collect::<Vec<_>>()
        };
        let others = thread::available_parallelism().map_or(1, NonZero::get).max(AT_ONCE) - 1;
        let mut folders: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            let own = work();
            let theirs = workers.into_iter().map(|worker| worker.join().expect("looking into a folder does not panic"));
            theirs.flatten().chain(own).collect()
        });
        folders.sort_unstable_by_key(|(index, _)| *index);
        folders.into_iter().map(|(_, below)| below).collect()
    }

    fn enter(
        &self,
        path: &Path,
        folder: &Subfolder,
        above: &Ancestors<'_>,
        at: Position,
        before: Option<&Arc<Branch<S>>>,
    ) -> Child<S> {
        let Subfolder { name, link, inode } = folder;
        let above_it = path.parent().unwrap_or(path);
        let in_search = at.in_search && is_searched(above_it, name, at.depth - 1);
        // Files behind a linked folder are not a part of the skill that contains the link.
        let files_below = at.files_below.filter(|_| !*link);
        let searched = in_search && at.depth <= DEPTH;
        if !searched && files_below.is_none() {
            let why = match (at.in_search, in_search) {
                (false, _) => LeftOut::Quietly,
                (true, false) => LeftOut::Hidden,
                (true, true) => LeftOut::Deep,
            };
            // It is searched once a folder `skills` is in it.
            if let Some(fence) = self.fence.filter(|_| why == LeftOut::Hidden) {
                fence.around(path);
            }
            return Child::LeftOut(why);
        }
        if self.count.load(Ordering::Relaxed) >= FOLDERS {
            return Child::LeftOut(LeftOut::Quietly);
        }
        let at = Position { in_search, files_below, inode: *inode, ..at };
        let real = if *link {
            match path.canonicalize() {
                Ok(real) if above.holds(&real) => return Child::LeftOut(LeftOut::Quietly),
                Ok(real) => real.into(),
                Err(_) => return Child::LeftOut(LeftOut::Quietly),
            }
        } else if let Some(before) = before.filter(|before| before.real.parent() == Some(above.real)) {
            Arc::clone(&before.real)
        } else {
            above.real.join(name).into()
        };
        match self.folder(path, &real, Some(above), at, before) {
            Ok(branch) => Child::Entered(branch),
            Err(error) if is_shortage(&error) => {
                self.short.store(true, Ordering::Relaxed);
                before.map_or_else(
                    || Child::Failed(error.to_string().into()),
                    |before| Child::Entered(Arc::clone(before)),
                )
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Child::LeftOut(LeftOut::Quietly),
            Err(error) => Child::Failed(error.to_string().into()),
        }
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::{fs, os::unix::ffi::OsStrExt as _};

    use super::*;

    /// The paths of the files of each skill.
    #[expect(clippy::needless_pass_by_value, reason = "as `Read` gives it")]
    fn files(folder: ClientFolder<'_>, _: Option<&Vec<String>>) -> Vec<String> {
        (folder.files)().iter().map(|file| file.path.as_str().to_owned()).collect()
    }

    #[test]
    fn a_file_whose_name_is_not_utf_8_is_not_listed() {
        let root = tempfile::tempdir().unwrap();
        let odd = OsStr::from_bytes(b"odd\xff");
        let tea = root.path().join("tea");
        fs::create_dir_all(tea.join(odd)).unwrap();
        fs::write(tea.join("SKILL.md"), "tea").unwrap();
        fs::write(tea.join(odd).join("guide.md"), "guide").unwrap();
        fs::write(tea.join(odd).with_extension("md"), "guide").unwrap();
        let walked = walk(root.path(), None, &Scope::All, &files).unwrap();
        assert_eq!(walked.tree.skills(), [&["SKILL.md"]]);
    }

    #[test]
    fn only_what_was_touched_is_looked_into_again() {
        let root = tempfile::tempdir().unwrap();
        for file in ["tea/SKILL.md", "tea/references/old.md", "coffee/SKILL.md"] {
            fs::create_dir_all(root.path().join(file).parent().unwrap()).unwrap();
            fs::write(root.path().join(file), "text").unwrap();
        }
        let before = walk(root.path(), None, &Scope::All, &files).unwrap();
        fs::write(root.path().join("tea/references/new.md"), "new").unwrap();
        fs::write(root.path().join("coffee/unseen.md"), "new").unwrap();
        fs::create_dir(root.path().join("tea/assets")).unwrap();
        let only = |folder: &str| {
            let folders = [root.path().join(folder)].into();
            Scope::Only(crate::watch::Places { folders, ..Default::default() })
        };
        let after = walk(root.path(), Some(&before.tree), &only("tea/references"), &files).unwrap();
        assert_eq!(
            after.tree.skills(),
            [&vec!["SKILL.md"], &vec!["SKILL.md", "references/new.md", "references/old.md"]]
        );
        assert!(!after.other_folders);
        let after = walk(root.path(), Some(&after.tree), &only("tea"), &files).unwrap();
        assert!(after.other_folders);
    }
}
