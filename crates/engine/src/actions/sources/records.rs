//! The records of where skills came from: on the disk and in the state.

use std::sync::Arc;

use api::{ActionError, Notice};
use connect::file_failed;
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
    change(engine, move |origins| {
        for record in records {
            origins.insert(record.key.clone(), record);
        }
    })
    .await
}

/// Forgets where a skill came from: the key is another's now, or the skill is gone for good.
pub(in crate::actions) async fn forget_origin(engine: &Engine, key: &str) -> Result<(), ActionError> {
    let keys = at_or_below(engine, key);
    if keys.is_empty() {
        return Ok(());
    }
    let (machine, gone) = (engine.machine().clone(), keys.clone());
    blocking(move || gone.iter().try_for_each(|key| origins::remove(&machine, key).map_err(file_failed))).await?;
    change(engine, move |origins| keys.iter().for_each(|key| drop(origins.remove(key)))).await
}

/// The skill of one key has another one now, and so have those inside it.
pub(in crate::actions) async fn rename_origin(engine: &Engine, from: &str, to: &str) -> Result<(), ActionError> {
    let state = engine.state().now();
    let renamed: Vec<_> = at_or_below(engine, from)
        .into_iter()
        .map(|key| Record { key: format!("{to}{}", &key[from.len()..]), ..state.origins[&key].clone() })
        .collect();
    if renamed.is_empty() {
        return Ok(());
    }
    keep_origins(engine, renamed).await?;
    forget_origin(engine, from).await
}

/// The keys with a record of a skill and those inside it.
fn at_or_below(engine: &Engine, key: &str) -> Vec<String> {
    let is_below = |other: &str| other.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    engine.state().now().origins.keys().filter(|other| is_below(other)).cloned().collect()
}

async fn change(engine: &Engine, change: impl FnOnce(&mut Origins) + Send + 'static) -> Result<(), ActionError> {
    engine.state().change(move |state: &mut State| change(Arc::make_mut(&mut state.origins))).await
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
        return (origins, told);
    }
    for record in origins.values_mut() {
        let Some(pending) = record.pending.take() else { continue };
        if origins::finish(&pending) {
            record.advance(pending.from, pending.to);
        }
        if let Err(error) = origins::save(machine, record) {
            tracing::warn!(%error, key = record.key, "the version of a skill is not recorded");
        }
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
