//! What Skilltender wrote at the person's wish, newest first, and undoing it: `wrote.json` in the data folder. The changes
//! of clients' files have a journal of their own (`connect`, decision 77).
//!
//! Each entry says in a few words what was done, and holds what its undo needs. Undoing calls the action that does the
//! opposite, which is a new entry: the list tells what happened, and is never rewritten.

use std::path::Path;

use ::skills::Catalog;
use api::{ActionError, ErrorKind, OwnWrite, PlaceWay, Wrote, failed};
use files::store;
use machine::{clock, waiting::Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use state::{State, blocking};

use crate::{
    Engine, Mode,
    actions::{client_folders, enable_skills, moving, skills, trash, writing},
};

/// The file's name in the data folder.
pub(crate) const FILE: &str = "wrote.json";

/// The most entries that are kept.
const MOST: usize = 200;

/// Held while the file is read and replaced. Only one engine writes it.
static WRITING: Turn<()> = Turn::new(());

/// What undoes an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(super) enum Back {
    /// Switches these skills again.
    Switch { keys: Vec<String>, on: bool },
    /// Moves these skills to the trash.
    Trash { keys: Vec<String> },
    /// Moves the skill to this folder of the library.
    Move { key: String, folder: String },
    /// Restores this from the trash.
    Restore { id: String },
    /// Puts the version of this moment back, as long as the file is as it was written.
    Version { key: String, moment: u64, written: String },
    /// Takes our skills out of this folder, or puts them there.
    Folder { path: String, way: Option<PlaceWay> },
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Record {
    /// Newest first.
    writes: Vec<Entry>,
    /// What a later program wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    /// The moment; two of one moment differ.
    id: u64,
    what: Wrote,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    back: Option<Back>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    undone: bool,
}

/// What Skilltender wrote lately, newest first.
///
/// # Errors
/// When the engine is quitting.
pub async fn own_writes(engine: &Engine) -> Result<Vec<OwnWrite>, ActionError> {
    let path = engine.machine().data.join(FILE);
    let record = blocking(move || Ok(store::peek::<Record>(&path))).await?;
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    let shown = record.writes.into_iter().map(|Entry { id, what, back, undone }| {
        let undo = !undone && back.is_some_and(|back| is_possible(&state, &catalog, &back));
        OwnWrite { id, time: id, what, undo, undone }
    });
    Ok(shown.collect())
}

/// Undoes one of them.
///
/// # Errors
/// When it cannot be undone any more, and as the action that undoes it.
pub async fn undo_write(engine: &Engine, id: u64) -> Result<(), ActionError> {
    writing(engine)?;
    let path = engine.machine().data.join(FILE);
    let at = path.clone();
    let record = blocking(move || Ok(store::peek::<Record>(&at))).await?;
    let back = record.writes.into_iter().find(|entry| entry.id == id && !entry.undone).and_then(|entry| entry.back);
    let possible = back.filter(|back| is_possible(&engine.state().now(), &engine.state().catalog(), back));
    let back = possible.ok_or_else(|| failed(ErrorKind::NotFound, "This cannot be undone any more."))?;
    carry_out(engine, back).await?;
    change(engine, move |record| {
        if let Some(entry) = record.writes.iter_mut().find(|entry| entry.id == id) {
            entry.undone = true;
        }
    })
    .await;
    Ok(())
}

/// Records what was done. What cannot be recorded was done all the same, so that is only logged.
pub(super) async fn wrote(engine: &Engine, what: Wrote, back: Option<Back>) {
    change(engine, move |record| {
        let last = record.writes.first().map_or(0, |entry| entry.id);
        record.writes.insert(0, Entry { id: clock::now().max(last + 1), what, back, undone: false });
        record.writes.truncate(MOST);
    })
    .await;
}

async fn change(engine: &Engine, change: impl FnOnce(&mut Record) + Send + 'static) {
    if *engine.mode() != Mode::Writing {
        return;
    }
    let path = engine.machine().data.join(FILE);
    let saved = blocking(move || {
        let _writing = WRITING.wait();
        // A file of a later program stays as it is.
        if store::is_newer(&path) {
            return Ok(());
        }
        let (mut record, unreadable) = store::load::<Record>(&path);
        if let Some(unreadable) = unreadable {
            tracing::warn!("{}", unreadable.message);
        }
        change(&mut record);
        save(&path, &record);
        Ok(())
    });
    // An error means that the engine is quitting.
    drop(saved.await);
}

fn save(path: &Path, record: &Record) {
    if let Err(error) = store::save(path, record) {
        tracing::warn!("what was written is not recorded: {error}");
    }
}

fn is_possible(state: &State, catalog: &Catalog, back: &Back) -> bool {
    let there = |key: &String| catalog.by_key(key);
    match back {
        Back::Switch { keys, on } => keys.iter().filter_map(there).any(|entry| entry.enabled != *on),
        Back::Trash { keys } => keys.iter().any(|key| there(key).is_some()),
        Back::Move { key, folder } => {
            there(key).is_some() && state.choices.folders.iter().any(|choice| choice.id == *folder)
        }
        Back::Restore { id } => state.trash.iter().any(|trashed| trashed.id == *id),
        Back::Version { key, written, .. } => there(key).is_some_and(|entry| entry.digest == *written),
        Back::Folder { .. } => true,
    }
}

async fn carry_out(engine: &Engine, back: Back) -> Result<(), ActionError> {
    match back {
        Back::Switch { keys, on } => enable_skills(engine, &keys, on, &Default::default()).await,
        Back::Trash { keys } => {
            let catalog = engine.state().catalog();
            for key in keys.iter().filter(|key| catalog.by_key(key).is_some()) {
                trash::trash_skill(engine, key).await?;
            }
            Ok(())
        }
        Back::Move { key, folder } => moving::move_skill(engine, &key, &folder).await.map(drop),
        Back::Restore { id } => trash::restore_skill(engine, &id).await.map(drop),
        Back::Version { key, moment, written } => skills::put_back(engine, &key, moment, &written).await,
        Back::Folder { path, way } => {
            let plan = client_folders::plan_client_folder(engine, &path, way).await?;
            match way {
                Some(way) => client_folders::link_skills(engine, &path, way, &plan.id).await.map(drop),
                None => client_folders::unlink_skills(engine, &path, &plan.id).await,
            }
        }
    }
}
