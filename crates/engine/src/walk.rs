//! Finding skills below a folder, as the clients do: which folders count, how deep, which links.
//!
//! The walk remembers every folder that it looked into ([`Visit`]). When it goes again it looks only
//! into those that may have changed, so one saved file costs one folder and not the whole tree. What
//! stands in a SKILL.md is left to `library`.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    fs::{self, DirEntry, Metadata},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use skills::{File, SkillPath};

use crate::{beneath, clock, watch::Places};

/// How deep below a library folder a skill may stand (skills-in-the-wild, "Rules per client").
const DEPTH: usize = 6;
/// How deep below a skill's own folder its files may stand.
const FILE_DEPTH: usize = 6;
/// How many folders are looked into. Codex stops at 2,000; a library of 10,000 skills has 20,000.
const FOLDERS: usize = 40_000;
/// How many files of a skill are counted: one more than `skill://` publishes, so that too many shows.
pub(crate) const FILES: usize = 513;

/// Folders that are never looked into.
const IGNORED_FOLDERS: &[&str] = &[".git", ".hg", ".svn", "__pycache__", "node_modules"];
/// Files that are never a part of a skill (mcp-contract 2.3).
const IGNORED_FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];

/// How the names of files and folders begin that we are about to put in their place.
const UNFINISHED: &[u8] = b".skilltender-";

/// Which folders are looked into again.
#[derive(Debug, Clone)]
pub(crate) enum Fresh {
    /// All of them.
    All,
    /// Where something happened, and what was never looked into.
    Only(Places),
}

impl Fresh {
    /// Whether anything at, below or above this folder may look different.
    pub(crate) fn concerns(&self, root: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Only(places) => {
                let near = |path: &PathBuf| path.starts_with(root) || root.starts_with(path);
                places.folders.iter().chain(&places.paths).any(near)
            }
        }
    }

    /// Whether this folder may look different from what is remembered.
    pub(crate) fn covers(&self, folder: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Only(places) => {
                places.folders.contains(folder)
                    || !places.paths.is_empty() && folder.ancestors().any(|above| places.paths.contains(above))
            }
        }
    }
}

/// What tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

/// What a walk found below one folder.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The folders with a SKILL.md, sorted by path.
    pub(crate) skills: Vec<SkillFolder>,
    /// Every folder that was looked into, by its path.
    pub(crate) visits: HashMap<PathBuf, Arc<Visit>>,
    /// What was left out, as sentences.
    pub(crate) remarks: Vec<String>,
}

/// A folder with a SKILL.md.
#[derive(Debug)]
pub(crate) struct SkillFolder {
    /// Its path below the library's folder, with `/`.
    pub(crate) path: String,
    /// Where it is.
    pub(crate) location: PathBuf,
    /// How its SKILL.md looked.
    pub(crate) stamp: Option<Stamp>,
    /// Its files, sorted by path.
    pub(crate) files: Vec<File>,
}

/// One folder as it looked when it was last looked into.
#[derive(Debug)]
pub(crate) struct Visit {
    /// Where it really is, and which folder that was: another one may take its place.
    pub(crate) real: PathBuf,
    pub(crate) inode: u64,
    /// Whether its files were looked at too, because it belongs to a skill.
    with_files: bool,
    skill_md: bool,
    /// A file that is called almost like a SKILL.md.
    nearly: Option<String>,
    folders: Vec<Subfolder>,
    files: Vec<(OsString, FileKind)>,
}

#[derive(Debug)]
struct Subfolder {
    name: OsString,
    link: bool,
    inode: u64,
}

#[derive(Debug)]
enum FileKind {
    Plain(Stamp),
    Link,
}

/// Whether the walk of `root` comes to `folder`, which lies below it.
pub(crate) fn reaches(root: &Path, folder: &Path) -> bool {
    let Ok(below) = folder.strip_prefix(root) else { return false };
    let enters = |(depth, name): (usize, &OsStr)| !is_ignored_folder(name) && (depth == 0 || !is_hidden(name));
    below.iter().count() <= DEPTH && below.iter().enumerate().all(enters)
}

/// Walks below `root`, reusing what `before` remembers of folders that are not `fresh`.
///
/// # Errors
/// When the folder itself cannot be looked into.
pub(crate) fn walk(root: &Path, before: &HashMap<PathBuf, Arc<Visit>>, fresh: &Fresh) -> io::Result<Walked> {
    let real = root.canonicalize()?;
    let mut walk = Walk { root, before, fresh, open: Vec::new(), found: Walked::default() };
    let top = At { depth: 0, in_search: true, inode: inode_of(root) };
    walk.folder(root, &real, &mut Vec::new(), top)?;
    if walk.found.visits.len() == FOLDERS {
        walk.found
            .remarks
            .push(format!("{} holds more than {FOLDERS} folders; the rest was left out.", root.display()));
    }
    walk.found.skills.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.found)
}

impl Visit {
    fn stamp_of_skill_md(&self, path: &Path) -> Option<Stamp> {
        match self.files.iter().find(|(name, _)| name == "SKILL.md")?.1 {
            FileKind::Plain(stamp) => Some(stamp),
            FileKind::Link => stamp(&fs::metadata(path.join("SKILL.md")).ok()?),
        }
    }
}

struct Walk<'a> {
    root: &'a Path,
    before: &'a HashMap<PathBuf, Arc<Visit>>,
    fresh: &'a Fresh,
    /// The skills whose folders we are in, outermost first.
    open: Vec<SkillFolder>,
    found: Walked,
}

#[derive(Clone, Copy)]
struct At {
    depth: usize,
    /// Whether skills are looked for here, and not only files of a skill further up.
    in_search: bool,
    inode: u64,
}

impl Walk<'_> {
    /// Looks into one folder and those below it. `above` are the real paths of the folders on the
    /// way here: a link back to one of them is a loop.
    fn folder(&mut self, path: &Path, real: &Path, above: &mut Vec<PathBuf>, at: At) -> io::Result<()> {
        let visit = self.visit(path, real, at)?;
        let opens = visit.skill_md && at.in_search && at.depth <= DEPTH;
        if opens {
            self.open.push(SkillFolder {
                path: below(self.root, path),
                location: path.to_path_buf(),
                stamp: visit.stamp_of_skill_md(path),
                files: Vec::new(),
            });
        }
        if let Some(nearly) = visit.nearly.as_ref().filter(|_| at.in_search) {
            self.found.remarks.push(format!(
                "{} was left out: clients read only files that are called SKILL.md, in capitals.",
                path.join(nearly).display()
            ));
        }
        self.take_files(path, &visit);
        above.push(real.to_path_buf());
        for folder in &visit.folders {
            self.enter(&path.join(&folder.name), folder, above, at);
        }
        above.pop();
        if opens && let Some(mut skill) = self.open.pop() {
            skill.files.sort_by(|a, b| a.path.cmp(&b.path));
            self.found.skills.push(skill);
        }
        Ok(())
    }

    fn enter(&mut self, path: &Path, folder: &Subfolder, above: &mut Vec<PathBuf>, at: At) {
        let Subfolder { name, link, inode } = folder;
        let in_search = at.in_search && (at.depth == 0 || !is_hidden(name));
        let next = At { depth: at.depth + 1, in_search, inode: *inode };
        // The files behind a linked folder are not a part of the skill that the link stands in.
        let outside = if *link { std::mem::take(&mut self.open) } else { Vec::new() };
        if self.wanted(path, next) {
            let real = if *link { path.canonicalize().ok() } else { above.last().map(|above| above.join(name)) };
            if let Some(real) = real.filter(|real| !above.contains(real))
                && let Err(error) = self.folder(path, &real, above, next)
                && error.kind() != io::ErrorKind::NotFound
            {
                self.found.remarks.push(format!("{} could not be read: {error}.", path.display()));
            }
        }
        if *link {
            self.open = outside;
        }
    }

    fn wanted(&self, path: &Path, at: At) -> bool {
        let near = |skill: &SkillFolder| {
            path.strip_prefix(&skill.location).is_ok_and(|below| below.iter().count() <= FILE_DEPTH)
        };
        let searched = at.in_search && at.depth <= DEPTH;
        self.found.visits.len() < FOLDERS && (searched || self.open.iter().any(near))
    }

    /// The folder as it is, or as it is remembered.
    fn visit(&mut self, path: &Path, real: &Path, at: At) -> io::Result<Arc<Visit>> {
        let in_skill = !self.open.is_empty();
        let remembered = self.before.get(path).filter(|visit| visit.with_files || !in_skill);
        let visit = match remembered {
            Some(visit) if !self.fresh.covers(path) && visit.real == real && visit.inode == at.inode => {
                Arc::clone(visit)
            }
            _ => Arc::new(look(path, real, in_skill, at)?),
        };
        self.found.visits.insert(path.to_path_buf(), Arc::clone(&visit));
        Ok(visit)
    }

    fn take_files(&mut self, path: &Path, visit: &Visit) {
        for skill in &mut self.open {
            for (name, kind) in &visit.files {
                let file = path.join(name);
                // What cannot be named in a URI or a message could be listed, but never read.
                if file.strip_prefix(&skill.location).is_ok_and(|inside| inside.to_str().is_none()) {
                    continue;
                }
                let Some(path) = SkillPath::new(&below(&skill.location, &file)) else { continue };
                let stamp = match kind {
                    FileKind::Plain(stamp) => Some(*stamp),
                    FileKind::Link => beneath::open(&skill.location, Path::new(path.as_str()))
                        .and_then(|file| file.metadata())
                        .ok()
                        .as_ref()
                        .and_then(stamp),
                };
                if let Some(stamp) = stamp.filter(|_| skill.files.len() < FILES) {
                    skill.files.push(File { path, size: stamp.size, modified: clock::milliseconds(stamp.modified) });
                }
            }
        }
    }
}

/// Looks into a folder. Its files count when it belongs to a skill or is one.
fn look(path: &Path, real: &Path, in_skill: bool, at: At) -> io::Result<Visit> {
    let mut entries: Vec<_> = fs::read_dir(path)?.filter_map(Result::ok).collect();
    // SKILL.md first: it counts even where there are too many files to count.
    entries.sort_by_key(|entry| (entry.file_name() != "SKILL.md", entry.file_name()));
    let skill_md = at.in_search && entries.iter().any(|entry| entry.file_name() == "SKILL.md");
    let with_files = in_skill || skill_md;
    let real = real.to_path_buf();
    let mut visit =
        Visit { real, inode: at.inode, with_files, skill_md, nearly: None, folders: Vec::new(), files: Vec::new() };
    for entry in entries {
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else { continue };
        let link = kind.is_symlink();
        if kind.is_dir() || link && entry.path().is_dir() {
            if !is_ignored_folder(&name) {
                let inode = if link { inode_of(&entry.path()) } else { inode(&entry) };
                visit.folders.push(Subfolder { name, link, inode });
            }
            continue;
        }
        if name != "SKILL.md" && name.eq_ignore_ascii_case("SKILL.md") {
            visit.nearly = Some(name.to_string_lossy().into_owned());
        }
        if !with_files || is_ignored(&name) {
            continue;
        }
        if link {
            visit.files.push((name, FileKind::Link));
        } else if let Some(stamp) = entry.metadata().ok().as_ref().and_then(stamp) {
            visit.files.push((name, FileKind::Plain(stamp)));
        }
    }
    Ok(visit)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Folders of tools, and skills that we are about to put in their place.
pub(crate) fn is_ignored_folder(name: &OsStr) -> bool {
    IGNORED_FOLDERS.iter().any(|ignored| name == *ignored) || name.as_encoded_bytes().starts_with(UNFINISHED)
}

/// Files of tools, and our own that are about to take another's place.
pub(crate) fn is_ignored(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(b"~")
        || name.ends_with(b".swp")
        || name.starts_with(UNFINISHED)
        || IGNORED_FILES.iter().any(|ignored| name == ignored.as_bytes())
}

/// A path below a folder, with `/`.
fn below(folder: &Path, path: &Path) -> String {
    let names = path.strip_prefix(folder).unwrap_or(path).iter();
    names.map(OsStr::to_string_lossy).collect::<Vec<_>>().join("/")
}

/// The inode of a folder in a listing: no further question to the system.
#[cfg(unix)]
fn inode(entry: &DirEntry) -> u64 {
    std::os::unix::fs::DirEntryExt::ino(entry)
}

/// The inode of the folder at a path, of a link that of its target.
#[cfg(unix)]
fn inode_of(path: &Path) -> u64 {
    fs::metadata(path).as_ref().map_or(0, std::os::unix::fs::MetadataExt::ino)
}

// Windows tells it only of an open file: there, a folder that another takes the place of is seen by
// the event alone.
#[cfg(not(unix))]
fn inode(_: &DirEntry) -> u64 {
    0
}

#[cfg(not(unix))]
fn inode_of(_: &Path) -> u64 {
    0
}

/// The stamp of a regular file.
fn stamp(metadata: &Metadata) -> Option<Stamp> {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0; // Windows gives it only for an open file; size and time have to do
    let modified = metadata.modified().ok()?;
    metadata.is_file().then_some(Stamp { inode, size: metadata.len(), modified })
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn a_file_whose_name_is_not_utf_8_is_not_listed() {
        let root = tempfile::tempdir().unwrap();
        let odd = OsStr::from_bytes(b"odd\xff");
        let tea = root.path().join("tea");
        fs::create_dir_all(tea.join(odd)).unwrap();
        fs::write(tea.join("SKILL.md"), "tea").unwrap();
        fs::write(tea.join(odd).join("guide.md"), "guide").unwrap();
        fs::write(tea.join(odd).with_extension("md"), "guide").unwrap();
        let walked = walk(root.path(), &HashMap::new(), &Fresh::All).unwrap();
        let listed: Vec<_> = walked.skills[0].files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(listed, ["SKILL.md"]);
    }
}
