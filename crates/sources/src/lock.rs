//! `skilltender.lock`: which skills a project or a person has, from where, at which commit, with the digest of every
//! file.
//!
//! The text is the same for the same skills on every computer: sorted, without times and without this computer's paths,
//! one value on a line, so that git merges it. Fetching what it names, and comparing it with a disk, is left to others.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of the format that this program writes, and the newest that it reads.
const VERSION: u32 = 1;

/// The first lines of the file.
const HEAD: &str = "# The skills that belong here, with the digest of every file. Skilltender writes it.\n";

/// What is locked: the skills by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// The skills, by the names of their folders.
    pub skills: BTreeMap<String, LockedSkill>,
}

/// One locked skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSkill {
    /// Where it came from, as [`Source::read`](crate::Source::read) takes it, without branch and folder.
    pub source: String,
    /// The branch or tag that is followed; `None` for what the repository shows first.
    pub follows: Option<String>,
    /// The commit; `None` for what is no repository.
    pub commit: Option<String>,
    /// Its folder in the source; empty for all of it.
    pub inside: String,
    /// Its files, by their paths in its folder.
    pub files: BTreeMap<String, LockedFile>,
}

/// One file of a locked skill.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockedFile {
    /// The sha256 of its bytes, in 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Whether it may be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// How a file differs from what is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Its bytes, or whether it may be run.
    Changed,
    /// It is locked and not there.
    Missing,
    /// It is there and not locked.
    Added,
}

/// Why a lock cannot be read, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// It is not of this format.
    #[error("skilltender.lock cannot be read: {0}.")]
    Broken(String),
    /// git merged it and left a conflict in it.
    #[error("skilltender.lock has a conflict of git in line {0}: keep the lines of one side, and take its marks out.")]
    Conflict(usize),
    /// A newer program wrote it.
    #[error("skilltender.lock is of version {0}, which this Skilltender does not know: it needs a newer one.")]
    Newer(u32),
}

#[derive(Deserialize)]
struct File {
    version: u32,
    #[serde(default)]
    skill: Vec<Entry>,
}

/// A skill as it is written, here and in the file of a team.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    source: String,
    follows: Option<String>,
    commit: Option<String>,
    #[serde(default)]
    inside: String,
    /// Kept equal to the files, for people who compare two locks.
    digest: String,
    files: Vec<String>,
}

impl Lock {
    /// Reads the text of a lock.
    ///
    /// # Errors
    /// When it is of another format or a newer version, git left a conflict in it, a name or path leads elsewhere, or a
    /// digest does not belong to its files.
    pub fn read(text: &str) -> Result<Self, LockError> {
        if let Some(line) = conflict(text) {
            return Err(LockError::Conflict(line));
        }
        let broken = |why: String| LockError::Broken(why);
        // The version first: a newer file may have anything else in it.
        let version: Version = toml::from_str(text).map_err(|why| broken(why.message().to_owned()))?;
        if version.version > VERSION {
            return Err(LockError::Newer(version.version));
        }
        let file: File = toml::from_str(text).map_err(|why| broken(why.message().to_owned()))?;
        if file.version == 0 {
            return Err(broken("its version is 0".to_owned()));
        }
        let mut lock = Self::default();
        for entry in file.skill {
            let name = entry.name.clone();
            let skill = LockedSkill::of(&entry).map_err(broken)?;
            if lock.skills.insert(name.clone(), skill).is_some() {
                return Err(broken(format!("{name} is there twice")));
            }
        }
        Ok(lock)
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl LockedSkill {
    /// Judges what is written. An error is the part of a sentence that follows the file's name.
    pub(crate) fn of(entry: &Entry) -> Result<Self, String> {
        if !is_plain(&entry.name) || entry.name.contains('/') {
            return Err(format!("{:?} is no name of a skill", entry.name));
        }
        Self::judged(entry).map_err(|why| format!("of {}, {why}", entry.name))
    }

    fn judged(entry: &Entry) -> Result<Self, String> {
        let mut files = BTreeMap::new();
        for line in &entry.files {
            let (path, file) = LockedFile::read(line).ok_or_else(|| format!("{line:?} is no file with its digest"))?;
            if files.insert(path.to_owned(), file).is_some() {
                return Err(format!("{path} is there twice"));
            }
        }
        if !entry.inside.is_empty() && !is_plain(&entry.inside) {
            return Err(format!("{:?} leads elsewhere", entry.inside));
        }
        let Entry { source, follows, commit, inside, digest, .. } = entry;
        let (source, inside) = (source.clone(), inside.clone());
        let skill = Self { source, follows: follows.clone(), commit: commit.clone(), inside, files };
        if skill.digest() == *digest { Ok(skill) } else { Err("the digest does not belong to the files".to_owned()) }
    }

    /// Identifies the files: the sha256 of the sorted lines `path NUL sha256 LF`, as in the draft of well-known skills.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for (path, file) in &self.files {
            digest.update(format!("{path}\0{}\n", file.sha256));
        }
        format!("sha256:{:x}", digest.finalize())
    }

    /// How these files differ from what is locked, by path.
    pub fn differences(&self, there: &BTreeMap<String, LockedFile>) -> BTreeMap<String, Difference> {
        let paths: BTreeSet<_> = self.files.keys().chain(there.keys()).collect();
        let difference = |path: &String| match (self.files.get(path), there.get(path)) {
            (Some(locked), Some(file)) => (locked != file).then_some(Difference::Changed),
            (Some(_), None) => Some(Difference::Missing),
            (None, _) => Some(Difference::Added),
        };
        paths.into_iter().filter_map(|path| Some((path.clone(), difference(path)?))).collect()
    }
}

impl LockedFile {
    /// The file with these bytes.
    pub fn of(bytes: &[u8], executable: bool) -> Self {
        Self { sha256: format!("{:x}", Sha256::digest(bytes)), executable }
    }

    /// The line of a file at this path, as `sha256sum --check` reads it.
    pub(crate) fn line(&self, path: &str) -> String {
        format!("{} {}{path}", self.sha256, if self.executable { '*' } else { ' ' })
    }

    /// Reads `<sha256> <path>`, with `*` before the path of a file that may be run.
    fn read(line: &str) -> Option<(&str, Self)> {
        let (sha256, path) = line.split_once(' ')?;
        let hexadecimal = sha256.len() == 64 && sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let (executable, path) = match path.strip_prefix('*') {
            Some(path) => (true, path),
            None => (false, path.strip_prefix(' ')?),
        };
        (hexadecimal && is_plain(path)).then(|| (path, Self { sha256: sha256.to_owned(), executable }))
    }
}

/// The text of the lock, as `sha256sum --check` reads the lines of the files.
impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}version = {VERSION}")?;
        for (name, skill) in &self.skills {
            writeln!(f, "\n[[skill]]")?;
            let follows = skill.follows.as_deref().unwrap_or_default();
            let commit = skill.commit.as_deref().unwrap_or_default();
            let fields = [
                ("name", name.as_str()),
                ("source", &skill.source),
                ("follows", follows),
                ("commit", commit),
                ("inside", &skill.inside),
            ];
            for (field, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
                writeln!(f, "{field} = {}", quoted(value))?;
            }
            writeln!(f, "digest = {}\nfiles = [", quoted(&skill.digest()))?;
            for (path, file) in &skill.files {
                writeln!(f, "  {},", quoted(&file.line(path)))?;
            }
            writeln!(f, "]")?;
        }
        Ok(())
    }
}

/// The line with the first mark that git leaves where it could not merge.
pub(crate) fn conflict(text: &str) -> Option<usize> {
    let mark = |line: &str| ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark));
    text.lines().position(mark).map(|at| at + 1)
}

/// A basic string of TOML. JSON writes one that TOML reads, but for the character DEL.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A relative path that leads nowhere else, on any system.
pub(crate) fn is_plain(path: &str) -> bool {
    let part = |part: &str| !matches!(part, "" | "." | "..");
    !path.contains(|c: char| c.is_control() || matches!(c, '\\' | ':')) && path.split('/').all(part)
}
