//! The lock: which version of which skill belongs here, written from the records and compared with the disk.

use std::collections::BTreeMap;

use api::{ActionError, ErrorKind, LockComparison, LockRow, LockState, UpdatePlan, failed};
use origins::{Record, locked, read_files};
use sources::{Difference, Lock, LockedSkill, Origin, Source};
use state::blocking;

use crate::Engine;

/// The text of a lock for these skills, or for all that have a source.
///
/// # Errors
/// When one of them has no source, or none has.
pub async fn lock_text(engine: &Engine, keys: Option<&[String]>) -> Result<String, ActionError> {
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    if let Some(without) = keys.into_iter().flatten().find(|key| !state.origins.contains_key(*key)) {
        let id = catalog.by_key(without).map_or(without.as_str(), |entry| &entry.skill.id);
        let message = format!("Skilltender did not fetch {id}, so it knows no commit of it.");
        return Err(failed(ErrorKind::NotFound, message));
    }
    let mut lock = Lock::default();
    for record in state.origins.values().filter(|record| keys.is_none_or(|keys| keys.contains(&record.key))) {
        let Some(entry) = catalog.by_key(&record.key) else { continue };
        if lock.skills.insert(entry.skill.id.clone(), entry_of(record)).is_some() {
            let message =
                format!("Two skills with a source are called {}: name the one that is meant.", entry.skill.id);
            return Err(failed(ErrorKind::Input, message));
        }
    }
    if lock.skills.is_empty() {
        return Err(failed(ErrorKind::NotFound, "No skill has a source, so there is nothing to lock."));
    }
    Ok(lock.to_string())
}

fn entry_of(record: &Record) -> LockedSkill {
    // The short name, where it means the same address.
    let short = record.source();
    let means =
        |short: &str| Source::read(short).is_ok_and(|source| source.origin == Origin::Git(record.address.clone()));
    LockedSkill {
        source: if means(&short) { short } else { record.address.clone() },
        follows: record.follows.clone(),
        commit: Some(record.now.commit.clone()),
        inside: record.inside.clone(),
        files: record.now.came.clone(),
    }
}

/// Compares the skills with a lock, file by file.
///
/// # Errors
/// When the text is no lock, or a skill cannot be read.
pub async fn compare_with_lock(engine: &Engine, text: &str) -> Result<LockComparison, ActionError> {
    let lock = Lock::read(text).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    let mut rows = Vec::new();
    let mut keys = Vec::new();
    for (name, skill) in lock.skills {
        let here = state.origins.values().filter(|record| {
            let entry = entry_of(record);
            (entry.source, &entry.inside) == (skill.source.clone(), &skill.inside)
                && catalog.by_key(&record.key).is_some()
        });
        let by_source = here.map(|record| record.key.clone()).next();
        let by_name = || catalog.entries().iter().find(|entry| entry.skill.id == name).map(|entry| entry.key());
        let key = by_source.or_else(by_name);
        let location = key.as_ref().and_then(|key| catalog.by_key(key)).map(|entry| entry.location.clone());
        let files = skill.clone();
        let state = blocking(move || {
            let Some(location) = location else { return Ok(LockState::Missing) };
            let disk = read_files(&location).map_err(|error| failed(ErrorKind::System, error.to_string()))?;
            let differs = files.differences(&locked(&disk.files));
            Ok(if differs.is_empty() { LockState::Same } else { LockState::Differs { files: said(differs) } })
        })
        .await?;
        keys.extend(key.clone());
        let LockedSkill { source, follows, commit, inside, .. } = skill;
        let source = follows.map_or_else(|| source.clone(), |follows| format!("{source}#{follows}"));
        rows.push(LockRow { name, key, source, commit, inside, state });
    }
    let unlocked = catalog.entries().iter().filter(|entry| !keys.contains(&entry.key()));
    Ok(LockComparison { rows, unlocked: unlocked.map(|entry| entry.skill.id.clone()).collect() })
}

fn said(differences: BTreeMap<String, Difference>) -> Vec<String> {
    let line = |(path, difference)| match difference {
        Difference::Changed => format!("{path} is another file."),
        Difference::Missing => format!("{path} is missing."),
        Difference::Added => format!("{path} is not in the lock."),
    };
    differences.into_iter().map(line).collect()
}

/// What putting the locked version of a skill in place would change.
///
/// # Errors
/// As [`plan_update`](super::plan_update), and when the repository gives other bytes for that commit than the lock has.
pub async fn plan_locked(engine: &Engine, key: &str, commit: &str) -> Result<UpdatePlan, ActionError> {
    super::update::plan_to(engine, key, commit).await
}
