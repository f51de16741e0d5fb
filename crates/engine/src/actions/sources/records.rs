//! The records of where skills came from: on the disk and in the state.

use std::sync::Arc;

use api::{ActionError, Notice};
use connect::file_failed;
use files::replace_file::ReplaceError;
use machine::Machine;
use origins::{By, Origins, Record};
use state::{State, blocking};

use crate::Engine;

/// Saves records, and publishes them.
pub(crate) async fn keep_origins(engine: &Engine, records: Vec<Record>) -> Result<(), ActionError> {
    let machine = engine.machine().clone();
    let records = blocking(move || {
        for record in &records {
            origins::save(&machine, record).map_err(file_failed)?;
        }
        Ok(records)
    })
    .await?;
    publish_origins(engine, records).await
}

/// Publishes records that are saved.
pub(super) async fn publish_origins(engine: &Engine, records: Vec<Record>) -> Result<(), ActionError> {
    change(engine, move |origins| {
        for record in records {
            origins.insert(record.key.clone(), record);
        }
    })
    .await
}

/// Forgets where a skill came from: the key is another's now, or the skill is gone for good.
pub(in crate::actions) async fn forget_origin(engine: &Engine, key: &str) -> Result<(), ActionError> {
    let keys = origins::of_skill(&engine.state().now().origins, key);
    if keys.is_empty() {
        return Ok(());
    }
    let (machine, gone) = (engine.machine().clone(), keys.clone());
    blocking(move || gone.iter().try_for_each(|key| origins::remove(&machine, key).map_err(file_failed))).await?;
    change(engine, move |origins| keys.iter().for_each(|key| drop(origins.remove(key)))).await
}

/// The skill of one key has another one now, and so have those inside it.
pub(in crate::actions) async fn rename_origin(engine: &Engine, from: &str, to: &str) -> Result<(), ActionError> {
    let renamed = origins::renamed(&engine.state().now().origins, from, to);
    if renamed.is_empty() {
        return Ok(());
    }
    keep_origins(engine, renamed).await?;
    forget_origin(engine, from).await
}

async fn change(engine: &Engine, change: impl FnOnce(&mut Origins) + Send + 'static) -> Result<(), ActionError> {
    engine.state().change(move |state: &mut State| change(Arc::make_mut(&mut state.origins))).await
}

/// As [`rename_origin`], before the loop runs: a skill is back in its place that the end of an engine kept from the trash.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn take_origin_back(state: &mut State, from: &str, to: &str) -> Result<(), ReplaceError> {
    for record in origins::renamed(&state.origins, from, to) {
        origins::save(&state.machine, &record)?;
        Arc::make_mut(&mut state.origins).insert(record.key.clone(), record);
    }
    for key in origins::of_skill(&state.origins, from) {
        origins::remove(&state.machine, &key)?;
        Arc::make_mut(&mut state.origins).remove(&key);
    }
    Ok(())
}

/// Reads the records at the start. A version whose placing was interrupted is in place or not, and its record says so
/// then; bytes that no version has are removed.
pub(crate) fn finish_interrupted(machine: &Machine, writes: bool) -> (Origins, Vec<Notice>) {
    let (mut origins, unreadable) = origins::load(machine, writes);
    let told = unreadable
        .into_iter()
        .map(|one| Notice { id: format!("unreadable:{}", one.path.display()), message: one.message });
    let told = told.collect();
    if !writes {
        // Whoever only looks is told what is there.
        for record in origins.values_mut() {
            if let Some(pending) = record.pending.clone().filter(origins::is_placed) {
                record.advance(pending.from, pending.to);
            }
        }
        return (origins, told);
    }
    for record in origins.values_mut() {
        record.clear();
        let Some(pending) = record.pending.clone() else { continue };
        if origins::finish(&pending) {
            record.advance(pending.from, pending.to);
        } else {
            record.pending = None;
        }
        if let Err(error) = origins::save(machine, record) {
            tracing::warn!(%error, key = record.key, "the version of a skill is not recorded");
            continue;
        }
        record.clear();
    }
    if !origins.is_empty() {
        origins::Versions::of(machine).sweep(&origins);
    }
    (origins, told)
}

/// As the window names it.
pub(super) fn by(by: By) -> api::CameBy {
    match by {
        By::Added => api::CameBy::Added,
        By::Updated => api::CameBy::Updated,
        By::WentBack => api::CameBy::WentBack,
        By::Synced => api::CameBy::Synced,
    }
}
