//! The files of a skill that are part of an approval in addition to those that its command line names. They
//! include everything that a program loads without being told to (an imported module, a sourced script, the
//! settings of a package, a `.pth`).
//!
//! Unlike a walk of the library this skips no hidden folders, since a program reads them too. It skips only
//! Markdown, which is for the model, and what file managers and Git write by themselves. Files beyond the limit
//! are identified by their metadata instead of their content: size, times and inode.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    ffi::OsStr,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
};

use files::Digests;
use machine::random;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// How many files are read, and how many bytes of all of them: as much as a person is shown of a skill.
const FILES: usize = 512;
const TOGETHER: u64 = 16 << 20;
/// A folder with more entries is not a skill, and too large for approval.
const MOST: usize = 100_000;
/// Files that file managers write.
const OF_FILE_MANAGERS: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];
/// The parts of Git's folder that its own programs run; the rest changes with every Git command.
const OF_GIT: &[&str] = &["config", "hooks"];

/// A skill's folder as it is part of a launch spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The folder.
    pub folder: PathBuf,
    /// Its files by their relative paths, each with its SHA-256; for anything that cannot be read as a file, a
    /// description.
    pub files: BTreeMap<String, String>,
    /// The files that are not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
}

/// Files that are too many or too large to be read at each check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Others {
    /// How many.
    pub count: u32,
    /// The digest of their metadata.
    pub looks: String,
}

/// An entry somewhere below the folder.
struct Found {
    depth: usize,
    /// Its path below the folder, with `/`.
    path: Vec<u8>,
    place: PathBuf,
    what: What,
}

enum What {
    File(Metadata),
    /// The target of a link.
    Link(PathBuf),
    /// It cannot be accessed.
    Closed,
    /// A socket, a pipe or a device.
    Odd,
}

impl Held {
    /// The current files of `folder` without those in `named`. Blocks.
    ///
    /// # Errors
    /// When they are too many for approval.
    pub fn of(folder: &Path, named: &BTreeMap<PathBuf, String>, digests: &Digests) -> io::Result<Self> {
        let mut found = find(folder)?;
        found.retain(|found| !named.contains_key(&found.place));
        // Files near the top are read first: packages of others are deeper.
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
    /// The digest of a file; for anything else, a description.
    fn content(&self, digests: &Digests, size: u64) -> String {
        match &self.what {
            // A file that grows meanwhile has other metadata at the next check.
            What::File(_) => digests.of_file(&self.place, size).unwrap_or_else(|_| "cannot be read".to_owned()),
            What::Link(target) => format!("leads to {}", target.display()),
            What::Closed => "cannot be read".to_owned(),
            What::Odd => "is no file".to_owned(),
        }
    }

    /// Its metadata, in a few bytes that differ when it does.
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

/// Everything below a folder. A link to a folder elsewhere is followed, because a program follows it too.
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
                // Its target is missing or not accessible.
                Err(_) if is_link => What::Link(fs::read_link(&place).unwrap_or_default()),
                Err(_) => What::Closed,
            };
            found.push(Found { depth, path, place, what });
        }
    }
    Ok(found)
}

/// Whether the name of a file says that it is text for the model.
fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["md", "markdown"].iter().any(|markdown| ending.eq_ignore_ascii_case(markdown))
}
