//! The record of changes to clients' files, for undo and lookup.
//!
//! Before a file is written, a record of the change is on the disk: `journal/<client>/<time>.json` in our data folder,
//! with a copy of the file's earlier bytes next to it (`<time>.before`). The record contains only our own bytes of the
//! file; the copy, which may contain other programs' keys, is accessible only to the user, like everything in that
//! folder. Secrets that were moved to the keychain are cut out of it (`cut`). The last 20 changes of a file are kept.
//! Records are true: one whose change was not made is removed, even after an interruption (`replace_file::recover`).

mod cut;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
};

use clients::{Entry, Switched, Undo};
pub use cut::{Cut, clean, cut, mend, whole};
use files::{
    digest,
    replace_file::{self, Begun, ReplaceError},
    store,
};
use machine::make_private;
use serde::{Deserialize, Serialize};
use skills::Slot;

use secrets::Secret;

/// How many changes of a file are kept.
const KEPT: usize = 20;

/// One change of one client's file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The client's file, as its row names it.
    pub path: PathBuf,
    /// The time of the change, in milliseconds since 1970.
    pub time: u64,
    /// SHA-256 of the file before; `None` if it did not exist.
    pub before: Option<String>,
    /// SHA-256 of the file afterwards; `None` if it was removed.
    pub after: Option<String>,
    /// The added entry; `None` if our entry was removed, or is no longer ours.
    pub added: Option<Added>,
    /// The name of the change that it belongs to: a change of several files has one record per file.
    #[serde(default)]
    pub change: String,
    /// The folder of the project that the file belongs to; `None` for the user's own file.
    #[serde(default)]
    pub project: Option<PathBuf>,
    /// The secrets that were cut out of the kept bytes, in order of position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<Cut>,
    /// The servers whose secrets this change moved to the keychain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rescued: Vec<Rescued>,
    /// The servers that have an entry of their own since this change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub direct: Vec<Rescued>,
    /// The switches of skills that this change wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switched: Vec<Switched>,
    /// The folders that were created for the file, if not recorded with our entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
    /// The earlier change that it undoes or redoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// Whether it undoes a change that moved secrets.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub back: bool,
    /// The file's earlier mode, if the change set another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
}

/// A step along the changes of a client's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The change of this name is undone.
    Undo(String),
    /// It is redone.
    Redo(String),
}

/// A server that its client starts through us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescued {
    /// Our name for it.
    pub server: String,
    /// Its name in the file.
    pub name: String,
    /// Its current entry.
    pub entry: Entry,
    /// How many secrets it has.
    pub secrets: usize,
}

/// What is needed to remove an added entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    /// The entry.
    pub entry: Entry,
    /// Its bytes and their position.
    pub undo: Undo,
    /// The folders that were created for the file, outermost first.
    pub folders: Vec<PathBuf>,
}

/// A record on the disk, and the write that it describes. Both end when this is dropped.
#[derive(Debug)]
pub struct Kept {
    record: PathBuf,
    begun: Begun,
}

impl Kept {
    /// Removes the record of a change that was not made after all.
    pub fn withdraw(self) {
        if !self.begun.is_made() {
            forget(&self.record);
        }
    }
}

/// Writes a record of the change that is about to be made, and locks the file against our other processes until then.
/// On the disk when this returns.
///
/// # Errors
/// When another of our processes changes the file now, or the disk refuses.
pub fn keep(data: &Path, client: &str, mut record: Record, before: Option<&[u8]>) -> Result<Kept, ReplaceError> {
    let folder = folder(data, client);
    let system = |source| ReplaceError::from_system(&folder, source);
    make_private(&data.join("journal")).and_then(|()| make_private(&folder)).map_err(system)?;
    let path = loop {
        let path = folder.join(format!("{}.json", record.time));
        if !path.exists() {
            break path;
        }
        record.time += 1;
    };
    let told = vec![path.clone(), path.with_extension("before")];
    let begun = replace_file::begin(data, &record.path, record.before.as_deref(), record.after.as_deref(), told)?;
    let kept = Kept { record: path, begun };
    let written = before
        .map_or(Ok(()), |before| store::write(&kept.record.with_extension("before"), before))
        .and_then(|()| store::save(&kept.record, &record));
    if let Err(error) = written {
        kept.withdraw();
        return Err(error);
    }
    let of_this_file = |old: &&PathBuf| read(old).is_some_and(|old| old.path == record.path);
    for old in records(&folder).iter().rev().filter(of_this_file).skip(KEPT) {
        forget(old);
    }
    Ok(kept)
}

/// Recovers what was interrupted when the last engine ended. Returns a sentence for each write that the user should look
/// at.
pub fn recover(data: &Path) -> Vec<String> {
    let journal = data.join("journal");
    let clients = fs::read_dir(&journal).into_iter().flatten().flatten().map(|entry| entry.path());
    store::sweep(clients.chain([data.to_path_buf()]));
    replace_file::recover(data)
}

/// The last recorded change of this file.
pub fn last(data: &Path, client: &str, path: &Path) -> Option<Record> {
    let records = records(&folder(data, client)).into_iter().rev();
    records.filter_map(|record| read(&record)).find(|record| record.path == path)
}

/// All recorded changes of a client's files, oldest first.
pub fn history(data: &Path, client: &str) -> Vec<Record> {
    records(&folder(data, client)).iter().filter_map(|record| read(record)).collect()
}

/// Whether an entry that we wrote runs this program, and may still do so.
pub fn names_program(data: &Path, program: &Path) -> bool {
    let names = |entry: &Entry| matches!(entry, Entry::Stdio { command, .. } if Path::new(command) == program);
    let clients = fs::read_dir(data.join("journal")).into_iter().flatten().flatten();
    clients.map(|client| records(&client.path())).any(|paths| {
        let all: Vec<_> = paths.iter().filter_map(|path| read(path)).collect();
        let is_last = |at: usize| all[at + 1..].iter().all(|later| later.path != all[at].path);
        all.iter().enumerate().any(|(at, record)| {
            let ours = record.added.as_ref().filter(|_| is_last(at));
            ours.is_some_and(|added| names(&added.entry))
                || record.direct.iter().chain(&record.rescued).any(|server| names(&server.entry))
        })
    })
}

/// The bytes of a file before this change, if they were kept and their digest matches. Secrets that were cut out are
/// put back.
pub fn before(data: &Path, client: &str, record: &Record, secret: impl Fn(&Slot) -> Option<Secret>) -> Option<Vec<u8>> {
    let bytes = before_now(data, client, record, secret)?;
    (Some(digest(&bytes)) == record.before).then_some(bytes)
}

/// The same with the current secrets: one that was replaced since yields different bytes.
pub fn before_now(
    data: &Path,
    client: &str,
    record: &Record,
    secret: impl Fn(&Slot) -> Option<Secret>,
) -> Option<Vec<u8>> {
    let path = folder(data, client).join(format!("{}.before", record.time));
    let left = replace_file::read(&path, clients::LARGEST as u64).ok().flatten()?;
    whole(&left, &record.cut, secret)
}

/// Removes the records of a change that moved secrets and of its undo: the file has its earlier contents again.
pub fn forget_rescue(data: &Path, client: &str, change: &str) {
    let folder = folder(data, client);
    let over = |record: &Record| record.back || record.change == change;
    records(&folder).iter().filter(|path| read(path).as_ref().is_some_and(over)).for_each(|path| forget(path));
}

fn folder(data: &Path, client: &str) -> PathBuf {
    data.join("journal").join(client)
}

fn read(path: &Path) -> Option<Record> {
    store::known(path)
}

/// The records of a client, oldest first: their names are times.
fn records(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut records: Vec<_> = names.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    records.sort();
    records
}

/// Ignores errors: a record that remains does no harm.
fn forget(record: &Path) {
    drop(fs::remove_file(record));
    drop(fs::remove_file(record.with_extension("before")));
}
