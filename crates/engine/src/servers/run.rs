//! One server while it runs: started, looked at, listened to, stopped when nobody calls it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use mcp::{Listed, Upstream, UpstreamError};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, sleep_until, timeout},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    Approvals, Form, Pinned, Said,
    approvals::Words,
    start::{self, Started, Trouble},
};
use crate::{
    Engine,
    child::{Child, Log},
    clock,
    view::ServerState,
    waiting::{Mutex, MutexGuard},
};

/// A server that nobody has called for so long is stopped; the next call starts it again.
const IDLE: Duration = Duration::from_mins(10);
/// How long a server may take to list its prompts while its first caller waits.
const PROMPTS: Duration = Duration::from_secs(5);
/// How long it may take to list its tools.
const TOOLS: Duration = Duration::from_secs(60);
/// How often what it writes is told of.
const TELLING: Duration = Duration::from_millis(250);

/// Where one run of a server stands, for those who wait for it.
#[derive(Clone)]
pub(super) enum Phase {
    /// It was not heard of yet.
    Starting,
    /// It answers.
    Up(Upstream),
    /// It answers, and a person has to look at what it says of itself first.
    Held,
    /// It is over; with the reason where it did not end because we wanted it to.
    Over(Option<Trouble>),
}

/// What a run and those who use it share.
pub(super) struct Shared {
    pub(super) form: Form,
    pub(super) phase: watch::Sender<Phase>,
    /// Whether it is to end. Whoever calls it hears so at once.
    pub(super) stop: CancellationToken,
    /// Cancelled once nothing of it is left.
    ended: CancellationToken,
    log: Mutex<Option<Log>>,
    /// Calls under way.
    busy: AtomicU32,
    /// When the last call ended.
    used: Mutex<Instant>,
}

impl Shared {
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            phase: watch::Sender::new(Phase::Starting),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            log: Mutex::default(),
            busy: AtomicU32::new(0),
            used: Mutex::new(Instant::now()),
        }
    }

    /// Whether it has not ended and is not told to.
    pub(super) fn goes_on(&self) -> bool {
        !self.stop.is_cancelled() && !matches!(*self.phase.borrow(), Phase::Over(_))
    }

    /// Waits until nothing of it is left and what came of it is told.
    pub(super) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// It lasts as long as what is returned.
    pub(super) fn lasts(&self) -> DropGuard {
        self.ended.clone().drop_guard()
    }

    /// What it wrote, with the time of each line.
    pub(super) fn lines(&self) -> Vec<(u64, String)> {
        self.log().as_ref().map(Log::lines).unwrap_or_default()
    }

    /// Counts a call until it is dropped.
    pub(super) fn call(self: &Arc<Self>) -> Calling {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Calling(Arc::clone(self))
    }

    fn log(&self) -> MutexGuard<'_, Option<Log>> {
        self.log.lock()
    }

    /// When it has been idle for long enough; `None` while somebody calls it.
    fn idle_at(&self) -> Option<Instant> {
        let used = *self.used.lock();
        (self.busy.load(Ordering::Relaxed) == 0).then(|| used + IDLE)
    }
}

/// A call under way.
pub(super) struct Calling(Arc<Shared>);

impl Drop for Calling {
    fn drop(&mut self) {
        *self.0.used.lock() = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs a server until it ends, is told to, or nobody needs it, and returns when nothing of it is left. Once it runs, the
/// engine is not kept alive by it.
pub(super) async fn run(engine: Engine, shared: &Arc<Shared>) {
    let alive = engine.while_it_lives();
    let trouble = match begin(&engine, shared).await {
        Ok(started) => serve(engine, shared, started).await,
        Err(trouble) => {
            drop(engine);
            trouble
        }
    };
    match alive() {
        Some(engine) => over(&engine, shared, trouble),
        None => drop(shared.phase.send_replace(Phase::Over(trouble))),
    }
}

/// Starts it and looks at what it has.
///
/// # Errors
/// Why it does not run; `None` where it was told to end meanwhile, or a person took back what they agreed to.
async fn begin(engine: &Engine, shared: &Arc<Shared>) -> Result<Started, Option<Trouble>> {
    let name = &shared.form.name;
    // Who takes an agreement back ends the runs that are there: one that began just then must see it by itself.
    if shared.stop.is_cancelled() || engine.agreed(name).map(|want| want.form) != Ok(Ok(shared.form.clone())) {
        return Err(None);
    }
    tell(engine, name, ServerState::Starting { since: clock::now() });
    let mut hold = |child: &Child| drop(shared.log().replace(child.log.clone()));
    let started = start::start(engine, &shared.form, &shared.stop, &mut hold).await?;
    match shared.stop.run_until_cancelled(look(engine, shared, &started.upstream)).await {
        Some(Ok(())) => Ok(started),
        looked => {
            drop(started.upstream);
            if let Some(child) = started.child {
                child.stop().await;
            }
            Err(looked.and_then(Result::err))
        }
    }
}

/// Listens to it until it is over, and says why, where nobody wanted that.
async fn serve(engine: Engine, shared: &Arc<Shared>, started: Started) -> Option<Trouble> {
    let Started { upstream, mut child, signed_in } = started;
    let (name, alive) = (shared.form.name.clone(), engine.while_it_lives());
    if !signed_in {
        wants_sign_in(&engine, &shared.form, false);
    }
    let about = upstream.about().clone();
    let process = child.as_ref().map(Child::id);
    tell_about(&engine, &name, move |run| {
        run.about = Some(about);
        run.stage = ServerState::Running { since: clock::now(), process };
    });
    let mut changes = upstream.changes();
    // Nobody waits for these, and they end with the run.
    let mut kept = JoinSet::new();
    let mut listing = kept.spawn(list_resources(engine.while_it_lives(), name.clone(), upstream.clone()));
    let watched = engine.gateway().watched().clone();
    kept.spawn(watched.clone().follow(name.clone(), upstream.clone()));
    let mut lines = child.as_ref().map(|child| child.log.changes());
    drop(engine);
    let trouble = loop {
        let idle_at = shared.idle_at();
        tokio::select! {
            () = shared.stop.cancelled() => break None,
            ending = ended(&mut child, &upstream) => break Some(match ending {
                Trouble::Failed(ending) => Trouble::Failed(format!("{name} ended by itself. {ending}")),
                Trouble::SignIn => Trouble::SignIn,
            }),
            Ok(()) = changes.changed() => {
                let Some(engine) = alive() else { break None };
                match shared.stop.run_until_cancelled(look(&engine, shared, &upstream)).await {
                    Some(Ok(())) => {}
                    looked => break looked.and_then(Result::err),
                }
                listing.abort();
                while kept.try_join_next().is_some() {}
                listing = kept.spawn(list_resources(engine.while_it_lives(), name.clone(), upstream.clone()));
            }
            () = wrote(&mut lines) => {
                let Some(engine) = alive() else { break None };
                let now = lines.as_ref().map_or(0, |lines| *lines.borrow());
                tell_about(&engine, &name, move |run| run.lines = now);
                drop(engine);
                sleep(TELLING).await;
            }
            () = idle(idle_at) => {
                if watched.is_of(&name) {
                    drop(shared.call());
                } else if shared.idle_at().is_some_and(|at| at <= Instant::now()) {
                    break None;
                }
            }
        }
    };
    // Whoever comes now must not be given a server that ends.
    shared.phase.send_replace(Phase::Over(trouble.clone()));
    kept.shutdown().await;
    drop(upstream);
    if let Some(child) = child {
        child.stop().await;
    }
    trouble
}

/// Waits until a server ends by itself, and says how.
async fn ended(child: &mut Option<Child>, upstream: &Upstream) -> Trouble {
    Trouble::Failed(match child {
        Some(child) => tokio::select! {
            ending = child.ended() => ending.to_string(),
            why = upstream.closed() => {
                // A process says more of its end than that its output ended.
                let ending = timeout(Duration::from_secs(1), child.ended()).await;
                ending.map_or_else(|_| format!("{why}."), |ending| ending.to_string())
            }
        },
        None => match upstream.closed().await {
            UpstreamError::SignIn => return Trouble::SignIn,
            why => format!("{why}."),
        },
    })
}

async fn wrote(lines: &mut Option<watch::Receiver<u64>>) {
    let Some(lines) = lines else { return std::future::pending().await };
    if lines.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn idle(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        // A call under way ends at some time; then there is a new one to wait for.
        None => sleep(Duration::from_secs(5)).await,
    }
}

/// Tells what came of it: nobody but a run says how its server stands.
fn over(engine: &Engine, shared: &Shared, trouble: Option<Trouble>) {
    let name = &shared.form.name;
    let stage = match &trouble {
        None | Some(Trouble::SignIn) => ServerState::Resting,
        Some(Trouble::Failed(message)) => match engine.gateway().crashed(name) {
            Some(message) => ServerState::Stopped { message },
            None => ServerState::Down { message: message.clone() },
        },
    };
    if trouble == Some(Trouble::SignIn) {
        wants_sign_in(engine, &shared.form, true);
    }
    tell(engine, name, stage);
    shared.phase.send_replace(Phase::Over(trouble));
}

/// Remembers whether a server wants its person to sign in, so that it is known before it runs the next time.
fn wants_sign_in(engine: &Engine, form: &Form, wants: bool) {
    let form = form.clone();
    engine.tell(move |state| {
        let mut approvals = Approvals::clone(&state.servers.approvals);
        if approvals.want_sign_in(&form, wants) {
            state.servers.approvals = Arc::new(approvals);
        }
    });
}

fn tell(engine: &Engine, name: &str, stage: ServerState) {
    tell_about(engine, name, move |run| run.stage = stage);
}

fn tell_about(engine: &Engine, name: &str, act: impl FnOnce(&mut super::Run) + Send + 'static) {
    let name = name.to_owned();
    engine.tell(move |state| act(state.servers.runs.entry(name).or_default()));
}

/// Asks what it has and compares that with what the person has seen. What is first seen counts as seen: it comes with
/// the server that was agreed to. What is said otherwise holds the server back until somebody has looked.
async fn look(engine: &Engine, shared: &Shared, upstream: &Upstream) -> Result<(), Trouble> {
    let name = shared.form.name.clone();
    let tools = timeout(TOOLS, upstream.tools()).await.unwrap_or(Err(UpstreamError::Silent));
    let tools = tools.map_err(|error| match error {
        UpstreamError::SignIn => Trouble::SignIn,
        error => Trouble::Failed(format!("{name} does not say which tools it has: {error}.")),
    })?;
    let prompts = timeout(PROMPTS, upstream.prompts()).await.unwrap_or(Err(UpstreamError::Silent));
    let prompts = prompts.inspect_err(|error| tracing::debug!("{name} does not say which prompts it has: {error}"));
    let pinned = |listed: Vec<Listed>| listed.iter().map(Pinned::of).collect();
    // Its tools can be used without its prompts.
    let said = Said { tools: pinned(tools), prompts: prompts.ok().map(pinned) };
    let (form, left_out) = (shared.form.clone(), upstream.left_out());
    // It does not wait for the disk.
    let looked = engine.apply(move |state| {
        let approvals = &state.servers.approvals;
        let words = approvals.about_words(&form, &said);
        if words == Words::New {
            let mut pinned = Approvals::clone(approvals);
            pinned.pin(&form, said.clone());
            state.servers.approvals = Arc::new(pinned);
        }
        let held = words == Words::Other;
        let run = state.servers.runs.entry(form.name).or_default();
        (run.changed, run.left_out) = (held.then_some(said), left_out);
        held
    });
    let (held, _) = looked.await.map_err(|error| error.message)?;
    let phase = if held { Phase::Held } else { Phase::Up(upstream.clone()) };
    shared.phase.send_replace(phase);
    Ok(())
}

/// Asks for the resources. A server that does not say which it has keeps those that it said before.
async fn list_resources(alive: impl Fn() -> Option<Engine>, name: String, upstream: Upstream) {
    match upstream.resources().await {
        Ok(resources) => {
            let Some(engine) = alive() else { return };
            let left_out = upstream.left_out();
            tell_about(&engine, &name, move |run| {
                (run.resources, run.left_out) = (Some(Arc::new(resources)), left_out);
            });
        }
        Err(error) => tracing::debug!("{name} does not say which resources it has: {error}"),
    }
}
