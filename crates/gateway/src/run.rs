//! The life of one server: starting, checking what it advertises, listening to it, stopping it when idle.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use api::ServerState;
use machine::clock;
use mcp::{Listed, Upstream, UpstreamError};
use processes::Child;
use servers::{Advertised, Observed, Pinned, What};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, sleep_until, timeout},
};

use crate::{
    gateway::Gateway,
    process::Process,
    shared::{Phase, Shared, StartFailure},
    start::{self, Started},
};

/// How long a server may take to list its prompts while its first caller waits.
const PROMPTS: Duration = Duration::from_secs(5);
/// How long it may take to list its tools.
const TOOLS: Duration = Duration::from_secs(60);
/// How often new output is reported.
const TELLING: Duration = Duration::from_millis(250);

/// Runs a server until it ends, is stopped, or is idle, and returns when all of it is gone. Once it runs, it
/// does not keep the engine alive.
pub(crate) async fn run(gateway: Gateway, shared: &Arc<Shared>) {
    let alive = gateway.downgrade();
    let trouble = match begin(&gateway, shared).await {
        Ok(started) => serve(gateway, shared, started).await,
        Err(trouble) => {
            drop(gateway);
            trouble
        }
    };
    match alive() {
        Some(gateway) => {
            over(&gateway, shared, trouble);
            gateway.is_over();
        }
        None => drop(shared.phase.send_replace(Phase::Over(trouble))),
    }
}

/// Starts it and checks what it advertises.
///
/// # Errors
/// Why it does not run; `None` if it was stopped meanwhile, or a person revoked the approval.
async fn begin(gateway: &Gateway, shared: &Arc<Shared>) -> Result<Started, Option<StartFailure>> {
    let name = &shared.spec.name;
    // Revoking an approval ends the existing runs; a run that began at that moment must check for itself.
    if shared.stop.is_cancelled() || gateway.state().agreed(name).map(|want| want.spec) != Ok(Ok(shared.spec.clone())) {
        return Err(None);
    }
    gateway.state().observe(name, What::Stage(ServerState::Starting { since: clock::now() }));
    let mut hold = |child: &Child| drop(shared.log().replace(child.log.clone()));
    let started = start::start(gateway, &shared.spec, &shared.stop, &mut hold).await?;
    match shared.stop.run_until_cancelled(look(gateway, shared, &started.upstream)).await {
        Some(Ok(())) => Ok(started),
        looked => {
            drop(started.upstream);
            if let Some(process) = started.process {
                process.stop().await;
            }
            Err(looked.and_then(Result::err))
        }
    }
}

/// Listens to it until it is over, and returns the reason unless the end was wanted.
async fn serve(gateway: Gateway, shared: &Arc<Shared>, started: Started) -> Option<StartFailure> {
    let Started { upstream, mut process, signed_in } = started;
    let (name, alive) = (shared.spec.name.clone(), gateway.downgrade());
    if !signed_in {
        gateway.state().observe(&name, What::WantsSignIn(Box::new(shared.spec.clone()), false));
    }
    let about = upstream.about().clone();
    let stage = ServerState::Running { since: clock::now(), process: child(&process).map(Child::id) };
    gateway.state().observe(&name, What::Answers { stage, about });
    let mut changes = upstream.changes();
    // Background tasks, which end with the run.
    let mut kept = JoinSet::new();
    let mut listing = kept.spawn(list_resources(gateway.downgrade(), name.clone(), upstream.clone()));
    let watched = gateway.watched().clone();
    kept.spawn(watched.clone().follow(name.clone(), upstream.clone()));
    let mut lines = child(&process).map(|child| child.log.changes());
    // What it wrote before it answered is news as well.
    lines.iter_mut().for_each(watch::Receiver::mark_changed);
    drop(gateway);
    let trouble = loop {
        let idle_at = shared.idle_at();
        tokio::select! {
            () = shared.stop.cancelled() => break None,
            ending = ended(&mut process, &upstream) => break Some(match ending {
                StartFailure::Failed(ending) => StartFailure::Failed(format!("{name} ended by itself. {ending}")),
                other => other,
            }),
            Ok(()) = changes.changed() => {
                let Some(gateway) = alive() else { break None };
                match shared.stop.run_until_cancelled(look(&gateway, shared, &upstream)).await {
                    Some(Ok(())) => {}
                    looked => break looked.and_then(Result::err),
                }
                listing.abort();
                while kept.try_join_next().is_some() {}
                listing = kept.spawn(list_resources(gateway.downgrade(), name.clone(), upstream.clone()));
            }
            () = wrote(&mut lines) => {
                let Some(gateway) = alive() else { break None };
                let now = lines.as_ref().map_or(0, |lines| *lines.borrow());
                gateway.state().observe(&name, What::Lines(now));
                drop(gateway);
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
    // From now on, no caller may be given this server.
    shared.phase.send_replace(Phase::Over(trouble.clone()));
    kept.shutdown().await;
    drop(upstream);
    if let Some(process) = process {
        process.stop().await;
    }
    trouble
}

fn child(process: &Option<Process>) -> Option<&Child> {
    process.as_ref().map(|process| &process.child)
}

/// Waits until a server ends by itself, and says how.
async fn ended(process: &mut Option<Process>, upstream: &Upstream) -> StartFailure {
    StartFailure::Failed(match process {
        Some(Process { child, .. }) => tokio::select! {
            ending = child.ended() => ending.to_string(),
            why = upstream.closed() => {
                // A process says more about its end than its closed output.
                let ending = timeout(Duration::from_secs(1), child.ended()).await;
                ending.map_or_else(|_| format!("{why}."), |ending| ending.to_string())
            }
        },
        None => match upstream.closed().await {
            UpstreamError::SignIn => return StartFailure::SignIn,
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
        // A call under way ends at some time; then a new deadline exists.
        None => sleep(Duration::from_secs(5)).await,
    }
}

/// Reports the result: only the run reports its server's state.
pub(crate) fn over(gateway: &Gateway, shared: &Shared, trouble: Option<StartFailure>) {
    let name = &shared.spec.name;
    let stage = match &trouble {
        None | Some(StartFailure::SignIn) => ServerState::Resting,
        // The next call may try again at once: nothing ran that could have crashed.
        Some(StartFailure::NotStarted(message)) => ServerState::Down { message: message.clone() },
        Some(StartFailure::Failed(message)) => match gateway.crashed(name) {
            Some(message) => ServerState::Stopped { message },
            None => ServerState::Down { message: message.clone() },
        },
    };
    if trouble == Some(StartFailure::SignIn) {
        gateway.state().observe(name, What::WantsSignIn(Box::new(shared.spec.clone()), true));
    }
    gateway.state().observe(name, What::Stage(stage));
    shared.phase.send_replace(Phase::Over(trouble));
}

/// Asks what it advertises, and holds it back if that is not what the person has seen.
async fn look(gateway: &Gateway, shared: &Shared, upstream: &Upstream) -> Result<(), StartFailure> {
    let name = shared.spec.name.clone();
    let tools = timeout(TOOLS, upstream.tools()).await.unwrap_or(Err(UpstreamError::Silent));
    let tools = tools.map_err(|error| match error {
        UpstreamError::SignIn => StartFailure::SignIn,
        error => StartFailure::Failed(format!("{name} does not say which tools it has: {error}.")),
    })?;
    let prompts = timeout(PROMPTS, upstream.prompts()).await.unwrap_or(Err(UpstreamError::Silent));
    let prompts = prompts.inspect_err(|error| tracing::debug!("{name} does not say which prompts it has: {error}"));
    let pinned = |listed: Vec<Listed>| listed.iter().map(Pinned::of).collect();
    // Its tools can be used without its prompts.
    let said = Advertised { tools: pinned(tools), prompts: prompts.ok().map(pinned) };
    let what = What::Advertises { spec: Box::new(shared.spec.clone()), said, left_out: upstream.left_out() };
    let observed = Observed { server: name, what };
    // `apply` does not wait for the disk.
    let looked = gateway.state().apply(move |state| state.servers.observe(observed));
    let (held, _) = looked.await.map_err(|error| error.message)?;
    let phase = if held { Phase::Held } else { Phase::Up(upstream.clone()) };
    shared.phase.send_replace(phase);
    Ok(())
}

/// Asks for the resources. A server that does not answer keeps the earlier list.
async fn list_resources(alive: impl Fn() -> Option<Gateway>, name: String, upstream: Upstream) {
    match upstream.resources().await {
        Ok(resources) => {
            let Some(gateway) = alive() else { return };
            let left_out = upstream.left_out();
            gateway.state().observe(&name, What::Lists { resources: Arc::new(resources), left_out });
        }
        Err(error) => tracing::debug!("{name} does not say which resources it has: {error}"),
    }
}
