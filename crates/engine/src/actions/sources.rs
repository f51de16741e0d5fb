//! Skills with a source: added from a git repository, a folder, an archive or a site, asked for updates, updated after a
//! review, and taken back.
//!
//! A source is looked at before anything is written, as an import is. What is fetched stays in a folder of ours until a
//! person takes it; a skill is pinned to the commit and to the digest of every file. Nothing here asks the network unless
//! a person wanted it. The parts: `opened` is a source at one moment, `held` what it has then, `places` how what is
//! no repository is found, `review` what a change of a skill's files means,
//! `put` its making, `records` the records and the state.

mod ask;
mod back;
mod held;
mod locks;
mod managed;
mod opened;
mod places;
mod put;
mod records;
mod review;
mod update;
mod way;

use std::{collections::BTreeMap, path::Path};

use api::{ActionError, ErrorKind, SourcePlan, SourceRow, Wrote, failed, unknown};
use library::import::Incoming;
use machine::{clock, network::Net};
use origins::{By, Record, Version, Versions};
use sources::{LockedSkill, Origin, Source};
use state::blocking;

pub(crate) use ask::keep_asking;
pub use ask::{ask_sources, cancel_fetching};
pub use back::{go_back_to, plan_back, skill_versions};
pub use locks::{compare_with_lock, lock_text, look_at_locked, plan_locked};
pub(crate) use locks::{entry_of as locked_skill_of, follow_locked, incoming_skill, written as locked_source};
pub use managed::{adopt_skill, managed_skills};
pub(crate) use records::{finish_interrupted, keep_origins, take_origin_back};
pub(super) use records::{forget_origin, rename_origin};
pub use update::{plan_update, plan_updates, update_skill, update_skills};

pub(in crate::actions) use opened::{git, refuse};
pub(in crate::actions) use put::accept_reviewed;
pub(in crate::actions) use review::{Reviewed, review};

use self::{
    held::Held,
    opened::{BY_DIGEST, files_of, open},
};
use crate::{
    Engine,
    actions::{
        import::{Came, bring, shown_plan},
        team::TEAM_FILE,
        writing,
        wrote::wrote,
    },
};

/// A source as it means the same everywhere: a folder that was written as seen from `here`, by its whole path.
pub fn source_from(written: &str, here: &Path) -> String {
    match Source::read(written).map(|source| source.origin) {
        Ok(Origin::Local(path)) if !path.starts_with('~') => {
            let whole = here.join(path);
            // What is gone can still be forgotten.
            dunce::canonicalize(&whole).unwrap_or_else(|_| whole.components().collect()).display().to_string()
        }
        _ => written.to_owned(),
    }
}

/// What somebody else names as a source, such as a page that a person clicked on, as a person would write it: a repository or
/// an address of the public network, over https or ssh. Nothing is asked of it.
///
/// # Errors
/// When it is no such source, as a sentence.
pub fn source_named(written: &str) -> Result<String, ActionError> {
    let refused = |why: &str| failed(ErrorKind::Refused, format!("{why}, so it is not opened."));
    let written = written.trim();
    // Letters that look like others would name another host than a person reads.
    if !written.is_ascii() || written.len() > 500 {
        return Err(refused("The address of the source is too long, or has letters that look like others"));
    }
    let source = Source::read(written).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
    let address = match &source.origin {
        Origin::Local(_) => return Err(refused("The source is a place of this computer")),
        Origin::Git(address) | Origin::File(address, _) | Origin::Site(address) => address,
    };
    let host = match address.split_once("://") {
        Some(("https" | "ssh", rest)) => rest.split('/').next().unwrap_or_default(),
        Some(_) => return Err(refused("The address of the source is not encrypted")),
        None => address.split_once(':').map_or("", |(who, _)| who),
    };
    let (user, host) = host.rsplit_once('@').unwrap_or(("", host));
    if address.split_once("://").is_none() && user.is_empty() {
        return Err(refused("The source is written in a way that only a person may write"));
    }
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let net = Net::of_host(name).unwrap_or(Net::Public);
    if net != Net::Public || !name.contains('.') {
        return Err(refused("The source is not on the public network"));
    }
    Ok(written.to_owned())
}

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

/// The text of a file of this name at the top of a source, or in the folder that was asked for; with the source and its
/// commit, for people.
///
/// # Errors
/// When it is no source, cannot be reached, or has no such file.
pub(crate) async fn file_of_source(
    engine: &Engine,
    source: &str,
    name: &'static str,
) -> Result<(String, String, String), ActionError> {
    let (machine, cancel, source) = (engine.machine().clone(), engine.cancel(), source.to_owned());
    let (text, source, commit) = blocking(move || {
        let opened = open(&machine, &source, None, None, &cancel)?;
        Ok((opened.text_of(name, &cancel)?, opened.name().to_owned(), opened.held.commit().to_owned()))
    })
    .await?;
    wrote(engine, Wrote::Asked { sources: vec![source.clone()], silent: 0 }, None).await;
    Ok((text, source, commit))
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
        let opened = open(&machine, &source, commit.as_deref(), only.as_deref(), &cancel)?;
        if let Some((name, skill)) = locked {
            locks::refuse_other(&skill, &name, &opened.inside(&skill.inside).one_skill(&cancel)?)?;
        }
        let elsewhere = opened.elsewhere(&cancel);
        let team = opened.has_file(TEAM_FILE);
        let incoming = if only.is_none() && (team || !elsewhere.is_empty()) && opened.skill_folders().is_empty() {
            // It only says where others are.
            Incoming::default()
        } else {
            match opened.incoming(only.as_deref(), &there(&state, &catalog), &cancel) {
                // Its team can be joined all the same.
                Err(error) if team && only.is_none() && error.kind == ErrorKind::Already => Incoming::default(),
                incoming => incoming?,
            }
        };
        let plan = shown_plan(&machine, &catalog, opened.name(), &incoming);
        let commit = match &opened.held {
            Held::Commit(commit) => commit.id().to_owned(),
            Held::Files { sha256: Some(sha256), .. } => format!("{BY_DIGEST}{sha256}"),
            Held::Files { sha256: None, .. } => format!("{BY_DIGEST}{}", plan.id),
        };
        let (source, follows) = (opened.name().to_owned(), opened.follows.clone());
        Ok((SourcePlan { source, follows, commit, plan, elsewhere, team }, opened.is_local()))
    })
    .await?;
    let (seen, is_local) = seen;
    if !is_local {
        wrote(engine, Wrote::Asked { sources: vec![seen.source.clone()], silent: 0 }, None).await;
    }
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
        let opened = open(&machine, &asked, Some(&commit), only.as_deref(), &cancel)?;
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
        let made = opened.held.made(&cancel)?;
        Ok((opened, made, skills))
    })
    .await?;
    let came: Vec<_> = skills.iter().map(|skill| (skill.path.clone(), files_of(skill))).collect();
    let Came { keys, failure } = bring(engine, skills, folder).await?;
    let (versions, came) = (Versions::of(engine.machine()), came.into_iter().zip(keys.clone()).collect::<Vec<_>>());
    let records = blocking(move || {
        let record = |((inside, files), key)| {
            let files = versions.keep(&files).map_err(connect::file_failed)?;
            let (commit, at) = (opened.held.commit().to_owned(), clock::now());
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
    forget_origins(engine, &keys).await?;
    Ok(keys)
}

/// Forgets where skills came from, with the versions before; the skills stay as they are.
///
/// # Errors
/// When the disk refuses.
pub async fn forget_origins(engine: &Engine, keys: &[String]) -> Result<(), ActionError> {
    writing(engine)?;
    for key in keys {
        forget_origin(engine, key).await?;
    }
    Ok(())
}

/// The skills of the library that came from a source, by its address and their folders there.
fn there(state: &state::State, catalog: &::skills::Catalog) -> BTreeMap<(String, String), String> {
    let records = state.origins.values().filter_map(|record| {
        let entry = catalog.by_key(&record.key)?;
        Some(((record.address.clone(), record.inside.clone()), state.machine.place(&entry.location)))
    });
    records.collect()
}
