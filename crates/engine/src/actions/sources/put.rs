//! Puts a version in a skill's place, as it was reviewed: kept, recorded as pending, exchanged, recorded as done.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ::skills::Entry;
use api::{ActionError, ErrorKind, Take, UpdatePlan, Wrote, failed};
use choices::FolderChoice;
use connect::file_failed;
use files::digest;
use machine::{Machine, clock};
use origins::{
    By, Disk, Files, Pending, PlaceError, Placed, Record, Spot, Version, Versions, by_digest, locked, read_files,
};
use sha2::{Digest as _, Sha256};
use sources::{
    merge::Side,
    update::{Change, FileSet, merge, result},
};
use state::blocking;

use super::{
    records::keep_origins,
    review::{Reviewed, review},
};
use crate::{
    Engine,
    actions::{
        look_again_at, root,
        wrote::{Back, wrote_all},
    },
    pages::look,
};

/// A version that may come, and what it would change.
pub(super) struct Coming {
    pub(super) record: Record,
    pub(super) by: By,
    /// The commit that comes, with its files, and when it was made; empty and 0 where there is none.
    pub(super) commit: String,
    pub(super) made: u64,
    pub(super) theirs: FileSet,
    /// What both sides began with.
    base: FileSet,
    /// The skill as it is.
    mine: FileSet,
    changes: BTreeMap<String, Change>,
    pub(super) notes: Vec<String>,
    /// The files of that commit, where `theirs` are what was made of them here.
    pub(super) came: Option<Files>,
}

impl Coming {
    /// Compares a version with the skill as it is.
    pub(super) fn new(
        record: Record,
        disk: Disk,
        base: FileSet,
        (commit, made, theirs): (String, u64, FileSet),
        (by, notes): (By, Vec<String>),
    ) -> Self {
        let mine = disk.files;
        // Going back is no merge: what was there comes back byte for byte.
        let changes = if by == By::WentBack { merge(&mine, &mine, &theirs) } else { merge(&base, &mine, &theirs) };
        Self { record, by, commit, made, theirs, base, mine, changes, notes, came: None }
    }

    /// Names exactly these three sets of files.
    fn id(&self) -> String {
        let [base, mine, theirs] = [&self.base, &self.mine, &self.theirs].map(|files| origins::digest(&locked(files)));
        format!("{:x}", Sha256::digest(format!("{} {base} {mine} {theirs}", self.commit)))
    }

    /// What names the version that comes.
    fn named(&self) -> String {
        if self.commit.is_empty() {
            by_digest(&origins::digest(self.came.as_ref().unwrap_or(&locked(&self.theirs))))
        } else {
            self.commit.clone()
        }
    }

    /// What a person is shown.
    pub(super) fn plan(&self, id: &str) -> UpdatePlan {
        let after = result(&self.mine, &self.changes, &BTreeMap::new());
        let Reviewed { files, gains, losses, findings, text_only, conflicts } =
            review(id, &self.mine, &after, &self.theirs, &self.changes);
        let skill_md = self.mine.get("SKILL.md").map(|file| ::skills::read(id, &file.bytes).name);
        UpdatePlan {
            id: self.id(),
            key: self.record.key.clone(),
            name: skill_md.unwrap_or_else(|| id.to_owned()),
            source: self.record.source(),
            from: self.record.now.named(),
            to: self.named(),
            notes: self.notes.clone(),
            files,
            gains,
            losses,
            findings,
            text_only,
            edited: locked(&self.mine) != self.record.now.came,
            conflicts,
        }
    }
}

/// A change that was made on the disk.
struct Done {
    record: Record,
    entry: Arc<Entry>,
    what: Wrote,
    /// The files as they are now, if they are others than before.
    written: Option<FileSet>,
}

/// Makes changes that were reviewed, one after the other, each as its plan says. What follows of them is read, recorded and
/// published once for all.
///
/// # Errors
/// The first one that cannot be made; those before it are made, and the error says so.
pub(super) async fn put(
    engine: &Engine,
    all: Vec<(Coming, String, BTreeMap<String, Vec<Take>>)>,
) -> Result<(), ActionError> {
    let mut agreed = Vec::new();
    for (coming, plan, answers) in all {
        let entry = engine.state().entry(&coming.record.key)?;
        if coming.id() != plan {
            return Err(changed(&entry.skill.name));
        }
        unanswered(&coming, &answers)?;
        agreed.push((coming, entry, answers));
    }
    let machine = engine.machine().clone();
    let (done, failure) = blocking(move || {
        let mut done = Vec::new();
        for (coming, entry, answers) in agreed {
            match place(&machine, coming, entry, answers) {
                Ok(one) => done.push(one),
                Err(error) => return Ok((done, Some(error))),
            }
        }
        Ok((done, None))
    })
    .await?;
    keep_origins(engine, done.iter().map(|one| one.record.clone()).collect()).await?;
    unseen(engine, &done).await?;
    let moved: Vec<_> = done.iter().filter(|one| one.written.is_some()).map(|one| one.entry.location.clone()).collect();
    look_again_at(engine, &moved).await;
    accept(engine, &done).await?;
    let names: Vec<_> = done.iter().map(|one| one.entry.skill.name.clone()).collect();
    let told = |Done { record, what, .. }: Done| (what, Some(Back::Earlier { key: record.key, at: record.now.at }));
    wrote_all(engine, done.into_iter().map(told).collect()).await;
    match failure {
        None => Ok(()),
        Some(error) if names.is_empty() => Err(error),
        Some(error) => {
            let hints = [error.hints, vec![format!("These were updated before it: {}.", names.join(", "))]].concat();
            Err(ActionError { hints, ..error })
        }
    }
}

/// Makes one change on the disk: the bytes are kept, the change is recorded as pending, the folders are exchanged, and it is
/// recorded as done.
fn place(
    machine: &Machine,
    coming: Coming,
    entry: Arc<Entry>,
    answers: BTreeMap<String, Vec<Take>>,
) -> Result<Done, ActionError> {
    let sides: BTreeMap<_, Vec<_>> =
        answers.into_iter().map(|(path, takes)| (path, takes.into_iter().map(side).collect())).collect();
    let after = result(&coming.mine, &coming.changes, &sides);
    let to = coming.named();
    let Coming { mut record, by, commit, made, theirs, mine, came, .. } = coming;
    let what = Wrote::Updated {
        skill: entry.skill.name.clone(),
        source: record.source(),
        from: record.now.named(),
        to,
        back: by == By::WentBack,
    };
    let versions = Versions::of(machine);
    let had = versions.keep(&mine).map_err(file_failed)?;
    let fetched = versions.keep(&theirs).map_err(file_failed)?;
    let (came, files) = (came.unwrap_or(fetched), versions.keep(&after).map_err(file_failed)?);
    let from = Version { files: had.clone(), ..record.now.clone() };
    let is_other = had != files;
    let to = Version { at: clock::now().max(record.now.at + 1), by, commit, made, came, files };
    if is_other {
        let name = &entry.skill.name;
        let spot = Spot::of(&entry.location).map_err(|error| not_put(name, error.into()))?;
        let Spot { location, shelter } = spot.clone();
        record.pending = Some(Pending { from: from.clone(), to: to.clone(), location, shelter });
        origins::save(machine, &record).map_err(file_failed)?;
        if let Err(error) = Placed::prepare(&spot, &mine, &after).and_then(Placed::put) {
            record.pending = None;
            origins::save(machine, &record).map_err(file_failed)?;
            return Err(not_put(name, error));
        }
    }
    record.advance(from, to);
    Ok(Done { record, entry, what, written: is_other.then_some(after) })
}

/// Imported skills that nobody has seen stay so with their new texts.
async fn unseen(engine: &Engine, done: &[Done]) -> Result<(), ActionError> {
    let digests = |files: &FileSet| {
        let texts = files.iter().filter(|(path, _)| path.rsplit('/').next() == Some("SKILL.md"));
        texts.map(|(_, file)| digest(&file.bytes)).collect::<Vec<_>>()
    };
    let new: Vec<_> = done
        .iter()
        .filter_map(|one| Some((one.entry.folder.clone(), one.entry.path.clone(), digests(one.written.as_ref()?))))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let change = move |state: &mut state::State| {
        for (folder, path, digests) in new {
            let was_seen = |choice: &mut FolderChoice| choice.was_seen(&path);
            if !state.choices.folder_mut(&folder).is_some_and(was_seen) {
                state.choices.unseen.extend(digests);
            }
        }
    };
    engine.state().change(change).await
}

/// What looks harmful in skills that are on was shown in their reviews, and answered.
async fn accept(engine: &Engine, done: &[Done]) -> Result<(), ActionError> {
    let changed = done.iter().filter(|one| one.written.is_some());
    let entries = changed.filter_map(|one| engine.state().entry(&one.record.key).ok()).filter(|entry| entry.enabled);
    let looked: Vec<_> = entries.map(|entry| (root(engine, &entry), entry)).collect();
    if looked.is_empty() {
        return Ok(());
    }
    let marks =
        move || Ok(looked.into_iter().map(|(root, entry)| (look::look(&root, &entry).marks(), entry)).collect());
    let marks: Vec<(BTreeSet<String>, Arc<Entry>)> = blocking(marks).await?;
    let change = move |state: &mut state::State| {
        for (marks, entry) in marks {
            if let Some(choice) = state.choices.folder_mut(&entry.folder) {
                choice.accept(&entry.path, marks);
            }
        }
    };
    engine.state().change(change).await
}

/// Each conflict needs an answer: nothing is decided for the person.
fn unanswered(coming: &Coming, answers: &BTreeMap<String, Vec<Take>>) -> Result<(), ActionError> {
    let missing = coming.changes.iter().find(|(path, change)| {
        let given = answers.get(*path).map_or(0, Vec::len);
        given < change.conflicts()
    });
    let Some((path, _)) = missing else { return Ok(()) };
    let message = format!("You and the update changed {path} differently, so it needs an answer.");
    let hints = vec!["Look at it, and say which side comes.".to_owned()];
    Err(ActionError { kind: ErrorKind::Refused, message, hints })
}

fn side(take: Take) -> Side {
    match take {
        Take::Mine => Side::Mine,
        Take::Theirs => Side::Theirs,
    }
}

/// The skill's files and its record.
pub(super) async fn present(engine: &Engine, key: &str) -> Result<(Record, Disk, String), ActionError> {
    let entry = engine.state().entry(key)?;
    let record = engine.state().now().origins.get(key).cloned();
    let record = record.ok_or_else(|| {
        let message = format!("Skilltender did not fetch {}, so it knows no source of it.", entry.skill.name);
        failed(ErrorKind::NotFound, message)
    })?;
    let (location, known) = (entry.location.clone(), record.now.files.clone());
    let read = move || read_files(&location, &known).map_err(|error| failed(ErrorKind::System, error.to_string()));
    let disk = blocking(read).await?;
    Ok((record, disk, entry.skill.id.clone()))
}

fn not_put(name: &str, error: PlaceError) -> ActionError {
    match error {
        PlaceError::Changed => changed(name),
        PlaceError::Write(error) => file_failed(error),
        PlaceError::Disk(error) => failed(ErrorKind::System, error.to_string()),
        PlaceError::Name(_) => failed(ErrorKind::Refused, error.to_string()),
    }
}

fn changed(name: &str) -> ActionError {
    let message = format!("{name} or its source changed since it was shown, so nothing was changed.");
    ActionError { kind: ErrorKind::Changed, message, hints: vec!["Look at it again.".to_owned()] }
}
