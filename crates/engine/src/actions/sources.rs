//! Skills with a source: added from a git repository, asked for updates, updated after a review, and taken back.
//!
//! A source is looked at before anything is written, as an import is. What is fetched stays in a folder of ours until a
//! person takes it; a skill is pinned to the commit and to the digest of every file. Nothing here asks the network unless
//! a person wanted it. The parts: `opened` is a source at one commit, `review` what a change of a skill's files means,
//! `put` its making, `records` the records and the state.

mod ask;
mod back;
mod locks;
mod managed;
mod opened;
mod put;
mod records;
mod review;
mod update;
mod way;

use std::collections::BTreeMap;

use api::{ActionError, ErrorKind, SourcePlan, SourceRow, Wrote, failed, unknown};
use machine::clock;
use origins::{By, Record, Version, Versions};
use sources::LockedSkill;
use state::blocking;

pub(crate) use ask::keep_asking;
pub use ask::{ask_sources, cancel_fetching};
pub use back::{go_back_to, plan_back, skill_versions};
pub use locks::{compare_with_lock, lock_text, look_at_locked, plan_locked};
pub use managed::{adopt_skill, managed_skills};
pub(crate) use records::{finish_interrupted, keep_origins, take_origin_back};
pub(super) use records::{forget_origin, rename_origin};
pub use update::{plan_update, plan_updates, update_skill, update_skills};

pub(in crate::actions) use opened::{git, refuse};
pub(in crate::actions) use put::accept_reviewed;
pub(in crate::actions) use review::{Reviewed, review};

use self::opened::{Opened, files_of, open};
use crate::{
    Engine,
    actions::{
        import::{Came, bring, shown_plan},
        writing,
        wrote::wrote,
    },
};

/// Shows what a source holds: all its skills, or those at the paths in `only`. Writes nothing but what is fetched, in a
/// folder of ours.
///
/// # Errors
/// When it is no source, cannot be reached, or holds no skill that may come.
pub async fn look_at_source(
    engine: &Engine,
    source: &str,
    only: Option<Vec<String>>,
) -> Result<SourcePlan, ActionError> {
    look(engine, source, None, only, None).await
}

/// The same, of a locked skill by its name only if its files are those of the lock.
async fn look(
    engine: &Engine,
    source: &str,
    commit: Option<String>,
    only: Option<Vec<String>>,
    locked: Option<(String, LockedSkill)>,
) -> Result<SourcePlan, ActionError> {
    let (machine, catalog, state) = (engine.machine().clone(), engine.state().catalog(), engine.state().now());
    let (source, cancel) = (source.to_owned(), engine.cancel());
    let seen = blocking(move || {
        let opened = open(&machine, &source, commit.as_deref(), &cancel)?;
        if let Some((name, skill)) = locked {
            locks::refuse_other(&skill, &name, &opened.inside(&skill.inside).one_skill(&cancel)?)?;
        }
        let incoming = opened.incoming(only.as_deref(), &there(&state, &catalog), &cancel)?;
        let plan = shown_plan(&machine, &catalog, opened.name(), &incoming);
        let Opened { follows, commit, .. } = &opened;
        Ok(SourcePlan {
            source: opened.name().to_owned(),
            follows: follows.clone(),
            commit: commit.id().to_owned(),
            plan,
        })
    })
    .await?;
    wrote(engine, Wrote::Asked { sources: vec![seen.source.clone()], silent: 0 }, None).await;
    Ok(seen)
}

/// Adds what [`look_at_source`] showed at this commit to a folder of the library: all of its skills, or those at the paths
/// in `only`. They are off until the user switches them on. Returns their keys.
///
/// # Errors
/// When something differs from what was shown, a folder of the same name exists, or it cannot be written. Then nothing is
/// added except what the error names.
pub async fn add_source(
    engine: &Engine,
    source: &str,
    commit: &str,
    plan: &str,
    folder: &str,
    only: Option<Vec<String>>,
) -> Result<Vec<String>, ActionError> {
    writing(engine)?;
    let (machine, catalog, state) = (engine.machine().clone(), engine.state().catalog(), engine.state().now());
    let (asked, commit, plan, cancel) = (source.to_owned(), commit.to_owned(), plan.to_owned(), engine.cancel());
    let (opened, made, skills) = blocking(move || {
        let opened = open(&machine, &asked, Some(&commit), &cancel)?;
        let there = there(&state, &catalog);
        // The user saw only these skills, or chose them from all.
        let incoming = match opened.incoming(only.as_deref(), &there, &cancel) {
            Ok(incoming) if incoming.digest() == plan => incoming,
            _ => opened.incoming(None, &there, &cancel)?,
        };
        if incoming.digest() != plan {
            let message = format!("{} changed since it was shown, so nothing was added.", opened.name());
            let hints = vec!["Look at it again, then add it.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Changed, message, hints });
        }
        let mut skills = incoming.skills;
        skills.retain(|skill| only.as_ref().is_none_or(|only| only.contains(&skill.path)));
        if skills.is_empty() {
            return Err(failed(ErrorKind::Input, "No skill was chosen, so nothing was added."));
        }
        let made = opened.commit.made(&cancel).map_err(|error| opened::refuse(&error))?;
        Ok((opened, made, skills))
    })
    .await?;
    let came: Vec<_> = skills.iter().map(|skill| (skill.path.clone(), files_of(skill))).collect();
    let Came { keys, failure } = bring(engine, skills, folder).await?;
    let (versions, came) = (Versions::of(engine.machine()), came.into_iter().zip(keys.clone()).collect::<Vec<_>>());
    let records = blocking(move || {
        let record = |((inside, files), key)| {
            let files = versions.keep(&files).map_err(connect::file_failed)?;
            let (commit, at) = (opened.commit.id().to_owned(), clock::now());
            let now = Version { at, by: By::Added, commit, made, came: files.clone(), files };
            let (address, follows) = (opened.address.clone(), opened.follows.clone());
            Ok(Record { key, address, follows, inside, now, ..Record::default() })
        };
        came.into_iter().map(record).collect()
    });
    keep_origins(engine, records.await?).await?;
    failure.map_or(Ok(keys), Err)
}

/// Forgets where the skills of a source came from, with the versions before; the skills stay as they are. `source` is its
/// name, its address, or what names it in the snapshot. Returns the keys of the skills.
///
/// # Errors
/// When no skill came from it, or the disk refuses.
pub async fn forget_source(engine: &Engine, source: &str) -> Result<Vec<String>, ActionError> {
    writing(engine)?;
    let snapshot = engine.snapshot();
    let named = |row: &&SourceRow| {
        let follows = row.follows.as_ref().map(|follows| format!("{}#{follows}", row.source));
        [&row.id, &row.source].contains(&&source.to_owned()) || follows.as_deref() == Some(source)
    };
    let keys: Vec<_> = snapshot.sources.iter().filter(named).flat_map(|row| row.skills.clone()).collect();
    if keys.is_empty() {
        let known = snapshot.sources.iter().map(|row| row.source.as_str());
        return Err(unknown(format!("No skill came from {source}."), source, known, "There is no such source."));
    }
    for key in &keys {
        forget_origin(engine, key).await?;
    }
    Ok(keys)
}

/// The skills of the library that came from a source, by its address and their folders there.
fn there(state: &state::State, catalog: &::skills::Catalog) -> BTreeMap<(String, String), String> {
    let records = state.origins.values().filter_map(|record| {
        let entry = catalog.by_key(&record.key)?;
        Some(((record.address.clone(), record.inside.clone()), state.machine.place(&entry.location)))
    });
    records.collect()
}
