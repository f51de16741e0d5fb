//! The files of a skill that are part of what is agreed to beside those that its command line names: whatever a program
//! loads without being told to stands there (an imported module, a sourced script, the settings of a package, a `.pth`).
//!
//! Nothing is left out as on a walk of the library, since a program reads hidden folders too; only Markdown is, which is for
//! the model, and what file managers and Git write by themselves. More than can be read at each look is known by how it
//! looks: size, times, and which file it is.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    ffi::OsStr,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{digests::Digests, random};

/// So many files are read, and so many bytes of them all: as much as a person is told of a skill.
const FILES: usize = 512;
const TOGETHER: u64 = 16 << 20;
/// A folder with more in it is no skill, and nobody could agree to it.
const MOST: usize = 100_000;
/// What file managers write.
const OF_FILE_MANAGERS: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];
/// What Git's own programs run; all else in its folder changes with every question to it.
const OF_GIT: &[&str] = &["config", "hooks"];

/// A skill's folder as it is part of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Held {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// Its files by their paths below it, and the SHA-256 of each; of what is no file that can be read, what it is.
    pub(crate) files: BTreeMap<String, String>,
    /// Those that are not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) others: Option<Others>,
}

/// Files that are too many or too large to be read at each look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Others {
    /// How many.
    pub(crate) count: u32,
    /// The digest of how they look.
    pub(crate) looks: String,
}

/// What stands somewhere below the folder.
struct Found {
    depth: usize,
    /// Its path below the folder, with `/`.
    path: Vec<u8>,
    place: PathBuf,
    what: What,
}

enum What {
    File(Metadata),
    /// Where a link leads to.
    Link(PathBuf),
    /// It cannot be looked at.
    Closed,
    /// A socket, a pipe or a device.
    Odd,
}

impl Held {
    /// The files of `folder` but those of `named`, as they are now. Blocks.
    ///
    /// # Errors
    /// When there are more than anybody can agree to.
    pub(super) fn of(folder: &Path, named: &BTreeMap<PathBuf, String>, digests: &Digests) -> io::Result<Self> {
        let mut found = find(folder)?;
        found.retain(|found| !named.contains_key(&found.place));
        // What lies on top is read first: beneath it come the packages of others.
        found.sort_by(|one, other| (one.depth, &one.path).cmp(&(other.depth, &other.path)));
        let mut held = Self { folder: folder.to_path_buf(), files: BTreeMap::new(), others: None };
        let (mut left, mut others, mut looks) = (TOGETHER, 0_u32, Sha256::new());
        for found in &found {
            let size = if let What::File(metadata) = &found.what { metadata.len() } else { 0 };
            match String::from_utf8(found.path.clone()) {
                Ok(path) if held.files.len() < FILES && size <= left => {
                    left -= size;
                    held.files.insert(path, found.content(digests, size));
                }
                _ => {
                    others = others.saturating_add(1);
                    looks.update(found.looks());
                }
            }
        }
        held.others = (others > 0).then(|| Others { count: others, looks: random::hex(&looks.finalize()) });
        Ok(held)
    }
}

impl Found {
    /// The digest of a file; of anything else, what it is.
    fn content(&self, digests: &Digests, size: u64) -> String {
        match &self.what {
            // One that grows meanwhile looks different at the next look.
            What::File(_) => digests.of_file(&self.place, size).unwrap_or_else(|_| "cannot be read".to_owned()),
            What::Link(target) => format!("leads to {}", target.display()),
            What::Closed => "cannot be read".to_owned(),
            What::Odd => "is no file".to_owned(),
        }
    }

    /// How it looks, in a few bytes that differ when it does.
    fn looks(&self) -> Vec<u8> {
        let mut looks = self.path.clone();
        let mut number = |number: i128| looks.extend_from_slice(&number.to_le_bytes());
        match &self.what {
            What::File(metadata) => {
                number(metadata.len().into());
                #[cfg(unix)]
                {
                    use std::os::unix::fs::MetadataExt as _;
                    let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
                    times.into_iter().for_each(|time| number(time.into()));
                    number(metadata.ino().into());
                }
                #[cfg(not(unix))]
                {
                    let modified = metadata.modified().ok();
                    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
                    number(since.map_or(0, |since| since.as_nanos().cast_signed()));
                }
            }
            What::Link(target) => looks.extend_from_slice(target.as_os_str().as_encoded_bytes()),
            What::Closed => number(-1),
            What::Odd => number(-2),
        }
        looks.extend_from_slice(b"\0\n");
        looks
    }
}

/// Everything below a folder. A link to a folder is followed where that lies elsewhere: a program follows it too.
fn find(folder: &Path) -> io::Result<Vec<Found>> {
    let real = folder.canonicalize()?;
    let (mut found, mut seen) = (Vec::new(), HashSet::from([real.clone()]));
    let mut folders = VecDeque::from([(0, Vec::new(), folder.to_path_buf())]);
    let mut looked = 0;
    while let Some((depth, path, at)) = folders.pop_front() {
        let Ok(entries) = fs::read_dir(&at) else {
            found.push(Found { depth, path, place: at, what: What::Closed });
            continue;
        };
        let in_git = at.file_name() == Some(OsStr::new(".git"));
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        looked += entries.len();
        if looked > MOST {
            return Err(io::Error::other(format!("it holds more than {MOST} files")));
        }
        for entry in entries {
            let (name, place) = (entry.file_name(), entry.path());
            let is = |names: &[&str]| names.iter().any(|of| name == *of);
            if is(OF_FILE_MANAGERS) || in_git && !is(OF_GIT) {
                continue;
            }
            let path = [path.as_slice(), if path.is_empty() { b"" } else { b"/" }, name.as_encoded_bytes()].concat();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let what = match fs::metadata(&place) {
                Ok(metadata) if metadata.is_dir() => {
                    let elsewhere = is_link.then(|| place.canonicalize()).and_then(Result::ok);
                    let is_new = elsewhere.as_ref().is_none_or(|to| !to.starts_with(&real) && seen.insert(to.clone()));
                    if is_new {
                        folders.push_back((depth + 1, path.clone(), place.clone()));
                    }
                    if !is_link {
                        continue;
                    }
                    What::Link(fs::read_link(&place).unwrap_or_default())
                }
                Ok(metadata) if metadata.is_file() && is_markdown(&place) => continue,
                Ok(metadata) if metadata.is_file() => What::File(metadata),
                Ok(_) => What::Odd,
                // It leads nowhere, or to where we may not look.
                Err(_) if is_link => What::Link(fs::read_link(&place).unwrap_or_default()),
                Err(_) => What::Closed,
            };
            found.push(Found { depth, path, place, what });
        }
    }
    Ok(found)
}

/// Whether a file is text for the model by its name.
fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["md", "markdown"].iter().any(|markdown| ending.eq_ignore_ascii_case(markdown))
}
