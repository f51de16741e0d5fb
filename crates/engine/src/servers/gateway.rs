//! Which servers run: at most one for each name, started when somebody calls it, and never one that nobody agreed to.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use mcp::{CallFailure, Caller, Host as _, Meanwhile, UpstreamError, Wish};
use serde_json::value::RawValue;
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::DropGuard;

use super::{
    Want, Wanted,
    run::{Phase, Shared, run},
    start::Trouble,
    watched::Watched,
};
use crate::{
    Engine,
    view::ServerState,
    waiting::{Mutex, MutexGuard},
};

/// How long a call waits for its server to start (decision 37).
const WAITING: Duration = Duration::from_secs(20);
/// A server that ended so often within [`CRASHES_WITHIN`] is not started again until a person wants it.
const CRASHES: usize = 5;
const CRASHES_WITHIN: Duration = Duration::from_secs(120);
/// The pause before it is started again; it doubles with every end.
const PAUSE: Duration = Duration::from_secs(1);
/// How long all of them together may take to end when we do.
const FAREWELL: Duration = Duration::from_secs(15);

/// The servers that run.
#[derive(Default)]
pub(crate) struct Gateway {
    servers: Mutex<BTreeMap<String, Server>>,
    /// What clients watch of them.
    watched: Watched,
}

/// One server, running or not.
#[derive(Default)]
struct Server {
    running: Option<(Arc<Shared>, JoinHandle<()>)>,
    /// Its last run that is over, for what it wrote.
    last: Option<Arc<Shared>>,
    /// When it ended by itself.
    crashes: Vec<Instant>,
}

impl Gateway {
    /// Asks a server for what a client was offered of it, by our names.
    pub(crate) async fn ask(
        &self,
        engine: &Engine,
        caller: &Caller,
        wish: Wish<'_>,
        meanwhile: Meanwhile,
    ) -> Result<Box<RawValue>, CallFailure> {
        let (offers, offered) = (engine.offers(), engine.offered(caller));
        let gone =
            |what: &str, name: &str| CallFailure::Sentence(format!("The {what} {name} is not offered any more."));
        let prompt = |name| {
            let (server, prompt) = offered.prompt(name).ok_or_else(|| gone("prompt", name))?;
            Ok::<_, CallFailure>((server.name.as_str(), prompt.own()))
        };
        let (server, own) = match wish {
            Wish::Tool { name, .. } => {
                let found = offers.find(name).filter(|_| offered.has(name));
                found.ok_or_else(|| gone("tool", name))?
            }
            Wish::Prompt { name, .. } | Wish::Completion { prompt: name, .. } => prompt(name)?,
            Wish::Resource { uri } => {
                let (server, own) = offered.resource(uri).ok_or_else(|| gone("resource", uri))?;
                (server.name.as_str(), own)
            }
        };
        let want = engine.agreed(server).map_err(CallFailure::Sentence)?;
        let shared = self.ensure(engine, &want).map_err(CallFailure::Sentence)?;
        let _calling = shared.call();
        let upstream = up(&shared).await.map_err(CallFailure::Sentence)?;
        let meanwhile = meanwhile.asked_by(server);
        let answered = match wish {
            Wish::Tool { arguments, .. } => upstream.call_tool(own, arguments, meanwhile).await,
            Wish::Prompt { arguments, .. } => upstream.get_prompt(own, arguments, meanwhile).await,
            Wish::Resource { .. } => upstream.read_resource(own, meanwhile).await,
            Wish::Completion { argument, context, .. } => upstream.complete(own, argument, context).await,
        };
        engine.tally().count_server(&want.name);
        tracing::debug!(server, client = caller.client, ok = answered.is_ok(), "a server was asked");
        answered.map_err(|error| match error {
            UpstreamError::SignIn => CallFailure::Sentence(Trouble::SignIn.sentence(server)),
            UpstreamError::TooFewRights { scope } => CallFailure::Sentence(too_few_rights(engine, server, &scope)),
            other => CallFailure::from(other),
        })
    }

    /// Lets the server of a resource tell when it changes, until what is returned is dropped. Watching starts a server as
    /// a call does.
    pub(crate) fn watch(&self, engine: &Engine, caller: &Caller, uri: &str) -> Option<DropGuard> {
        let offered = engine.offered(caller);
        let (server, own) = offered.resource(uri)?;
        let watching = self.watched.begin(&server.name, own);
        let started = engine.agreed(&server.name).and_then(|want| self.ensure(engine, &want));
        if let Err(message) = started {
            tracing::debug!("a server that is watched does not run: {message}");
        }
        Some(watching)
    }

    /// What clients watch of servers.
    pub(crate) fn watched(&self) -> &Watched {
        &self.watched
    }

    /// Starts a server that was just agreed to, so that its tools are known.
    pub(crate) fn begin(&self, engine: &Engine, want: &Want) -> Result<(), String> {
        self.forget_crashes(&want.name);
        self.ensure(engine, want).map(drop)
    }

    /// The run of a server: the present one, or a new one.
    fn ensure(&self, engine: &Engine, want: &Want) -> Result<Arc<Shared>, String> {
        let form = want.form.as_ref().map_err(|_| format!("{} cannot be started now.", want.name))?;
        let mut servers = self.servers();
        let server = servers.entry(want.name.clone()).or_default();
        let over = server.running.as_ref().map(|(shared, _)| shared.phase.borrow().clone());
        match (over, &server.running) {
            (Some(Phase::Over(trouble)), _) => server.count(matches!(trouble, Some(Trouble::Failed(_)))),
            (Some(_), Some((shared, _))) if shared.form == *form => return Ok(Arc::clone(shared)),
            // Something else runs under this name, which nobody agreed to any more.
            (Some(_), Some((shared, _))) => shared.stop.cancel(),
            _ => {}
        }
        let after = server.put_away();
        if server.crashes.len() >= CRASHES {
            let message = format!(
                "{} was stopped because it ended {CRASHES} times within {} seconds. Look at its log under Servers, then restart it there.",
                want.name,
                CRASHES_WITHIN.as_secs()
            );
            let (name, stage) = (want.name.clone(), ServerState::Stopped { message: message.clone() });
            engine.tell(move |state| state.servers.runs.entry(name).or_default().stage = stage);
            return Err(message);
        }
        let pause = server.pause();
        let shared = Arc::new(Shared::new(form.clone()));
        let (running, started) = (Arc::clone(&shared), engine.while_it_lives());
        let task = tokio::spawn(async move {
            // One after the other: two must not hold the same files.
            if let Some((_, after)) = after {
                drop(after.await);
            }
            tokio::time::sleep(pause).await;
            if let Some(engine) = started() {
                run(engine, &running).await;
            }
        });
        server.running = Some((Arc::clone(&shared), task));
        Ok(shared)
    }

    /// Stops a server, and says when it has ended.
    pub(crate) async fn stop(&self, name: &str) {
        let running = self.servers().get_mut(name).and_then(Server::put_away);
        if let Some((shared, task)) = running {
            shared.stop.cancel();
            drop(task.await);
        }
    }

    /// Lets a server that ended too often be started again.
    pub(crate) fn forget_crashes(&self, name: &str) {
        if let Some(server) = self.servers().get_mut(name) {
            server.crashes.clear();
        }
    }

    /// Stops what is not wanted any more, or wanted otherwise, or agreed to by nobody.
    pub(crate) async fn keep_only(&self, engine: &Engine, wanted: &Wanted) {
        let stale: Vec<_> = {
            let servers = self.servers();
            let runs = servers.iter().filter_map(|(name, server)| Some((name, &server.running.as_ref()?.0)));
            let stale = runs.filter(|(name, shared)| {
                let want = wanted.servers.get(*name).filter(|want| want.form.as_ref() == Ok(&shared.form));
                want.is_none() || engine.agreed(name).is_err()
            });
            stale.map(|(name, _)| name.clone()).collect()
        };
        for name in stale {
            self.stop(&name).await;
        }
    }

    /// Stops all of them.
    pub(crate) async fn stop_all(&self) {
        let servers = std::mem::take(&mut *self.servers());
        let running: Vec<_> = servers.into_values().filter_map(|server| server.running).collect();
        running.iter().for_each(|(shared, _)| shared.stop.cancel());
        let ended = async {
            for (_, task) in running {
                drop(task.await);
            }
        };
        if timeout(FAREWELL, ended).await.is_err() {
            tracing::warn!("Some servers did not end in time.");
        }
    }

    /// What a server wrote in its last run, with the time of each line.
    pub(crate) fn log(&self, name: &str) -> Vec<(u64, String)> {
        let servers = self.servers();
        let last = servers.get(name).and_then(|server| match &server.running {
            Some((shared, _)) => Some(shared),
            None => server.last.as_ref(),
        });
        last.map(|shared| shared.lines()).unwrap_or_default()
    }

    fn servers(&self) -> MutexGuard<'_, BTreeMap<String, Server>> {
        self.servers.lock()
    }
}

impl Drop for Gateway {
    /// An engine that is dropped without being stopped leaves nothing running.
    fn drop(&mut self) {
        self.servers()
            .values()
            .filter_map(|server| server.running.as_ref())
            .for_each(|(shared, _)| shared.stop.cancel());
    }
}

impl Server {
    /// Takes its run away, of which only the log stays.
    fn put_away(&mut self) -> Option<(Arc<Shared>, JoinHandle<()>)> {
        let running = self.running.take();
        if let Some((shared, _)) = &running {
            self.last = Some(Arc::clone(shared));
        }
        running
    }

    /// Notes that its run is over.
    fn count(&mut self, crashed: bool) {
        self.crashes.extend(crashed.then(Instant::now));
        self.crashes.retain(|at| at.elapsed() < CRASHES_WITHIN);
    }

    /// How long it rests before it is started again.
    fn pause(&self) -> Duration {
        match u32::try_from(self.crashes.len()).unwrap_or(u32::MAX) {
            0 => Duration::ZERO,
            crashes => PAUSE * 2u32.saturating_pow(crashes.min(8) - 1),
        }
    }
}

/// Remembers which rights a server wants, so that the next sign-in asks for them, and says so.
fn too_few_rights(engine: &Engine, server: &str, scope: &str) -> String {
    let (name, words) = (server.to_owned(), scope.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    engine.tell(move |state| state.servers.runs.entry(name).or_default().rights.extend(words));
    format!(
        "The server {server} refused this, because the user gave it too few rights when they signed in: it wants {scope}. They can sign in anew with `skilltender servers sign-in {server}`, or sign out and in again under Servers in Skilltender's window."
    )
}

/// The connection of a run, once it stands.
async fn up(shared: &Shared) -> Result<mcp::Upstream, String> {
    let name = &shared.form.name;
    let mut phases = shared.phase.subscribe();
    let settled = phases.wait_for(|phase| !matches!(phase, Phase::Starting));
    let Ok(settled) = timeout(WAITING, settled).await else {
        return Err(format!(
            "The server {name} is starting, which takes longer the first time. Try again in a moment; its state stands under Servers in Skilltender's window."
        ));
    };
    match settled.as_deref() {
        Ok(Phase::Up(upstream)) => Ok(upstream.clone()),
        Ok(Phase::Held) => Err(format!(
            "The server {name} describes its tools or prompts differently than when the user last looked, so it is held back. The user can look at the difference under Servers in Skilltender's window."
        )),
        Ok(Phase::Over(Some(trouble))) => Err(trouble.sentence(name)),
        Ok(Phase::Starting | Phase::Over(None)) | Err(_) => Err(format!("The server {name} was stopped. Try again.")),
    }
}
