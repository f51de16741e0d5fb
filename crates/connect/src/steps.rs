//! Which changes of a client's files are in effect, and which were undone, from the journal.

use api::LastChange;

use super::context::{ClientContext, KnownClient};
use crate::journal::{self, Record, Turn};

/// A change by its name, and the name of the latest change that applied it: the change itself, its undo or its redo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) change: String,
    pub(super) by: String,
}

/// The changes in effect and those that were undone, the last one last.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) done: Vec<Step>,
    pub(super) undone: Vec<Step>,
}

impl Steps {
    /// The steps of a client's history. A record that changed neither bytes nor mode is not a step.
    pub(super) fn of(history: &[Record]) -> Self {
        let mut steps = Self::default();
        let mut last: Option<&str> = None;
        for record in history.iter().filter(|record| record.before != record.after || record.mode.is_some()) {
            let by = record.change.clone();
            // A change of several files has one record per file.
            if last.replace(&record.change) == Some(&record.change) {
                continue;
            }
            match &record.turn {
                None if record.back => steps.done.clear(),
                None => {
                    steps.undone.clear();
                    steps.done.push(Step { change: by.clone(), by });
                }
                Some(Turn::Undo(change)) => {
                    steps.done.retain(|step| step.change != *change);
                    let change = change.clone();
                    steps.undone.extend((!record.back).then_some(Step { change, by }));
                }
                Some(Turn::Redo(change)) => {
                    steps.undone.retain(|step| step.change != *change);
                    steps.done.push(Step { change: change.clone(), by });
                }
            }
        }
        steps
    }
}

/// The change that `undo` would take back, and the one that `redo` would apply again.
pub(super) fn last_changes(context: &ClientContext, known: &KnownClient) -> (Option<LastChange>, Option<LastChange>) {
    let history = journal::history(&context.machine.data, &known.id);
    let Steps { done, undone } = Steps::of(&history);
    let told = |step: Option<&Step>| {
        let step = step?;
        let record = history.iter().find(|record| record.change == step.change)?;
        let moved = record.rescued.iter().map(|rescued| rescued.secrets).sum::<usize>();
        let moved = u32::try_from(moved).unwrap_or(u32::MAX);
        let switched = u32::try_from(record.switched.len()).unwrap_or(u32::MAX);
        Some(LastChange { time: record.time, added: record.added.is_some(), moved, switched })
    };
    (told(done.last()), told(undone.last()))
}
