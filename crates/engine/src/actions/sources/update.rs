//! An update of one skill, as a review and as its making.

use api::{ActionError, Answers, ErrorKind, UpdatePlan, failed};
use fetch::{Cancel, Git, Tip};
use machine::Machine;
use origins::{By, Disk, Record, Versions};
use state::blocking;

use super::{
    opened::{Opened, git, refuse},
    put::{Coming, present, put},
};
use crate::{Engine, actions::writing};

/// What updating a skill to what its source has now would change. Nothing changes.
///
/// # Errors
/// When the skill has no source, the source cannot be reached, or has the skill no more.
pub async fn plan_update(engine: &Engine, key: &str) -> Result<UpdatePlan, ActionError> {
    let (coming, id) = coming(engine, key, None).await?;
    Ok(coming.plan(&id))
}

/// Updates a skill to this commit as `plan` showed, with an answer for each conflict. The version before is kept.
///
/// # Errors
/// When the skill or its source changed since, a conflict has no answer, or the disk refuses: then nothing changes.
pub async fn update_skill(
    engine: &Engine,
    key: &str,
    commit: &str,
    plan: &str,
    answers: Answers,
) -> Result<(), ActionError> {
    writing(engine)?;
    let (coming, _) = coming(engine, key, Some(commit.to_owned())).await?;
    put(engine, coming, plan, answers).await
}

/// What putting the version of this commit in place would change.
pub(super) async fn plan_to(engine: &Engine, key: &str, commit: &str) -> Result<UpdatePlan, ActionError> {
    let (coming, id) = coming(engine, key, Some(commit.to_owned())).await?;
    Ok(coming.plan(&id))
}

async fn coming(engine: &Engine, key: &str, commit: Option<String>) -> Result<(Coming, String), ActionError> {
    let (record, disk, id) = present(engine, key).await?;
    let (machine, cancel) = (engine.machine().clone(), engine.cancel());
    let coming = blocking(move || compare(&machine, record, disk, commit.as_deref(), &cancel)).await?;
    Ok((coming, id))
}

/// What the source has, compared with what came and what is here. A commit that was looked at is here already.
fn compare(
    machine: &Machine,
    record: Record,
    disk: Disk,
    commit: Option<&str>,
    cancel: &Cancel,
) -> Result<Coming, ActionError> {
    let git = git(machine)?;
    let told = |error| refuse(&error);
    let tip = match commit {
        Some(commit) => Tip { reference: commit.to_owned(), commit: commit.to_owned(), is_tag: false },
        None => git.tip(&record.address, record.follows.as_deref(), cancel).map_err(told)?,
    };
    let opened = Opened::newest(&git, &record, &tip, cancel).map_err(told)?;
    let theirs = opened.one_skill(cancel)?;
    let made = opened.commit.made(cancel).map_err(told)?;
    let base = Versions::of(machine).read(&record.now.came);
    let base = base.map_err(|missing| failed(ErrorKind::System, missing.to_string()))?;
    let notes = if commit.is_none() { notes(&git, &record, &tip, &opened, cancel) } else { Vec::new() };
    let id = opened.commit.id().to_owned();
    Ok(Coming::new(record, disk, base, (id, made, theirs), (By::Updated, notes)))
}

/// What is odd about the way from the pinned commit to the new one.
fn notes(git: &Git, record: &Record, tip: &Tip, opened: &Opened, cancel: &Cancel) -> Vec<String> {
    let (old, new) = (&record.now.commit, opened.commit.id());
    let follows = record.follows.as_deref().unwrap_or("the repository");
    if old == new {
        return Vec::new();
    }
    if tip.is_tag {
        return vec![format!("The tag {follows} was moved: it named another commit before.")];
    }
    match git.follows(&opened.commit, old, record.now.made, cancel) {
        Ok(true) => Vec::new(),
        Ok(false) => vec![format!(
            "The history of {follows} was rewritten: the commit that you have is not part of it any more."
        )],
        Err(error) => vec![format!("Whether the history was rewritten could not be found out. {error}")],
    }
}
