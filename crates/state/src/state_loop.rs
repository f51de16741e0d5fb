//! The loop: the only owner of the state and the only publisher. It never waits and writes no file: [`Saver`] writes
//! the persistent parts.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use choices::{Choices, Tracked, values};
use files::store;
use machine::waiting;
use servers::{AdoptedServers, Approvals};
use skills::Slot;
use tokio::sync::oneshot;
use tracing::{Level, enabled};

use crate::{
    call_counts::CallCounts,
    change::{Act, Change},
    client_activity::{self, Keeper},
    published::Published,
    saving::{Part, Saved, Saver},
    state::State,
};

/// The maximum delay for publishing changes that can wait, such as a count of calls.
const SOON: Duration = Duration::from_millis(250);

/// The loop, with what it needs for publishing and saving.
pub(crate) struct StateLoop {
    /// Calls of clients that are not counted in the state yet.
    pub(crate) counts: Arc<CallCounts>,
    pub(crate) published: Arc<Published>,
    /// Present in an engine that may write.
    pub(crate) keeps: Option<Keeps>,
}

/// The parts of the state that are on the disk or being written.
pub(crate) struct Keeps {
    saver: Saver,
    data: PathBuf,
    choices: Tracked<Choices>,
    values: Tracked<BTreeMap<Slot, String>>,
    approvals: Arc<Approvals>,
    adopted: Arc<AdoptedServers>,
    seen: Keeper,
}

impl StateLoop {
    pub(crate) fn run(mut self, mut state: State, changes: &Receiver<Change>) {
        waiting::never_here();
        let mut due: Option<Instant> = None;
        loop {
            let received = match due {
                None => changes.recv().map_err(RecvTimeoutError::from),
                Some(due) => changes.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let first = match received {
                Ok(change) => Some(change),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let (mut replies, mut saved) = (Vec::new(), Vec::new());
            for Change { from, act } in first.into_iter().chain(changes.try_iter()) {
                let before = enabled!(Level::DEBUG).then(|| (format!("{act:?}"), state.clone()));
                match act {
                    Act::Now(act, tell) => {
                        let before = Lent::of(&state);
                        replies.push(act(&mut state));
                        saved.push((before.changed(&state), tell));
                    }
                    other => {
                        state.apply(other);
                        due.get_or_insert_with(|| Instant::now() + SOON);
                    }
                }
                if let Some((act, before)) = before {
                    tracing::debug!(%from, act, changed = ?state.changed_since(&before));
                }
            }
            if replies.is_empty() && due.is_some_and(|due| due > Instant::now()) {
                continue;
            }
            due = None;
            self.counts.add_to(&mut state);
            if let Some(keeps) = &mut self.keeps {
                keeps.keep(&state);
            }
            self.published.publish(&state);
            replies.into_iter().for_each(|reply| reply());
            saved.into_iter().for_each(|(parts, tell)| self.answer(&state, parts, tell));
        }
    }

    /// Reports the result of saving these parts; of all parts when the engine is about to stop.
    fn answer(&self, state: &State, parts: Vec<Part>, tell: oneshot::Sender<Saved>) {
        match &self.keeps {
            Some(keeps) if state.ending || !parts.is_empty() => keeps.saver.answer(parts, tell),
            // The caller may have stopped waiting.
            _ => drop(tell.send(Ok(()))),
        }
    }
}

impl Keeps {
    /// Takes the current state as saved.
    pub(crate) fn new(saver: Saver, state: &State) -> Self {
        Self {
            saver,
            data: state.machine.data.clone(),
            choices: state.choices.clone(),
            values: state.given.values.clone(),
            approvals: Arc::clone(&state.servers.approvals),
            adopted: Arc::clone(&state.servers.adopted),
            seen: Keeper::new(state.seen()),
        }
    }

    /// Saves the parts that changed.
    fn keep(&mut self, state: &State) {
        if self.choices != state.choices {
            self.choices = state.choices.clone();
            let (path, choices) = (choices::file(&state.machine), self.choices.clone());
            self.saver.write(Part::Choices, Box::new(move || store::save(&path, &*choices)));
        }
        if self.values != state.given.values {
            self.values = state.given.values.clone();
            let (path, given) = (self.data.join(values::FILE), self.values.clone());
            self.saver.write(Part::Values, Box::new(move || values::save(&path, &given)));
        }
        if !Arc::ptr_eq(&self.approvals, &state.servers.approvals) {
            self.approvals = Arc::clone(&state.servers.approvals);
            let (path, approvals) = (self.data.join(servers::FILE), Arc::clone(&self.approvals));
            self.saver.write(Part::Approvals, Box::new(move || approvals.save(&path)));
        }
        if !Arc::ptr_eq(&self.adopted, &state.servers.adopted) {
            self.adopted = Arc::clone(&state.servers.adopted);
            let (path, adopted) = (self.data.join(servers::ADOPTED), Arc::clone(&self.adopted));
            self.saver.write(Part::Adopted, Box::new(move || adopted.save(&path)));
        }
        let news = if state.ending { self.seen.finish(state.seen()) } else { self.seen.keep(state.seen()) };
        if let Some(news) = news {
            let path = self.data.join(client_activity::FILE);
            self.saver.write(Part::Seen, Box::new(move || client_activity::save(&path, &news)));
        }
    }
}

/// The versions of the saved parts at one moment.
struct Lent {
    choices: u64,
    values: u64,
    approvals: Arc<Approvals>,
    adopted: Arc<AdoptedServers>,
}

impl Lent {
    fn of(state: &State) -> Self {
        Self {
            choices: state.choices.lent(),
            values: state.given.values.lent(),
            approvals: Arc::clone(&state.servers.approvals),
            adopted: Arc::clone(&state.servers.adopted),
        }
    }

    /// The parts that were borrowed mutably since.
    fn changed(&self, state: &State) -> Vec<Part> {
        let parts = [
            (Part::Choices, self.choices != state.choices.lent()),
            (Part::Values, self.values != state.given.values.lent()),
            (Part::Approvals, !Arc::ptr_eq(&self.approvals, &state.servers.approvals)),
            (Part::Adopted, !Arc::ptr_eq(&self.adopted, &state.servers.adopted)),
        ];
        parts.into_iter().filter_map(|(part, lent)| lent.then_some(part)).collect()
    }
}

#[cfg(test)]
mod tests;
