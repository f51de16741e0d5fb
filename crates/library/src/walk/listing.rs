//! The listing of one folder: the folders and files directly in it.

use std::{
    ffi::OsStr,
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

use files::{
    Name,
    folder::{Folder, Found, Kind, Open, Stamp, is_shared, stamp},
    ignored::{is_ignored, is_ignored_folder},
};

/// A folder's modification time changes with every name that comes or goes, but some file systems count it in
/// steps of two seconds. A folder that was younger than this when it was read is read again.
const SETTLED: Duration = Duration::from_secs(3);

/// One folder as it was when it was last read.
#[derive(Debug)]
pub(super) struct Listing {
    /// Its state then; `None` when it had changed too recently to tell later states from it.
    settled: Option<Folder>,
    /// Whether its files were checked too, because it belongs to a skill.
    pub(super) with_files: bool,
    pub(super) skill_md: bool,
    /// A file whose name is almost SKILL.md.
    pub(super) nearly: Option<Box<str>>,
    /// Sorted by name.
    pub(super) folders: Box<[Subfolder]>,
    /// Sorted by name, SKILL.md first.
    pub(super) files: Box<[(Name, FileKind)]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subfolder {
    pub(super) name: Name,
    pub(super) link: bool,
    pub(super) inode: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Plain(Stamp),
    Link,
}

impl Listing {
    /// Reads an open folder. Its files count when it belongs to a skill, or is itself a skill in a searched
    /// folder.
    pub(super) fn of(folder: &Open, path: &Path, in_search: bool, in_skill: bool) -> io::Result<Self> {
        let old_enough = |folder: &Folder| folder.latest() + SETTLED < SystemTime::now();
        let settled = folder.itself().filter(old_enough);
        let mut entries = folder.entries()?;
        // SKILL.md first: it counts even when there are too many files.
        let is_other = |name: &OsStr| name != "SKILL.md";
        entries.sort_unstable_by(|one, other| {
            (is_other(&one.name), &*one.name).cmp(&(is_other(&other.name), &*other.name))
        });
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
                nearly = Some(name.to_string_lossy().into());
            }
            if !with_files || is_ignored(&name) {
                continue;
            }
            if link {
                files.push((name, FileKind::Link));
            } else if let Some((stamp, shared)) = folder.stamp(&name) {
                // A file with several hard links is checked like a link: the others may be elsewhere.
                files.push((name, if shared { FileKind::Link } else { FileKind::Plain(stamp) }));
            }
        }
        Ok(Self { settled, with_files, skill_md, nearly, folders: folders.into(), files: files.into() })
    }

    /// A listing of an earlier start.
    pub(super) fn cached(
        settled: Option<Folder>,
        (with_files, skill_md, nearly): (bool, bool, Option<Box<str>>),
        folders: Box<[Subfolder]>,
        files: Box<[(Name, FileKind)]>,
    ) -> Self {
        Self { settled, with_files, skill_md, nearly, folders, files }
    }

    pub(super) fn settled(&self) -> Option<&Folder> {
        self.settled.as_ref()
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled.is_some()
    }

    /// Whether the folder still has the same names.
    pub(super) fn names_hold(&self, path: &Path) -> bool {
        self.settled.is_some() && self.settled == Folder::at(path)
    }

    /// Whether the folder's files are unchanged, given that its names are.
    pub(super) fn files_hold(&self, path: &Path) -> bool {
        let mut path = path.join("");
        let mut at = |name: &OsStr| {
            path.push(name);
            let metadata = fs::symlink_metadata(&path);
            path.pop();
            metadata.ok().as_ref().and_then(stamp)
        };
        let file = |(name, kind): &(Name, FileKind)| match kind {
            FileKind::Plain(known) => at(name).as_ref() == Some(known),
            FileKind::Link => true,
        };
        !self.folders.iter().any(|folder| folder.link) && self.files.iter().all(file)
    }

    /// Whether it contains a link.
    pub(super) fn has_links(&self) -> bool {
        self.folders.iter().any(|folder| folder.link) || self.files.iter().any(|(_, kind)| *kind == FileKind::Link)
    }

    /// The same names, each checked again.
    pub(super) fn looked_at_again(&self, path: &Path) -> Self {
        let folder = |folder: &Subfolder| match folder.link {
            true => Subfolder { inode: inode_of(&path.join(&folder.name)), ..folder.clone() },
            false => folder.clone(),
        };
        let file = |(name, kind): &(Name, FileKind)| {
            let metadata = fs::symlink_metadata(path.join(name)).ok()?;
            let kind = match kind {
                FileKind::Link if metadata.is_symlink() => FileKind::Link,
                FileKind::Link | FileKind::Plain(_) if is_shared(&metadata) => FileKind::Link,
                FileKind::Link | FileKind::Plain(_) => FileKind::Plain(stamp(&metadata)?),
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

    /// The index of the folder of this name.
    pub(super) fn position(&self, name: &OsStr) -> Option<usize> {
        self.folders.binary_search_by(|folder| (*folder.name).cmp(name)).ok()
    }

    /// The stamp of the SKILL.md; `None` when it is not a regular file.
    pub(super) fn stamp_of_skill_md(&self, path: &Path) -> Option<Stamp> {
        match self.files.first().filter(|(name, _)| *name == "SKILL.md")?.1 {
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

pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The inode of the folder at a path; for a link, that of its target.
#[cfg(unix)]
pub(super) fn inode_of(path: &Path) -> u64 {
    fs::metadata(path).as_ref().map_or(0, std::os::unix::fs::MetadataExt::ino)
}

// Windows reports the inode only of an open file. There, only the event shows that another folder has taken a
// folder's place.
#[cfg(not(unix))]
pub(super) fn inode_of(_: &Path) -> u64 {
    0
}
