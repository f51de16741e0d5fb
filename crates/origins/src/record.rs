//! The record of one skill: a file in the folder `origins` of our data folder.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use files::{
    replace_file::ReplaceError,
    staged_dir,
    store::{self, Unreadable},
};
use machine::Machine;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use sources::{LockedFile, Origin, Source, update::FileSet};

/// The files of a version: their digests by their paths.
pub type Files = BTreeMap<String, LockedFile>;

/// How many versions before the present one are kept.
const KEPT: usize = 20;

/// All records, by the keys of their skills.
pub type Origins = BTreeMap<String, Record>;

/// Where one skill came from, and its versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The skill's key.
    pub key: String,
    /// What is fetched: an address that git takes, the address of a file or a site, or the path of a folder or file here.
    pub address: String,
    /// The branch or tag that is followed; `None` for what the repository shows first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// The skill's folder there; empty for all of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub inside: String,
    /// The present version.
    pub now: Version,
    /// Those before, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Version>,
    /// What the source had when it was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<Newest>,
    /// A version that is being put in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// The folder with the version that went, until it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<PathBuf>,
    /// What a later program wrote.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// One version of a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// When it came, in milliseconds since 1970.
    pub at: u64,
    /// Why it came.
    pub by: By,
    /// The commit that it is of; empty where the source has none, or it is not known.
    pub commit: String,
    /// When the commit was made, in seconds since 1970; 0 where there is none.
    #[serde(default)]
    pub made: u64,
    /// The files of the commit: with what a person changed is merged.
    pub came: Files,
    /// The files as they were left here; a person may have changed them since. Of a version before, as the person had
    /// them.
    pub files: Files,
}

/// Why a version came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The skill was added.
    #[default]
    Added,
    /// A person answered the review of an update.
    Updated,
    /// A person went back to a version before.
    WentBack,
    /// A lock asked for it.
    Synced,
}

/// What a source had when it was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Newest {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The commit of what is followed; empty where the source has none.
    pub commit: String,
    /// Names the files of this skill there, as [`digest`] does.
    pub digest: String,
    /// What is odd about the way there, as sentences: a tag that moved, a history that was rewritten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A version that is being put in place. If that is interrupted, it is finished or forgotten at the next start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The version that goes, with the files as they are.
    pub from: Version,
    /// The version that comes.
    pub to: Version,
    /// Where the skill is.
    pub location: PathBuf,
    /// The folder in which the new files wait, and the old ones are after the exchange.
    pub shelter: PathBuf,
}

impl Record {
    /// Makes a version the present one. `before` is the one that goes, with its files as they were. What was pending is
    /// in place, and what is left of it goes with [`Record::clear`] once this is on the disk.
    pub fn advance(&mut self, before: Version, now: Version) {
        self.before.insert(0, before);
        self.before.truncate(KEPT);
        self.now = now;
        self.left = self.pending.take().map(|pending| pending.shelter);
    }

    /// Removes what is left of the version that went. A kill before that leaves it to the next start, because the record
    /// names it.
    pub fn clear(&mut self) {
        if let Some(left) = self.left.take() {
            staged_dir::remove_shelter(&left);
        }
    }

    /// Whether it came from a repository, and has commits.
    pub fn is_of_git(&self) -> bool {
        Source::read(&self.address).is_ok_and(|source| matches!(source.origin, Origin::Git(_)))
    }

    /// Whether it came from a folder or file of this computer, which no other computer has.
    pub fn is_of_here(&self) -> bool {
        Source::read(&self.address).is_ok_and(|source| matches!(source.origin, Origin::Local(_)))
    }

    /// The source, for people: `acme/skills`.
    pub fn source(&self) -> String {
        Source::read(&self.address).map_or_else(|_| self.address.clone(), |source| source.to_string())
    }

    /// Names what is followed: the address, with the branch or tag behind `#`.
    pub fn followed(&self) -> String {
        match &self.follows {
            Some(follows) => format!("{}#{follows}", self.address),
            None => self.address.clone(),
        }
    }

    /// Whether the source had another version when it was asked last.
    pub fn is_outdated(&self) -> bool {
        self.newest.as_ref().is_some_and(|newest| newest.digest != digest(&self.now.came))
    }

    /// Every file of every version.
    pub fn every_file(&self) -> impl Iterator<Item = &LockedFile> {
        let pending = self.pending.iter().flat_map(|pending| [&pending.from, &pending.to]);
        let versions = std::iter::once(&self.now).chain(&self.before).chain(pending);
        versions.flat_map(|version| version.came.values().chain(version.files.values()))
    }
}

impl Version {
    /// What names it for people: its commit; of one without a commit, `sha256:` and the digest of its files.
    pub fn named(&self) -> String {
        if self.commit.is_empty() { by_digest(&digest(&self.came)) } else { self.commit.clone() }
    }
}

impl Newest {
    /// As [`Version::named`].
    pub fn named(&self) -> String {
        if self.commit.is_empty() { by_digest(&self.digest) } else { self.commit.clone() }
    }
}

/// The name of files without a commit.
pub fn by_digest(digest: &str) -> String {
    format!("sha256:{digest}")
}

/// The digests of files.
pub fn locked(files: &FileSet) -> Files {
    files.iter().map(|(path, file)| (path.clone(), LockedFile::of(&file.bytes, file.executable))).collect()
}

/// Names exactly these files: by paths, bytes, and whether they may be run.
pub fn digest(files: &Files) -> String {
    let mut digest = Sha256::new();
    for (path, file) in files {
        digest.update(format!("{path}\0{} {}\n", file.sha256, file.executable));
    }
    format!("{:x}", digest.finalize())
}

/// The keys with a record of a skill and of those inside it.
pub fn of_skill(origins: &Origins, key: &str) -> Vec<String> {
    let is_its = |other: &str| other.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    origins.keys().filter(|other| is_its(other)).cloned().collect()
}

/// The records of a skill and of those inside it, with the keys that they have when the skill has another one.
pub fn renamed(origins: &Origins, from: &str, to: &str) -> Vec<Record> {
    let other = |key: String| Record { key: format!("{to}{}", &key[from.len()..]), ..origins[&key].clone() };
    of_skill(origins, from).into_iter().map(other).collect()
}

/// Reads every record. What cannot be read is set aside by an engine that writes, and told.
pub fn load(machine: &Machine, writes: bool) -> (Origins, Vec<Unreadable>) {
    let (mut origins, mut unreadable) = (Origins::new(), Vec::new());
    for entry in fs::read_dir(folder(machine)).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let record: Record = if writes {
            let (record, trouble) = store::load(&path);
            unreadable.extend(trouble);
            record
        } else {
            store::peek(&path)
        };
        // One that cannot be read has no key.
        if !record.key.is_empty() {
            origins.insert(record.key.clone(), record);
        }
    }
    (origins, unreadable)
}

/// Writes a record. It is on the disk when this returns.
///
/// # Errors
/// When the disk refuses; the record there stays as it was.
pub fn save(machine: &Machine, record: &Record) -> Result<(), ReplaceError> {
    let folder = folder(machine);
    machine::make_private(&folder).map_err(|source| ReplaceError::from_system(&folder, source))?;
    store::save(&file(machine, &record.key), record)
}

/// Removes the record of a skill, if there is one.
///
/// # Errors
/// When the disk refuses.
pub fn remove(machine: &Machine, key: &str) -> Result<(), ReplaceError> {
    let file = file(machine, key);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ReplaceError::from_system(&file, error)),
        _ => Ok(()),
    }
}

fn folder(machine: &Machine) -> PathBuf {
    machine.data.join("origins")
}

/// A key may hold what no name of a file holds, and two may differ in case alone.
fn file(machine: &Machine, key: &str) -> PathBuf {
    let name = format!("{:x}", Sha256::digest(key));
    folder(machine).join(Path::new(&name[..32]).with_extension("json"))
}
