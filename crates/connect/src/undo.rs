//! Undo and redo: one change of a client's files at a time. If a file was not edited since, its original bytes are
//! restored; otherwise only our part changes.

use api::{ActionError, ErrorKind, failed};
use clients::{Entry, LARGEST, Refusal, Switched};
use files::{digest, replace_file};
use secrets::Secret;
use skills::Slot;

use super::{
    change::{Change, FileChange, folders},
    context::{ClientContext, KnownClient},
    steps::{Step, Steps},
    target::{Secrets, refused},
};
use crate::{
    file_failed,
    journal::{self, Record, Rescued, Turn},
};

/// The change that undoes the last change in effect.
pub(super) fn undo(context: &ClientContext, known: &KnownClient, secret: Secrets<'_>) -> Result<Change, ActionError> {
    let history = journal::history(&context.machine.data, &known.id);
    let nothing = || failed(ErrorKind::NotFound, format!("Nothing was changed for {} that can be undone.", known.name));
    let back = Backwards { context, known, history: &history, secret };
    for step in Steps::of(&history).done.into_iter().rev() {
        if let Some(change) = back.change(&step, &[])? {
            return Ok(change.turned(Turn::Undo(step.change)));
        }
        // A mode that someone changed since is theirs to keep, so the change before it is the last one.
        if !history.iter().filter(|record| record.change == step.by).all(|record| record.before == record.after) {
            break;
        }
    }
    Err(nothing())
}

/// The change that redoes the last undone change.
pub(super) fn redo(context: &ClientContext, known: &KnownClient, secret: Secrets<'_>) -> Result<Change, ActionError> {
    let history = journal::history(&context.machine.data, &known.id);
    let nothing = || failed(ErrorKind::NotFound, format!("Nothing was undone for {} that can be redone.", known.name));
    let step = Steps::of(&history).undone.pop().ok_or_else(nothing)?;
    let first: Vec<_> = history.iter().filter(|record| record.change == step.change).collect();
    let back = Backwards { context, known, history: &history, secret };
    back.change(&step, &first)?.map(|change| change.turned(Turn::Redo(step.change))).ok_or_else(nothing)
}

impl Change {
    fn turned(self, turn: Turn) -> Self {
        Self { turn: Some(turn), ..self }
    }
}

/// The inputs for reverting a change.
struct Backwards<'s> {
    context: &'s ClientContext,
    known: &'s KnownClient,
    history: &'s [Record],
    secret: Secrets<'s>,
}

impl Backwards<'_> {
    /// The change that reverts `step.by`; `None` if none of it is left. `again` holds the records of the change that
    /// this redoes.
    fn change(&self, step: &Step, again: &[&Record]) -> Result<Option<Change>, ActionError> {
        let (mut files, mut project) = (Vec::new(), None);
        for (index, record) in self.history.iter().enumerate().filter(|(_, record)| record.change == step.by) {
            let earlier = self.history[..index].iter().rev().find(|earlier| earlier.path == record.path);
            let direct = again.iter().filter(|again| again.path == record.path).flat_map(|again| again.direct.clone());
            let file = self.file(record, earlier, direct.collect())?;
            // A mode that someone changed since is kept, unless the file is to become narrower.
            let mode = record.mode.and_then(|before| Some((replace_file::mode(&record.path)?, before)));
            let mode = mode.filter(|(now, before)| *now == before & 0o700 || before & 0o077 == 0);
            let file =
                file.map(|file| FileChange { mode: mode.filter(|_| file.after.is_some()).or(file.mode), ..file });
            files.extend(file.filter(|file| !file.is_done()));
            project.clone_from(&record.project);
        }
        Ok((!files.is_empty()).then(|| Change::of(self.known, project, files)))
    }

    /// The change of one file, which restores the servers' entries in `direct`.
    fn file(
        &self,
        record: &Record,
        earlier: Option<&Record>,
        direct: Vec<Rescued>,
    ) -> Result<Option<FileChange>, ActionError> {
        let Self { context, known, secret, .. } = self;
        let path = &record.path;
        let current = replace_file::read(path, LARGEST as u64).map_err(file_failed)?;
        let was = earlier.and_then(|earlier| earlier.added.as_ref());
        let before = journal::before(&context.machine.data, &known.id, record, secret);
        let kept = before.is_some() == record.before.is_some();
        if kept && current.as_deref().map(digest) == record.after {
            let ours = was.map(|added| (added.entry.clone(), added.undo.clone()));
            let made =
                record.added.as_ref().or(was).map_or_else(|| record.folders.clone(), |added| added.folders.clone());
            let back = (!record.rescued.is_empty()).then(|| record.clone());
            let change = FileChange::between(path.clone(), current, before, ours, made);
            return Ok(Some(FileChange { back, direct, switched: turned(record), ..change }));
        }
        if record.before == record.after {
            // Only the mode changed, so the current contents stay.
            return Ok(
                current.map(|now| FileChange::beside_ours(path.clone(), Some(now.clone()), now, record.added.as_ref()))
            );
        }
        let refuse = |refusal: Refusal| refused(context, path, ErrorKind::Refused, refusal.to_string());
        if !record.rescued.is_empty() {
            let gone =
                "The secrets are not in the keychain any more, or it does not answer, so they cannot be put back.";
            // A value that needs escaping cannot be one that was cut out of the file.
            let plain = |secret: &Secret| !secret.expose().contains(|c: char| c.is_control() || "\"'\\".contains(c));
            let now = |parameter: &Slot| secret(parameter).filter(&plain);
            let was = before.or_else(|| journal::before_now(&context.machine.data, &known.id, record, now));
            let was = was.ok_or_else(|| refused(context, path, ErrorKind::Keychain, gone.to_owned()))?;
            return put_back(known, record, current.as_deref().unwrap_or_default(), &was).map(Some).map_err(refuse);
        }
        if !record.switched.is_empty() {
            return switched_back(known, record, current).map_err(refuse);
        }
        edited(known, record, earlier, current, direct).map_err(refuse)
    }
}

/// The switches of a change, the other way round.
fn turned(record: &Record) -> Vec<Switched> {
    let turned = |one: &Switched| Switched { name: one.name.clone(), was: one.now.clone(), now: one.was.clone() };
    record.switched.iter().map(turned).collect()
}

/// The change of a file whose switches of skills were written, and that was edited since: only those that are as they
/// were written change.
fn switched_back(
    known: &KnownClient,
    record: &Record,
    current: Option<Vec<u8>>,
) -> Result<Option<FileChange>, Refusal> {
    let (Some(current), Some(switches)) = (current, &known.row.switches) else { return Ok(None) };
    match clients::switch_back(switches, &current, &record.switched) {
        Ok(after) => {
            let change = FileChange::beside_ours(record.path.clone(), Some(current), after, record.added.as_ref());
            Ok(Some(FileChange { switched: turned(record), folders: record.folders.clone(), ..change }))
        }
        Err(Refusal::Already) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// The change of a file that was edited since: only our part changes.
fn edited(
    known: &KnownClient,
    record: &Record,
    earlier: Option<&Record>,
    current: Option<Vec<u8>>,
    direct: Vec<Rescued>,
) -> Result<Option<FileChange>, Refusal> {
    let (added, was) = (record.added.as_ref(), earlier.and_then(|earlier| earlier.added.as_ref()));
    if current.is_none() && (added.is_some() || was.is_none()) && direct.is_empty() {
        return Ok(None);
    }
    let mut after = current.clone();
    for Rescued { name, entry, .. } in record.direct.iter().rev() {
        let Some(bytes) = &after else { break };
        match clients::disconnect_as(known.row, name, bytes, entry) {
            Ok(rest) => after = Some(rest),
            Err(Refusal::Absent | Refusal::Different) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    for Rescued { name, entry, .. } in &direct {
        match clients::connect_as(known.row, name, after.as_deref(), entry) {
            Ok(plan) => after = plan.after,
            Err(Refusal::Already | Refusal::Different) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    let put = |undo, entry: &Entry| Some((entry.clone(), undo));
    let mut ours = was.map(|was| (was.entry.clone(), was.undo.clone()));
    let plan = match (added, was, &after) {
        (Some(added), Some(was), _) if added.entry == was.entry => Err(Refusal::Already),
        (Some(added), None, Some(bytes)) => clients::disconnect(known.row, bytes, Some(&added.undo)),
        (Some(added), Some(was), Some(bytes)) => clients::update(known.row, bytes, &was.entry, Some(&added.undo)),
        (None, Some(was), bytes) => clients::connect(known.row, bytes.as_deref(), &was.entry),
        (Some(_), _, None) | (None, None, _) => Err(Refusal::Already),
    };
    match plan {
        Ok(plan) => {
            ours = was.and_then(|was| put(plan.undo(), &was.entry));
            after = plan.after;
        }
        Err(Refusal::Already | Refusal::Absent) => {}
        Err(refusal) => return Err(refusal),
    }
    let made = folders(added.or(was));
    let change = FileChange::between(record.path.clone(), current, after, ours, made);
    Ok((change.before != change.after).then_some(FileChange { direct, ..change }))
}

/// The change that restores the entries from before their secrets were moved, in a file that was edited since.
fn put_back(known: &KnownClient, record: &Record, current: &[u8], was: &[u8]) -> Result<FileChange, Refusal> {
    let mut after = current.to_vec();
    for Rescued { name, entry, .. } in &record.rescued {
        after = clients::put_back(known.row, &after, name, entry, was)?;
    }
    let change = FileChange::beside_ours(record.path.clone(), Some(current.to_vec()), after, record.added.as_ref());
    Ok(FileChange { back: Some(record.clone()), ..change })
}
