//! The trash: skills that were thrown away, kept for 30 days, so that this can be undone.
//!
//! Each has a folder of its own, `trash/<time>/` in the data folder: `skill` is what was moved, `record.json`
//! has its old place and the choices about it. The system's trash is not used, because on macOS nothing can be
//! taken out of it again. The values and secrets of its servers are kept under another key meanwhile, see
//! [`key`].

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use choices::Chosen;
use files::{confined, move_dir, replace_file::ReplaceError, store};
use machine::make_private;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How long a skill is kept, in milliseconds.
const KEPT: u64 = 30 * 24 * 60 * 60 * 1000;

/// A skill in the trash.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    /// Its id: the time at which it was thrown away.
    pub id: String,
    pub record: Record,
}

/// The old place of a skill, and the choices about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// The library's folder, by its id.
    pub folder: String,
    /// The path of that folder, which may come back under another id.
    pub root: PathBuf,
    /// The skill's path below it.
    pub path: String,
    /// Its name as authored.
    pub name: String,
    /// Whether it was a link.
    pub link: bool,
    /// The digest of its SKILL.md, which identifies it in its old place; `None` if that could not be read.
    #[serde(default)]
    pub digest: Option<String>,
    /// The choices about it.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Record {
    /// Its key in the library.
    pub fn key(&self) -> String {
        format!("{}/{}", self.folder, self.path)
    }
}

impl Record {
    /// The name of the skill's folder.
    pub fn folder_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Where the skill was.
    pub fn location(&self) -> PathBuf {
        self.root.join(&self.path)
    }

    /// Whether this same skill is in its old place, and not another one.
    pub fn stands(&self) -> bool {
        self.digest.is_some() && self.digest == digest(&self.root, &self.location())
    }
}

/// The digest of the SKILL.md of the skill at `location`, in the library's folder `root`.
pub fn digest(root: &Path, location: &Path) -> Option<String> {
    let bytes = confined::read_skill_md(root, location, library::LARGEST).ok()?;
    Some(files::digest(&bytes))
}

/// The key for the values and secrets of a skill in the trash: a skill that takes its place must not get them.
pub fn key(id: &str) -> String {
    format!("trash/{id}")
}

/// Writes the record of a skill that is about to be moved to the trash. It is on the disk when this returns.
///
/// # Errors
/// When the record cannot be written.
pub fn begin(data: &Path, mut record: Record) -> Result<Trashed, ReplaceError> {
    let system = ReplaceError::from_system;
    let trash = data.join("trash");
    make_private(&trash).map_err(|source| system(&trash, source))?;
    let folder = loop {
        let folder = folder(data, &record.time.to_string());
        // `create_dir` fails if the folder exists: two skills may be thrown away in the same moment.
        match fs::create_dir(&folder) {
            Ok(()) => break folder,
            Err(source) if source.kind() == io::ErrorKind::AlreadyExists => record.time += 1,
            Err(source) => return Err(system(&folder, source)),
        }
    };
    make_private(&folder).map_err(|source| system(&folder, source))?;
    store::save(&folder.join("record.json"), &record)?;
    Ok(Trashed { id: record.time.to_string(), record })
}

/// Moves the skill into the trash. Returns the path of what could not be removed.
///
/// # Errors
/// When the skill cannot be moved; then it stays where it is.
pub fn throw(data: &Path, trashed: &Trashed) -> Result<Option<PathBuf>, ReplaceError> {
    move_dir::move_to(&trashed.record.location(), &content(data, &trashed.id))
}

/// Forgets a move that failed. If the skill is in the trash after all, it stays there.
///
/// # Errors
/// When the record cannot be removed.
pub fn give_up(data: &Path, id: &str) -> Result<(), ReplaceError> {
    if holds(data, id) { Ok(()) } else { delete(data, id) }
}

/// Moves the skill back to `location`.
///
/// # Errors
/// When something exists at `location`, or the skill cannot be moved; then it stays in the trash.
pub fn take_back(data: &Path, id: &str, location: &Path) -> Result<(), ReplaceError> {
    let parent = location.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|source| ReplaceError::from_system(parent, source))?;
    // A leftover in the trash after a copy to another volume is deleted with its record.
    move_dir::move_to(&content(data, id), location).map(drop)
}

/// Whether the skill itself is in the trash, and not only its record.
pub fn holds(data: &Path, id: &str) -> bool {
    content(data, id).symlink_metadata().is_ok()
}

/// Deletes a skill in the trash: first itself, if it is still there, then its record. So it is listed as long
/// as anything is left of it.
///
/// # Errors
/// When something of it cannot be removed.
pub fn delete(data: &Path, id: &str) -> Result<(), ReplaceError> {
    let (folder, content) = (folder(data, id), content(data, id));
    if holds(data, id) {
        move_dir::remove(&content).map_err(|source| ReplaceError::from_system(&content, source))?;
    }
    match fs::remove_dir_all(&folder) {
        Err(source) if folder.exists() => Err(ReplaceError::from_system(&folder, source)),
        _ => Ok(()),
    }
}

/// The skills in the trash, the latest first, and the records of skills that never arrived there.
pub fn list(data: &Path) -> (Vec<Trashed>, Vec<Trashed>) {
    let names = fs::read_dir(data.join("trash")).into_iter().flatten().flatten();
    let ids = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut all: Vec<_> = ids.filter_map(|id| Some(Trashed { record: read(data, &id)?, id })).collect();
    all.sort_by(|a, b| b.id.cmp(&a.id));
    all.into_iter().partition(|trashed| holds(data, &trashed.id))
}

/// Whether a skill was kept long enough.
pub fn is_over(trashed: &Trashed, now: u64) -> bool {
    trashed.record.time.saturating_add(KEPT) < now
}

fn folder(data: &Path, id: &str) -> PathBuf {
    data.join("trash").join(id)
}

fn content(data: &Path, id: &str) -> PathBuf {
    folder(data, id).join("skill")
}

fn read(data: &Path, id: &str) -> Option<Record> {
    store::known(&folder(data, id).join("record.json"))
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    fn record() -> Record {
        Record {
            time: 1_795_228_800_000,
            folder: "f1".to_owned(),
            root: PathBuf::from("/skills"),
            path: "tea".to_owned(),
            name: "tea".to_owned(),
            link: false,
            digest: None,
            chosen: Chosen::default(),
            rest: Map::new(),
        }
    }

    #[test]
    fn what_is_thrown_away_in_the_same_moment_lies_apart() {
        const MANY: usize = 16;
        let data = tempfile::tempdir().unwrap();
        let start = Barrier::new(MANY);
        let mut ids: Vec<_> = thread::scope(|scope| {
            let begin = || {
                start.wait();
                begin(data.path(), record()).unwrap().id
            };
            let all: Vec<_> = (0..MANY).map(|_| scope.spawn(begin)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), MANY);
    }

    #[test]
    fn what_is_given_up_never_takes_a_skill_with_it() {
        let data = tempfile::tempdir().unwrap();
        let id = begin(data.path(), record()).unwrap().id;
        fs::create_dir(content(data.path(), &id)).unwrap();
        give_up(data.path(), &id).unwrap();
        assert_eq!(list(data.path()).0.len(), 1);
        fs::remove_dir(content(data.path(), &id)).unwrap();
        give_up(data.path(), &id).unwrap();
        assert_eq!(fs::read_dir(data.path().join("trash")).unwrap().count(), 0);
    }
}
