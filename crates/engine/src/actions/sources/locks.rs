//! The lock: which version of which skill belongs here, written from the records and compared with the disk.

use std::collections::BTreeMap;

use api::{ActionError, ErrorKind, LockComparison, LockRow, LockState, LockText, SourcePlan, UpdatePlan, failed};
use origins::{Record, locked, read_files};
use sources::{Difference, Lock, LockedSkill, Origin, Source, update::FileSet};
use state::blocking;

use crate::Engine;

/// The text of a lock for these skills, or for all that have a source.
///
/// # Errors
/// When one of them has no source, or none has.
pub async fn lock_text(engine: &Engine, keys: Option<&[String]>) -> Result<LockText, ActionError> {
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    if let Some(without) = keys.into_iter().flatten().find(|key| !state.origins.contains_key(*key)) {
        let id = catalog.by_key(without).map_or(without.as_str(), |entry| &entry.skill.id);
        let message = format!("Skilltender did not fetch {id}, so it knows no commit of it.");
        return Err(failed(ErrorKind::NotFound, message));
    }
    let (mut lock, mut left_out) = (Lock::default(), Vec::new());
    for record in state.origins.values().filter(|record| keys.is_none_or(|keys| keys.contains(&record.key))) {
        let Some(entry) = catalog.by_key(&record.key) else { continue };
        if record.is_of_here() {
            left_out.push(entry.skill.id.clone());
            continue;
        }
        if lock.skills.insert(entry.skill.id.clone(), entry_of(record)).is_some() {
            let message =
                format!("Two skills with a source are called {}: name the one that is meant.", entry.skill.id);
            return Err(failed(ErrorKind::Input, message));
        }
    }
    if lock.skills.is_empty() {
        let message = match left_out.first() {
            Some(id) => {
                format!("{id} came from a place of this computer, which no other computer has, so it cannot be locked.")
            }
            None => "No skill has a source, so there is nothing to lock.".to_owned(),
        };
        return Err(failed(ErrorKind::NotFound, message));
    }
    Ok(LockText { text: lock.to_string(), left_out })
}

fn entry_of(record: &Record) -> LockedSkill {
    // The short name, where it means the same address.
    let short = record.source();
    let origin = |written: &str| Source::read(written).map(|source| source.origin);
    let means = |short: &str| origin(short).is_ok() && origin(short) == origin(&record.address);
    LockedSkill {
        source: if means(&short) { short } else { record.address.clone() },
        follows: record.follows.clone(),
        commit: Some(record.now.commit.clone()).filter(|commit| !commit.is_empty()),
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
            let disk =
                read_files(&location, &files.files).map_err(|error| failed(ErrorKind::System, error.to_string()))?;
            let differs = files.differences(&locked(&disk.files));
            Ok(if differs.is_empty() { LockState::Same } else { LockState::Differs { files: said(differs) } })
        })
        .await?;
        keys.extend(key.clone());
        rows.push(LockRow { name, key, source: written(&skill), state });
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

/// What adding a locked skill would bring.
///
/// # Errors
/// As [`look_at_source`](super::look_at_source), and when the repository gives other files for its commit than the lock has.
pub async fn look_at_locked(engine: &Engine, text: &str, name: &str) -> Result<SourcePlan, ActionError> {
    let (skill, commit) = locked_skill(text, name)?;
    let source = written(&skill);
    let only = vec![if skill.inside.is_empty() { ".".to_owned() } else { skill.inside.clone() }];
    super::look(engine, &source, commit, Some(only), Some((name.to_owned(), skill))).await
}

/// What putting the locked version of a skill in place would change.
///
/// # Errors
/// As [`plan_update`](super::plan_update), and when the repository gives other files for its commit than the lock has.
pub async fn plan_locked(engine: &Engine, key: &str, text: &str, name: &str) -> Result<UpdatePlan, ActionError> {
    let (skill, commit) = locked_skill(text, name)?;
    super::update::plan_to(engine, key, commit, (name, &skill)).await
}

/// The source of a locked skill, as a person writes one.
fn written(skill: &LockedSkill) -> String {
    match &skill.follows {
        Some(follows) => format!("{}#{follows}", skill.source),
        None => skill.source.clone(),
    }
}

/// A locked skill, with its commit if its source has commits.
fn locked_skill(text: &str, name: &str) -> Result<(LockedSkill, Option<String>), ActionError> {
    let mut lock = Lock::read(text).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
    let missing = || failed(ErrorKind::NotFound, format!("The lock has no commit of {name}, so it cannot be fetched."));
    let skill = lock.skills.remove(name).ok_or_else(missing)?;
    let origin = Source::read(&skill.source).map(|source| source.origin);
    match (&skill.commit, origin) {
        (Some(commit), _) => Ok((skill.clone(), Some(commit.clone()))),
        // Somebody else's lock has not to lead into this computer.
        (None, Ok(Origin::Git(_) | Origin::Local(_)) | Err(_)) => Err(missing()),
        (None, Ok(Origin::File(..) | Origin::Site(_))) => Ok((skill, None)),
    }
}

/// Refuses files that are others than a lock has: who gives them for the same commit may not be trusted.
pub(super) fn refuse_other(skill: &LockedSkill, name: &str, files: &FileSet) -> Result<(), ActionError> {
    let differs = said(skill.differences(&locked(files)));
    let Some(first) = differs.first() else { return Ok(()) };
    let source = &skill.source;
    let message = match skill.commit {
        Some(_) => format!(
            "{source} gives other files of {name} for its commit than the lock has: {first} Nothing was changed."
        ),
        None => format!("{source} has other files of {name} by now than the lock has: {first} Nothing was changed."),
    };
    Err(failed(ErrorKind::Refused, message))
}
