//! State changes: callers send closures to the loop, and are notified when a change is published and saved.

use std::{
    io,
    sync::{Arc, mpsc::Sender},
};

use api::{ActionError, ErrorKind, failed};
use servers::{Observed, What};
use state::{
    Change, Keeps, Reply, State,
    saving::{Saver, Saving},
};
use tokio::sync::oneshot;

use super::Engine;

impl Engine {
    /// Changes the state and returns once the change is published and its persistent part is on the disk.
    ///
    /// # Errors
    /// When the engine has stopped, or the change cannot be saved: then it holds only until Skilltender quits.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, ActionError> {
        let (value, saving) = self.apply(act).await?;
        saving.done().await.map(|()| value)
    }

    /// Changes the state and returns once the change is published, with a handle that waits for the save.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub(crate) async fn apply<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<(T, Saving), ActionError> {
        let (answered, saving) = self.ask(act);
        Ok((answered.await.map_err(|_| quitting())?, saving))
    }

    /// As [`Engine::apply`], for a thread that may wait.
    ///
    /// # Errors
    /// When the engine has stopped.
    pub(crate) fn apply_here<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<(T, Saving), ActionError> {
        let (answered, saving) = self.ask(act);
        Ok((answered.blocking_recv().map_err(|_| quitting())?, saving))
    }

    /// Changes the state on a thread that may wait, and returns once the change is published; `None` when the engine
    /// has stopped.
    pub(crate) fn change_here<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Option<T> {
        self.apply_here(act).ok().map(|(value, _)| value)
    }

    pub(super) fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> (oneshot::Receiver<T>, Saving) {
        let (answer, answered) = oneshot::channel();
        let (tell, saved) = oneshot::channel();
        let act = move |state: &mut State| -> Reply {
            let value = act(state);
            // The caller may have stopped waiting.
            Box::new(move || drop(answer.send(value)))
        };
        // If the loop has ended, the change is dropped along with its reply channels, which the waiting caller notices.
        drop(self.inner.changes.send(Change::Now(Box::new(act), tell)));
        (answered, Saving { saved, lasts: self.inner.alone.is_none() })
    }

    /// Changes the state without waiting; the change is published within a quarter of a second.
    pub(crate) fn tell(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        // If the loop has ended, there is no state left to change.
        drop(self.inner.changes.send(Change::Soon(Box::new(act))));
    }

    /// Records an observation of a server, without waiting.
    pub(crate) fn observe(&self, server: &str, what: What) {
        let observed = Observed { server: server.to_owned(), what };
        self.tell(move |state| {
            // Only what it advertises has an answer, and that is waited for.
            let _held = state.servers.observe(observed);
        });
    }
}

/// Creates the part that saves the state, and that reports in the state what cannot be saved.
pub(super) fn keeps(changes: &Arc<Sender<Change>>, state: &State) -> io::Result<Keeps> {
    let changes = Arc::downgrade(changes);
    let saver = Saver::start(move |unsaved| {
        // If the loop has ended, the report is not needed; this weak reference does not keep the loop alive.
        let Some(changes) = changes.upgrade() else { return };
        drop(changes.send(Change::Soon(Box::new(move |state| state.unsaved = unsaved))));
    })?;
    Ok(Keeps::new(saver, state))
}

fn quitting() -> ActionError {
    failed(ErrorKind::System, "Skilltender is quitting, so this was not done.")
}
