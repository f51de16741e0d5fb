//! What clients and the engine ask of the gateway: a call, a watch, a start.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mcp::{CallContext, CallFailure, Caller, UpstreamError, UpstreamRequest, says_it_failed};
use serde_json::value::RawValue;
use servers::{Requirement, What, held_back};
use tokio::time::{sleep, timeout};
use tokio_util::sync::DropGuard;

use crate::{
    gateway::{Gateway, too_often},
    run::run,
    shared::{Phase, Shared, StartFailure},
};

/// How long a call waits for its server to start (decision 37).
const WAITING: Duration = Duration::from_secs(20);

impl Gateway {
    /// Asks a server for something that a client was offered, by its exposed name.
    ///
    /// # Errors
    /// When the name is not offered to this client any more, the server does not run, or the server answers with an
    /// error.
    pub async fn ask(
        &self,
        caller: &Caller,
        wish: UpstreamRequest<'_>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, CallFailure> {
        let (offers, offered) = (self.state().offers(), self.state().offered(caller));
        let gone = |what: &str, name: &str| {
            let why = self.state().not_offered(caller, name);
            CallFailure::Sentence(why.unwrap_or_else(|| format!("The {what} {name} is not offered any more.")))
        };
        let prompt = |name| {
            let (server, prompt) = offered.prompt(name).ok_or_else(|| gone("prompt", name))?;
            Ok::<_, CallFailure>((server.name.as_str(), prompt.own()))
        };
        let (server, own) = match wish {
            UpstreamRequest::Tool { name, .. } => {
                let found = offers.find(name).filter(|_| offered.has(name));
                found.ok_or_else(|| gone("tool", name))?
            }
            UpstreamRequest::Prompt { name, .. } | UpstreamRequest::Completion { prompt: name, .. } => prompt(name)?,
            UpstreamRequest::Resource { uri } => {
                let (server, own) = offered.resource(uri).ok_or_else(|| gone("resource", uri))?;
                (server.name.as_str(), own)
            }
        };
        let began = Instant::now();
        let answer = self.ask_server(server, own, caller, wish, meanwhile).await;
        let ok = answer.as_ref().is_ok_and(|result| !says_it_failed(result));
        self.state().count_asked(server, &caller.client, ok, began.elapsed());
        answer
    }

    /// Asks one server, by its own name for what is wished.
    async fn ask_server(
        &self,
        server: &str,
        own: &str,
        caller: &Caller,
        wish: UpstreamRequest<'_>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, CallFailure> {
        let (shared, upstream) = self.up(server).await.map_err(CallFailure::Sentence)?;
        let _calling = shared.call();
        let meanwhile = meanwhile.asked_by(server);
        let asking = async {
            match wish {
                UpstreamRequest::Tool { arguments, .. } => upstream.call_tool(own, arguments, meanwhile).await,
                UpstreamRequest::Prompt { arguments, .. } => upstream.get_prompt(own, arguments, meanwhile).await,
                UpstreamRequest::Resource { .. } => upstream.read_resource(own, meanwhile).await,
                UpstreamRequest::Completion { argument, context, .. } => {
                    upstream.complete(own, argument, context).await
                }
            }
        };
        // A stopped server answers no more calls, and waiting calls must not keep it alive.
        let Some(answered) = shared.stop.run_until_cancelled(asking).await else {
            return Err(CallFailure::Sentence(was_stopped(server)));
        };
        self.state().count_server(server);
        tracing::debug!(server, client = caller.client, ok = answered.is_ok(), "a server was asked");
        answered.map_err(|error| match error {
            UpstreamError::SignIn => CallFailure::Sentence(StartFailure::SignIn.sentence(server)),
            UpstreamError::TooFewRights { scope } => CallFailure::Sentence(too_few_rights(self, server, &scope)),
            other => CallFailure::from(other),
        })
    }

    /// The connection of an approved server, which is started if it does not run.
    async fn up(&self, server: &str) -> Result<(Arc<Shared>, mcp::Upstream), String> {
        let mut again = true;
        loop {
            let want = self.state().agreed(server)?;
            let shared = self.ensure(&want)?;
            match up(&shared).await {
                Ok(upstream) => return Ok((shared, upstream)),
                // It ended just now because it was idle.
                Err(None) if again && !shared.stop.is_cancelled() => again = false,
                Err(why) => return Err(why.unwrap_or_else(|| was_stopped(server))),
            }
        }
    }

    /// Subscribes to changes of a server's resource until the returned guard is dropped. Watching starts the
    /// server like a call does.
    pub fn watch(&self, caller: &Caller, uri: &str) -> Option<DropGuard> {
        let offered = self.state().offered(caller);
        let (server, own) = offered.resource(uri)?;
        let watching = self.watched().begin(&server.name, own);
        let started = self.state().agreed(&server.name).and_then(|want| self.ensure(&want));
        if let Err(message) = started {
            tracing::debug!("a server that is watched does not run: {message}");
        }
        Some(watching)
    }

    /// Starts a server that was just approved, so that its tools become known.
    ///
    /// # Errors
    /// Why it is not started, as a sentence.
    pub fn begin(&self, want: &Requirement) -> Result<(), String> {
        self.forget_crashes(&want.name);
        self.ensure(want).map(drop)
    }

    /// Starts a server that never ran since the engine started. One that ended or was stopped waits for its
    /// next call.
    pub(crate) fn begin_first(&self, want: &Requirement) -> Result<(), String> {
        let ran = self.servers().by_name.get(&want.name).is_some_and(|server| server.run.is_some());
        if ran { Ok(()) } else { self.ensure(want).map(drop) }
    }

    /// The run of a server: the present one, or a new one, which begins when the one before is completely gone.
    fn ensure(&self, want: &Requirement) -> Result<Arc<Shared>, String> {
        let name = &want.name;
        let spec = want.spec.as_ref().map_err(|_| format!("{name} cannot be started now."))?;
        let mut servers = self.servers();
        if servers.closed {
            return Err(format!("Skilltender is quitting, so {name} was not started."));
        }
        let server = servers.by_name.entry(name.clone()).or_default();
        let before = server.run.clone();
        if let Some(run) = before.as_ref().filter(|run| run.is_active()) {
            if run.spec == *spec {
                return Ok(Arc::clone(run));
            }
            // The run under this name has a launch spec that is not approved any more.
            run.stop.cancel();
        }
        server.pause(Instant::now()).ok_or_else(|| too_often(name))?;
        let shared = Arc::new(Shared::new(spec.clone()));
        server.run = Some(Arc::clone(&shared));
        drop(servers);
        let (running, started) = (Arc::clone(&shared), self.downgrade());
        let lasts = shared.lasts();
        tokio::spawn(async move {
            // One after the other: two runs must not hold the same files.
            if let Some(before) = before {
                before.ended().await;
            }
            let pause = started().and_then(|gateway| gateway.pause(&running.spec.name));
            match pause {
                Some(pause) => drop(running.stop.run_until_cancelled(sleep(pause)).await),
                // The run before ended once too often.
                None => running.stop.cancel(),
            }
            if let Some(gateway) = started() {
                run(gateway, &running).await;
            }
            drop(lasts);
        });
        Ok(shared)
    }

    /// Stops servers that no skill needs, whose launch spec changed, or that are not approved. A new start of one of
    /// them waits for its end.
    pub(crate) fn stop_stale(&self) {
        let stale = |name: &String, run: &Shared| {
            let agreed = self.state().agreed(name);
            !agreed.is_ok_and(|want| want.spec.as_ref() == Ok(&run.spec))
        };
        let servers = self.servers();
        let runs = servers.by_name.iter().filter_map(|(name, server)| Some((name, server.run.as_ref()?)));
        runs.filter(|(name, run)| run.is_active() && stale(name, run)).for_each(|(_, run)| run.stop.cancel());
    }
}

/// Records which rights a server wants, so that the next sign-in asks for them, and returns the sentence about
/// it.
fn too_few_rights(gateway: &Gateway, server: &str, scope: &str) -> String {
    gateway.state().observe(server, What::Rights(scope.split_whitespace().map(str::to_owned).collect()));
    format!(
        "The server {server} refused this, because the user gave it too few rights when they signed in: it wants {scope}. They can sign in again with `skilltender servers sign-in {server}`, or sign out and in again under Servers in Skilltender's window."
    )
}

fn was_stopped(name: &str) -> String {
    format!("The server {name} was stopped. Try again.")
}

/// The connection of a run, once it is open.
///
/// # Errors
/// Why it has none, as a sentence; `None` if it was stopped, or ended because it was idle.
async fn up(shared: &Shared) -> Result<mcp::Upstream, Option<String>> {
    let name = &shared.spec.name;
    let mut phases = shared.phase.subscribe();
    let settled = phases.wait_for(|phase| !matches!(phase, Phase::Starting));
    let Ok(settled) = timeout(WAITING, shared.stop.run_until_cancelled(settled)).await else {
        return Err(Some(format!(
            "The server {name} is starting, which takes longer the first time. Try again in a moment; its state is shown under Servers in Skilltender's window."
        )));
    };
    match settled.ok_or(None)?.as_deref() {
        Ok(Phase::Up(upstream)) => Ok(upstream.clone()),
        Ok(Phase::Held) => Err(Some(held_back(name))),
        Ok(Phase::Over(Some(trouble))) => Err(Some(trouble.sentence(name))),
        Ok(Phase::Starting | Phase::Over(None)) | Err(_) => Err(None),
    }
}
