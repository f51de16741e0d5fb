//! The loop: one owner of the state, one publisher, one writer of the choices.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use crate::{
    choices::Choices,
    seen::Keeper,
    snapshot::{Basis, Published},
    state::State,
    store,
    tally::Tally,
};

/// What may wait, such as a count of calls, is published this much later at most.
const SOON: Duration = Duration::from_millis(250);

/// What is to be done once the change is published.
pub(crate) type Reply = Box<dyn FnOnce() + Send>;

/// Something that changes the state.
pub(crate) enum Change {
    /// Published at once; the reply goes out afterwards.
    Now(Box<dyn FnOnce(&mut State) -> Reply + Send>),
    /// Published within [`SOON`].
    Soon(Box<dyn FnOnce(&mut State) + Send>),
}

/// The loop, with what it needs to publish and to save.
pub(crate) struct Desk {
    /// Calls of clients that the state does not know of yet.
    pub(crate) tally: Arc<Tally>,
    pub(crate) published: Arc<Published>,
    pub(crate) basis: Basis,
    pub(crate) saved: Choices,
    /// The file of the choices, for an engine that may write.
    pub(crate) saves: Option<PathBuf>,
    /// What was seen of clients, for an engine that may write.
    pub(crate) keeper: Option<Keeper>,
    /// Why they could not be written, as it was said last: once, so that it can be put away.
    pub(crate) trouble: Option<String>,
}

impl Desk {
    pub(crate) fn run(mut self, mut state: State, changes: &Receiver<Change>) {
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
            let mut replies = Vec::new();
            for change in first.into_iter().chain(changes.try_iter()) {
                match change {
                    Change::Now(act) => replies.push(act(&mut state)),
                    Change::Soon(act) => {
                        act(&mut state);
                        due.get_or_insert_with(|| Instant::now() + SOON);
                    }
                }
            }
            if replies.is_empty() && due.is_some_and(|due| due > Instant::now()) {
                continue;
            }
            due = None;
            self.tally.tell(&mut state);
            self.save(&mut state);
            self.keep(&state);
            self.published.publish(&state, &mut self.basis);
            replies.into_iter().for_each(|reply| reply());
        }
    }

    fn keep(&mut self, state: &State) {
        let Some(keeper) = &mut self.keeper else { return };
        if state.ending { keeper.finish(state) } else { keeper.keep(state) }
    }

    fn save(&mut self, state: &mut State) {
        const NOTICE: &str = "choices-not-saved";
        let Some(path) = self.saves.as_ref().filter(|_| self.saved != state.choices) else { return };
        match store::save(path, &state.choices) {
            Ok(()) => {
                self.saved = state.choices.clone();
                self.trouble = None;
                state.notices.retain(|notice| notice.id != NOTICE);
            }
            Err(error) => {
                let trouble = format!("Your choices hold only until you quit: {error}");
                if self.trouble.as_ref() != Some(&trouble) {
                    state.notice(NOTICE, &trouble);
                    self.trouble = Some(trouble);
                }
            }
        }
    }
}
