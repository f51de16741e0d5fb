//! The loop as everything holds it that reads or changes the state: a change is sent to the loop, a read takes what was
//! published last and never waits.

use std::{
    io,
    ops::Deref,
    panic::Location,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread,
    time::Duration,
};

use api::{ActionError, ErrorKind, failed};
use machine::clock;
use mcp::ClientEvent;
use servers::{Observed, What};
use tokio::sync::oneshot;

use crate::{
    call_counts::CallCounts,
    change::{Act, Change, Reply},
    client_activity::LastCall,
    published::Published,
    saving::{Saver, Saving},
    state::State,
    state_loop::{Keeps, StateLoop},
    usage::Tally,
};

/// The recorded length of a name or URI of the last call, in characters.
const LONGEST: usize = 200;

/// A handle on the state. It reads as [`Published`]. The loop ends when its last handle is dropped.
#[derive(Debug, Clone)]
pub struct StateHandle {
    changes: Arc<Sender<Change>>,
    published: Arc<Published>,
    counts: Arc<CallCounts>,
    usage: Arc<Tally>,
    /// Whether a change that cannot be saved holds all the same, because the engine keeps running.
    lasts: bool,
}

impl Deref for StateHandle {
    type Target = Published;

    fn deref(&self) -> &Published {
        &self.published
    }
}

impl StateHandle {
    /// Starts the loop on a thread of its own. Its persistent parts are saved if `saves`. A change that cannot be saved
    /// holds in this run if it `lasts`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(state: State, saves: bool, lasts: bool) -> io::Result<Self> {
        let (changes, received) = mpsc::channel();
        let changes = Arc::new(changes);
        let keeps = saves.then(|| keeps(&changes, &state)).transpose()?;
        let (published, counts) = (Arc::new(Published::new(&state)), Arc::<CallCounts>::default());
        let state_loop = StateLoop { counts: Arc::clone(&counts), published: Arc::clone(&published), keeps };
        thread::Builder::new().name("loop".to_owned()).spawn(move || state_loop.run(state, &received))?;
        Ok(Self { changes, published, counts, usage: Arc::default(), lasts })
    }

    /// Changes the state and returns once the change is published and its persistent part is on the disk.
    ///
    /// # Errors
    /// When the engine has stopped, or the change cannot be saved: then it holds only until Skilltender quits.
    #[track_caller]
    pub fn change<T: Send + 'static, A: FnOnce(&mut State) -> T + Send + 'static>(
        &self,
        act: A,
    ) -> impl Future<Output = Result<T, ActionError>> + Send + use<T, A> {
        let (answered, saving) = self.send(act);
        async move {
            let value = answered.await.map_err(|_| quitting())?;
            saving.done().await.map(|()| value)
        }
    }

    /// Changes the state and returns once the change is published, with a handle that waits for the save.
    ///
    /// # Errors
    /// When the engine has stopped.
    #[track_caller]
    pub fn apply<T: Send + 'static, A: FnOnce(&mut State) -> T + Send + 'static>(
        &self,
        act: A,
    ) -> impl Future<Output = Result<(T, Saving), ActionError>> + Send + use<T, A> {
        let (answered, saving) = self.send(act);
        async move { Ok((answered.await.map_err(|_| quitting())?, saving)) }
    }

    /// As [`StateHandle::apply`], for a thread that may wait.
    ///
    /// # Errors
    /// When the engine has stopped.
    #[track_caller]
    pub fn apply_blocking<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<(T, Saving), ActionError> {
        let (answered, saving) = self.send(act);
        Ok((answered.blocking_recv().map_err(|_| quitting())?, saving))
    }

    /// As [`StateHandle::change`], for a thread that may wait, and without waiting for the save; `None` when the engine
    /// has stopped.
    #[track_caller]
    pub fn change_blocking<T: Send + 'static>(&self, act: impl FnOnce(&mut State) -> T + Send + 'static) -> Option<T> {
        self.apply_blocking(act).ok().map(|(value, _)| value)
    }

    /// Sends a change that is published at once, without waiting for it.
    #[track_caller]
    pub fn change_now(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        drop(self.send(act));
    }

    /// Sends a change that is published within a quarter of a second.
    #[track_caller]
    pub fn change_soon(&self, act: impl FnOnce(&mut State) + Send + 'static) {
        self.pass(Act::Soon(Box::new(act)));
    }

    /// Waits until every earlier change is published.
    ///
    /// # Errors
    /// When the engine has stopped.
    #[track_caller]
    pub fn flush(&self) -> impl Future<Output = Result<(), ActionError>> + Send + use<> {
        self.change(|_| ())
    }

    /// Records an observation of a server, without waiting.
    #[track_caller]
    pub fn observe(&self, server: &str, what: What) {
        self.pass(Act::Observed(Observed { server: server.to_owned(), what }));
    }

    /// Records what a client did, without waiting.
    #[track_caller]
    pub fn note(&self, event: ClientEvent) {
        match event {
            ClientEvent::Called { caller, method, target, skill, ok, .. } => {
                let about = (&*method, &*target, skill.as_deref());
                self.usage.called(&self.catalog_for(&caller), &caller.client, about, ok);
                let target = target.chars().take(LONGEST).collect();
                let call = LastCall { at: clock::now(), method, target, ok };
                // Later calls are read from the counts together with the first.
                if self.counts.count(&caller.client, call) {
                    self.pass(Act::Counted);
                }
            }
            event => self.pass(Act::Client(event)),
        }
    }

    /// Counts a call that a server answered.
    pub fn count_server(&self, server: &str) {
        self.counts.count_server(server);
    }

    /// Counts a call of this client that a server was asked for, answered or not.
    pub fn count_asked(&self, server: &str, client: &str, ok: bool, took: Duration) {
        self.usage.asked(server, client, ok, took);
    }

    /// What calls used, as far as it is not saved yet.
    pub fn usage(&self) -> &Tally {
        &self.usage
    }

    #[track_caller]
    fn send<T: Send + 'static>(
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
        self.pass(Act::Now(Box::new(act), tell));
        (answered, Saving { saved, lasts: self.lasts })
    }

    /// Sends a change. If the loop has ended, it is dropped with its reply channels, which a waiting caller notices.
    #[track_caller]
    fn pass(&self, act: Act) {
        drop(self.changes.send(Change { from: Location::caller(), act }));
    }
}

/// Creates the part that saves the state, and that reports in the state what cannot be saved.
fn keeps(changes: &Arc<Sender<Change>>, state: &State) -> io::Result<Keeps> {
    let changes = Arc::downgrade(changes);
    let saver = Saver::start(move |unsaved| {
        // If the loop has ended, the report is not needed; this weak reference does not keep the loop alive.
        let Some(changes) = changes.upgrade() else { return };
        let act = Act::Soon(Box::new(move |state| state.unsaved = unsaved));
        drop(changes.send(Change { from: Location::caller(), act }));
    })?;
    Ok(Keeps::new(saver, state))
}

/// Runs blocking work (the disk, or a keychain that prompts the user) on a thread of its own.
///
/// # Errors
/// Those of `work`, and when the engine has stopped.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| quitting())?
}

/// The answer of an engine that has stopped.
pub fn quitting() -> ActionError {
    failed(ErrorKind::System, "Skilltender is quitting, so this was not done.")
}
