//! What Skilltender wrote at the person's wish, newest first, and undoing it (the list is `wrote`'s). The changes of
//! clients' files have a journal of their own (`connect`, decision 77).
//!
//! Each entry says in a few words what was done, and holds what its undo needs. Undoing calls the action that does the
//! opposite, which is a new entry: the list tells what happened, and is never rewritten.

use ::skills::Catalog;
use api::{ActionError, ErrorKind, OwnWrite, failed};
use files::store;
use state::{State, blocking};

use crate::{
    Engine,
    actions::{
        client_folders, enable_skills, moving, skills, sources, trash, writing,
        wrote::{Back, Entry, Record, change, path},
    },
};

/// What Skilltender wrote lately, newest first.
///
/// # Errors
/// When the engine is quitting.
pub async fn own_writes(engine: &Engine) -> Result<Vec<OwnWrite>, ActionError> {
    let path = path(engine);
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
    let path = path(engine);
    let record = blocking(move || Ok(store::peek::<Record>(&path))).await?;
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
        Back::Earlier { key, at } => {
            let record = state.origins.get(key).filter(|_| there(key).is_some());
            record.is_some_and(|record| record.now.at == *at && !record.before.is_empty())
        }
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
        Back::Earlier { key, .. } => {
            let plan = sources::plan_back(engine, &key, 1).await?;
            sources::go_back_to(engine, &key, 1, &plan.id).await
        }
        Back::Folder { path, way } => {
            let plan = client_folders::plan_client_folder(engine, &path, way).await?;
            match way {
                Some(way) => client_folders::link_skills(engine, &path, way, &plan.id).await.map(drop),
                None => client_folders::unlink_skills(engine, &path, &plan.id).await,
            }
        }
    }
}
