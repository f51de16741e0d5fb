//! One folder as it looked: which folders and files stand directly in it.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, Metadata},
    io,
    path::Path,
    time::{Duration, SystemTime},
};

use super::open::{Folder, Found, Kind, Open};

/// Folders that are never looked into.
const IGNORED_FOLDERS: &[&str] = &[".git", ".hg", ".svn", "__pycache__", "node_modules"];
/// Files that are never a part of a skill (mcp-contract 2.3).
const IGNORED_FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];
/// How the names of files and folders begin that we are about to put in their place.
const UNFINISHED: &[u8] = b".skilltender-";

/// A folder's own time tells of every name that came or went, but some file systems count it in steps
/// of two seconds: one that was younger than this when it was looked into is looked into again.
const SETTLED: Duration = Duration::from_secs(3);

/// One folder as it looked when it was last looked into.
#[derive(Debug)]
pub(super) struct Listing {
    /// What told its state then, if that was long enough the same to tell other states from it.
    settled: Option<Folder>,
    /// Whether its files were looked at too, because it belongs to a skill.
    pub(super) with_files: bool,
    pub(super) skill_md: bool,
    /// A file that is called almost like a SKILL.md.
    pub(super) nearly: Option<String>,
    /// Sorted by name.
    pub(super) folders: Box<[Subfolder]>,
    /// Sorted by name, SKILL.md first.
    pub(super) files: Box<[(OsString, FileKind)]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subfolder {
    pub(super) name: OsString,
    pub(super) link: bool,
    pub(super) inode: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Plain(Stamp),
    Link,
}

/// What tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

impl Listing {
    /// Looks into an open folder. Its files count when it belongs to a skill, or is one where skills are
    /// looked for.
    pub(super) fn of(folder: &Open, path: &Path, in_search: bool, in_skill: bool) -> io::Result<Self> {
        let old_enough = |folder: &Folder| folder.modified + SETTLED < SystemTime::now();
        let settled = folder.itself().filter(old_enough);
        let mut entries = folder.entries()?;
        // SKILL.md first: it counts even where there are too many files to count.
        let is_other = |name: &OsStr| name != "SKILL.md";
        entries
            .sort_unstable_by(|one, other| (is_other(&one.name), &one.name).cmp(&(is_other(&other.name), &other.name)));
        let skill_md = in_search && entries.first().is_some_and(|first| first.name == "SKILL.md");
        let with_files = in_skill || skill_md;
        let (mut nearly, mut folders, mut files) = (None, Vec::new(), Vec::new());
        for Found { name, kind, inode } in entries {
            let link = kind == Kind::Link;
            if kind == Kind::Folder || link && path.join(&name).is_dir() {
                if !is_ignored_folder(&name) {
                    let inode = if link { inode_of(&path.join(&name)) } else { inode };
                    folders.push(Subfolder { name, link, inode });
                }
                continue;
            }
            if in_search && name != "SKILL.md" && name.eq_ignore_ascii_case("SKILL.md") {
                nearly = Some(name.to_string_lossy().into_owned());
            }
            if !with_files || is_ignored(&name) {
                continue;
            }
            if link {
                files.push((name, FileKind::Link));
            } else if let Some((stamp, shared)) = folder.stamp(&name) {
                // One with other names is looked at as a link is: they may lie elsewhere.
                files.push((name, if shared { FileKind::Link } else { FileKind::Plain(stamp) }));
            }
        }
        Ok(Self { settled, with_files, skill_md, nearly, folders: folders.into(), files: files.into() })
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// Whether the same names stand in the folder still.
    pub(super) fn names_hold(&self, path: &Path) -> bool {
        self.settled.is_some() && self.settled == Folder::at(path)
    }

    /// Whether what stands in the folder looks as it did, given that the same names stand there still.
    pub(super) fn files_hold(&self, path: &Path) -> bool {
        let mut path = path.join("");
        let mut at = |name: &OsStr| {
            path.push(name);
            let metadata = fs::symlink_metadata(&path);
            path.pop();
            metadata.ok().as_ref().and_then(stamp)
        };
        let file = |(name, kind): &(OsString, FileKind)| match kind {
            FileKind::Plain(known) => at(name).as_ref() == Some(known),
            FileKind::Link => true,
        };
        !self.folders.iter().any(|folder| folder.link) && self.files.iter().all(file)
    }

    /// Whether a link stands in it.
    pub(super) fn has_links(&self) -> bool {
        self.folders.iter().any(|folder| folder.link) || self.files.iter().any(|(_, kind)| *kind == FileKind::Link)
    }

    /// The same names, each looked at again.
    pub(super) fn looked_at_again(&self, path: &Path) -> Self {
        let folder = |folder: &Subfolder| match folder.link {
            true => Subfolder { inode: inode_of(&path.join(&folder.name)), ..folder.clone() },
            false => folder.clone(),
        };
        let file = |(name, kind): &(OsString, FileKind)| {
            let kind = match kind {
                FileKind::Plain(_) => FileKind::Plain(stamp(&fs::symlink_metadata(path.join(name)).ok()?)?),
                FileKind::Link => FileKind::Link,
            };
            Some((name.clone(), kind))
        };
        Self {
            nearly: self.nearly.clone(),
            folders: self.folders.iter().map(folder).collect(),
            files: self.files.iter().filter_map(file).collect(),
            ..*self
        }
    }

    /// Where the folder of this name stands.
    pub(super) fn position(&self, name: &OsStr) -> Option<usize> {
        self.folders.binary_search_by(|folder| folder.name.as_os_str().cmp(name)).ok()
    }

    /// How the SKILL.md looks; `None` when it is no regular file.
    pub(super) fn stamp_of_skill_md(&self, path: &Path) -> Option<Stamp> {
        match self.files.first().filter(|(name, _)| name == "SKILL.md")?.1 {
            FileKind::Plain(stamp) => Some(stamp),
            FileKind::Link => stamp(&fs::metadata(path.join("SKILL.md")).ok()?),
        }
    }
}

impl PartialEq for Listing {
    fn eq(&self, other: &Self) -> bool {
        (self.with_files, self.skill_md, &self.nearly, &self.folders, &self.files)
            == (other.with_files, other.skill_md, &other.nearly, &other.folders, &other.files)
    }
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

pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The inode of a folder in a listing: no further question to the system.
#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn inode(entry: &fs::DirEntry) -> u64 {
    std::os::unix::fs::DirEntryExt::ino(entry)
}

/// The inode of the folder at a path, of a link that of its target.
#[cfg(unix)]
pub(super) fn inode_of(path: &Path) -> u64 {
    fs::metadata(path).as_ref().map_or(0, std::os::unix::fs::MetadataExt::ino)
}

// Windows tells it only of an open file: there, a folder that another takes the place of is seen by
// the event alone.
#[cfg(not(unix))]
pub(super) fn inode(_: &fs::DirEntry) -> u64 {
    0
}

#[cfg(not(unix))]
pub(super) fn inode_of(_: &Path) -> u64 {
    0
}

/// The stamp of a regular file.
pub(super) fn stamp(metadata: &Metadata) -> Option<Stamp> {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0; // Windows gives it only for an open file; size and time have to do
    let modified = metadata.modified().ok()?;
    metadata.is_file().then_some(Stamp { inode, size: metadata.len(), modified })
}
