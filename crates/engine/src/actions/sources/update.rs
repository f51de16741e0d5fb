//! Updates, as reviews and as their making: of one skill, or of many at once.

use std::collections::BTreeMap;

use api::{ActionError, AgreedUpdate, Answers, ErrorKind, UpdatePlan, failed};
use fetch::{Cancel, Repositories, Tip};
use machine::Machine;
use origins::{By, Disk, Record, Versions, by_digest, digest, locked};
use sources::{LockedSkill, update::FileSet};
use state::blocking;

use super::{
    held::Held,
    locks::refuse_other,
    opened::{Opened, open, refuse, repositories},
    put::{Coming, present, put},
    way::notes,
};
use crate::{Engine, actions::writing};

/// What updating a skill to what its source has would change: at its newest commit as it was asked last, else as it is
/// now. Nothing changes.
///
/// # Errors
/// When the skill has no source, the source cannot be reached, or has the skill no more.
pub async fn plan_update(engine: &Engine, key: &str) -> Result<UpdatePlan, ActionError> {
    one(plan_updates(engine, &[key.to_owned()]).await?)
}

/// The same for several skills; what they have in common is read once.
///
/// # Errors
/// As [`plan_update`], for the first skill that has one.
pub async fn plan_updates(engine: &Engine, keys: &[String]) -> Result<Vec<UpdatePlan>, ActionError> {
    let wanted = keys.iter().map(|key| (key.clone(), None)).collect();
    Ok(coming(engine, wanted).await?.iter().map(|(coming, id)| coming.plan(id)).collect())
}

/// What putting the version of this commit in place would change, if its files are those of the lock.
pub(super) async fn plan_to(
    engine: &Engine,
    key: &str,
    commit: Option<String>,
    (name, skill): (&str, &LockedSkill),
) -> Result<UpdatePlan, ActionError> {
    let wanted = vec![(key.to_owned(), commit)];
    let coming = coming(engine, wanted).await?;
    coming.iter().try_for_each(|(coming, _)| refuse_other(skill, name, &coming.theirs))?;
    one(coming.iter().map(|(coming, id)| coming.plan(id)).collect())
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
    let (key, commit, plan) = (key.to_owned(), commit.to_owned(), plan.to_owned());
    update_skills(engine, vec![AgreedUpdate { key, commit, plan, answers }]).await
}

/// The same for several skills, one after the other.
///
/// # Errors
/// As [`update_skill`], for the first skill that has one; those before it are updated, and the error says so.
pub async fn update_skills(engine: &Engine, agreed: Vec<AgreedUpdate>) -> Result<(), ActionError> {
    writing(engine)?;
    let wanted = agreed.iter().map(|one| (one.key.clone(), Some(one.commit.clone()))).collect();
    let coming = coming(engine, wanted).await?;
    let all =
        coming.into_iter().zip(agreed).map(|((coming, _), AgreedUpdate { plan, answers, .. })| (coming, plan, answers));
    put(engine, all.collect()).await
}

fn one(plans: Vec<UpdatePlan>) -> Result<UpdatePlan, ActionError> {
    plans.into_iter().next().ok_or_else(|| failed(ErrorKind::NotFound, "There is no such skill any more."))
}

/// Reads skills, each with the commit that was named, and what their sources have.
async fn coming(engine: &Engine, wanted: Vec<(String, Option<String>)>) -> Result<Vec<(Coming, String)>, ActionError> {
    let mut skills = Vec::new();
    for (key, commit) in wanted {
        let (record, disk, id) = present(engine, &key).await?;
        skills.push((record, disk, id, commit));
    }
    let (machine, cancel) = (engine.machine().clone(), engine.cancel());
    blocking(move || {
        let records: Vec<_> = skills.iter().map(|(record, ..)| record.clone()).collect();
        let from = records.iter().any(Record::is_of_git).then(|| repositories(&machine)).transpose()?;
        let mut at = At { machine: &machine, cancel: &cancel, opened: BTreeMap::new(), tips: BTreeMap::new() };
        let one = |(record, disk, id, commit): (Record, Disk, String, Option<String>)| {
            let coming = match &from {
                Some(from) if record.is_of_git() => at.compare(from, record, disk, commit.as_deref(), &records)?,
                _ => at.compare_other(record, disk, commit.as_deref(), &records)?,
            };
            Ok((coming, id))
        };
        skills.into_iter().map(one).collect()
    })
    .await
}

/// What was read of sources so far.
struct At<'m> {
    machine: &'m Machine,
    cancel: &'m Cancel,
    /// By address and commit, which is empty for what is no repository.
    opened: BTreeMap<(String, String), Opened>,
    /// By address and what is followed.
    tips: BTreeMap<String, Tip>,
}

impl At<'_> {
    /// What the source has, compared with what came and what is here. A commit that was looked at is here already.
    fn compare(
        &mut self,
        from: &Repositories,
        record: Record,
        disk: Disk,
        commit: Option<&str>,
        all: &[Record],
    ) -> Result<Coming, ActionError> {
        let kept = |commit: &str| from.kept(&record.address, commit).is_some();
        let asked = record.newest.clone().filter(|newest| record.is_outdated() && kept(&newest.commit));
        let at = |commit: &str| Tip { reference: commit.to_owned(), commit: commit.to_owned(), is_tag: false };
        let (tip, odd) = match (commit, asked) {
            (Some(commit), _) => (at(commit), Some(Vec::new())),
            (None, Some(newest)) => (at(&newest.commit), Some(newest.notes)),
            (None, None) => (self.tip(from, &record)?, None),
        };
        let place = (record.address.clone(), tip.commit.clone());
        if !self.opened.contains_key(&place) {
            let mut opened = Opened::at(from, &record, &tip, self.cancel)?;
            let same = all.iter().filter(|other| other.address == record.address);
            if same.clone().count() > 1 {
                opened.read_ahead(same, self.cancel);
            }
            self.opened.insert(place.clone(), opened);
        }
        let opened = self.opened[&place].inside(&record.inside);
        let theirs = opened.one_skill(self.cancel)?;
        let notes = match (&opened.held, odd) {
            (Held::Commit(commit), None) => notes(from, &record, &tip, commit, self.cancel),
            (_, odd) => odd.unwrap_or_default(),
        };
        let made = opened.held.made(self.cancel)?;
        let base = self.base(&record)?;
        let id = opened.held.commit().to_owned();
        Ok(Coming::new(record, disk, base, (id, made, theirs), (By::Updated, notes)))
    }

    /// The same of what is no repository. What was looked at last is here already, if its files are those that were named.
    fn compare_other(
        &mut self,
        record: Record,
        disk: Disk,
        named: Option<&str>,
        all: &[Record],
    ) -> Result<Coming, ActionError> {
        let place = (record.address.clone(), String::new());
        let same = || all.iter().filter(|other| other.address == record.address);
        if !self.opened.contains_key(&place) {
            let ready = |mut opened: Opened| {
                opened.read_ahead(same(), self.cancel);
                opened
            };
            let is_named = |opened: &Opened| {
                let files = opened.inside(&record.inside).one_skill(self.cancel);
                files.is_ok_and(|files| named == Some(&by_digest(&digest(&locked(&files)))))
            };
            let latest = named.and_then(|_| Opened::latest(self.machine, &record.address, self.cancel)).map(ready);
            let opened = match latest.filter(is_named) {
                Some(latest) => latest,
                None => {
                    let only: Vec<_> = same().map(|record| record.inside.clone()).collect();
                    ready(open(self.machine, &record.address, None, Some(&only), self.cancel)?)
                }
            };
            self.opened.insert(place.clone(), opened);
        }
        let theirs = self.opened[&place].inside(&record.inside).one_skill(self.cancel)?;
        let base = self.base(&record)?;
        Ok(Coming::new(record, disk, base, (String::new(), 0, theirs), (By::Updated, Vec::new())))
    }

    /// The files of a skill as they came.
    fn base(&self, record: &Record) -> Result<FileSet, ActionError> {
        let base = Versions::of(self.machine).read(&record.now.came);
        base.map_err(|missing| failed(ErrorKind::System, missing.to_string()))
    }

    fn tip(&mut self, from: &Repositories, record: &Record) -> Result<Tip, ActionError> {
        if let Some(tip) = self.tips.get(&record.followed()) {
            return Ok(tip.clone());
        }
        let tip = from.tip(&record.address, record.follows.as_deref(), self.cancel);
        let tip = tip.map_err(|error| refuse(&error))?;
        self.tips.insert(record.followed(), tip.clone());
        Ok(tip)
    }
}
