//! User actions on servers: approve, show, restart, stop, and choose which skill shares which server.

use std::{collections::BTreeSet, sync::Arc};

use api::{
    ActionError, Consent, ErrorKind, ServerPage, ServerRow, ToolMode, ToolSwitch, failed, unknown, unknown_client,
};
use choices::{ServerLink, tokens::BY_HAND};
use machine::clock;
use servers::{Approvals, LaunchSpec, Requirement};
use state::State;

use crate::{
    Engine, Mode,
    actions::{cancel_sign_in, sign_in, writing},
};

/// The current state of every server that a skill needs. Starts nothing.
pub async fn list_servers(engine: &Engine) -> Vec<ServerRow> {
    engine.gateway().reconcile().await;
    engine.snapshot().servers.clone()
}

/// Checks whether the container engine is running, if a server may need one; the user asked for the state.
pub async fn look_at_containers(engine: &Engine) {
    engine.gateway().ask_for_containers().await;
}

/// What the user would approve, as of now. Starts only the login shell, once, to learn where programs are.
///
/// # Errors
/// When no skill needs such a server, or something is missing before it could be started.
pub async fn plan_server(engine: &Engine, name: &str) -> Result<Consent, ActionError> {
    if *engine.mode() == Mode::Writing {
        servers::ask_for_programs(engine.machine(), false).await;
    }
    engine.gateway().ask_for_containers().await;
    let want = wanted(engine, name).await?;
    consent(engine, &want)
}

/// Approves what was shown, and starts the server so that its tools are known.
///
/// `variables` are those that the user approved separately: each variable that redirects programs needs an answer of
/// its own (security rule 7).
///
/// # Errors
/// When the server has changed since, such a variable is not among those, or the approval cannot be saved.
pub async fn approve_server(
    engine: &Engine,
    name: &str,
    digest: &str,
    variables: &[String],
) -> Result<(), ActionError> {
    writing(engine)?;
    let want = wanted(engine, name).await?;
    let shown = consent(engine, &want)?;
    if shown.digest != digest {
        let message = format!("What {name} would be started with has changed since you looked. Look again.");
        return Err(failed(ErrorKind::Changed, message));
    }
    let unheard: Vec<_> = shown.redirects.into_iter().filter(|redirect| !variables.contains(redirect)).collect();
    if !unheard.is_empty() {
        let message = format!(
            "{} can make {name} do something else than its command says, so it has to be approved by its name.",
            unheard.join(", ")
        );
        return Err(failed(ErrorKind::Refused, message));
    }
    let Ok(spec) = want.spec.clone() else { return Err(not_yet(&want)) };
    let (users, name) = (want.users.clone(), name.to_owned());
    change_approvals(engine, move |approvals, state| {
        approvals.agree(spec, users, clock::now());
        state.servers.runs.entry(name).or_default().changed = None;
    })
    .await?;
    let address = want.spec.as_ref().ok().and_then(servers::sign_in::address);
    sign_in::forget_others(engine, &want.name, address).await?;
    begin(engine, &want)
}

/// Revokes an approval: the server is stopped and does not start again, and its sign-in is forgotten. It stops at once,
/// whatever the disk does.
///
/// # Errors
/// When it cannot be saved: then it holds until Skilltender quits.
pub async fn revoke_server(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let revoked = name.to_owned();
    let (_, saving) =
        engine.state().apply(move |state| changed(state, |approvals, _| approvals.revoke(&revoked))).await?;
    engine.gateway().stop(name).await;
    cancel_sign_in(engine, name).await?;
    let signed_out = sign_in::forget_others(engine, name, None).await;
    saving.done().await.and(signed_out)
}

/// Approves changed tools and prompts as they were shown.
///
/// # Errors
/// When they have changed again, or the approval cannot be saved.
pub async fn approve_tools(engine: &Engine, name: &str, digest: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let want = wanted(engine, name).await?;
    let Ok(spec) = want.spec.clone() else { return Err(not_yet(&want)) };
    let (seen, server) = (digest.to_owned(), name.to_owned());
    let agreed = change_approvals(engine, move |approvals, state| {
        let run = state.servers.runs.entry(server).or_default();
        let shown = run.changed.take_if(|said| servers::said_digest(said) == seen);
        shown.map(|said| approvals.pin(&spec, said)).is_some()
    });
    if !agreed.await? {
        let message = format!("The tools of {name} have changed again since you looked. Look again.");
        return Err(failed(ErrorKind::Changed, message));
    }
    // The running server was held back.
    engine.gateway().stop(name).await;
    begin(engine, &want)
}

/// Restarts a server, including one that ended too often.
///
/// # Errors
/// When the server is not approved.
pub async fn restart_server(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    engine.gateway().stop(name).await;
    let want = engine.state().agreed(name).map_err(|message| failed(ErrorKind::Refused, message))?;
    begin(engine, &want)
}

/// Stops a server until the next call.
///
/// # Errors
/// When the engine only reads.
pub async fn stop_server(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    engine.gateway().stop(name).await;
    // Publishes what the run reported about its end.
    engine.state().flush().await
}

/// Searches again for the programs that run servers, because one may have been installed.
///
/// # Errors
/// When the engine only reads.
pub async fn look_for_programs(engine: &Engine) -> Result<(), ActionError> {
    writing(engine)?;
    servers::ask_for_programs(engine.machine(), true).await;
    engine.gateway().ask_for_containers().await;
    engine.gateway().reconcile().await;
    Ok(())
}

/// One server with its tools and its log.
///
/// # Errors
/// When no skill needs it.
pub async fn read_server(engine: &Engine, name: &str) -> Result<ServerPage, ActionError> {
    // With what it did until now.
    engine.state().flush().await?;
    let (state, log) = (engine.state().now(), engine.gateway().log(name));
    let want = state.servers.wanted.as_ref().and_then(|wanted| wanted.servers.get(name));
    let want = want.ok_or_else(|| unneeded(name, []))?;
    Ok(servers::page(engine.machine(), &state.servers, &state.choices.servers, want, log))
}

/// Lets a skill use the server of another skill, with that skill's values and secrets; `None` restores its own.
///
/// # Errors
/// When one of the skills does not exist.
pub async fn link_server(engine: &Engine, key: &str, server: &str, with: Option<String>) -> Result<(), ActionError> {
    writing(engine)?;
    engine.state().entry(key)?;
    if let Some(with) = &with {
        let declares = engine.state().entry(with)?.skill.servers.iter().any(|declared| declared.name == server);
        if !declares || with == key {
            return Err(failed(ErrorKind::Input, format!("{with} has no server {server} to share.")));
        }
    }
    let (key, server) = (key.to_owned(), server.to_owned());
    let linked = engine.state().apply(move |state| {
        let links = &mut state.choices.servers.links;
        links.retain(|link| link.key != key || link.server != server);
        links.extend(with.map(|with| ServerLink { key, server, with }));
    });
    let ((), saving) = linked.await?;
    engine.gateway().reconcile().await;
    saving.done().await
}

/// Switches a tool, or all of a server, on or off: for one client, or for all.
///
/// # Errors
/// When the engine is quitting.
pub async fn switch_tool(
    engine: &Engine,
    client: Option<String>,
    server: &str,
    tool: Option<String>,
    on: bool,
) -> Result<(), ActionError> {
    writing(engine)?;
    let switch = ToolSwitch { client, server: server.to_owned(), tool };
    let switched = engine.state().change(move |state| {
        switch.client.as_deref().map_or(Ok(()), |client| refuse_unknown(state, client))?;
        state.choices.servers.switch(switch, on);
        Ok(())
    });
    switched.await?
}

/// Sets how a client gets the tools of servers.
///
/// # Errors
/// When the engine is quitting.
pub async fn set_tool_mode(engine: &Engine, client: &str, mode: ToolMode) -> Result<(), ActionError> {
    writing(engine)?;
    let client = client.to_owned();
    let set = engine.state().change(move |state| {
        refuse_unknown(state, &client)?;
        match mode {
            ToolMode::Always => drop(state.choices.servers.modes.remove(&client)),
            mode => drop(state.choices.servers.modes.insert(client, mode)),
        }
        Ok(())
    });
    set.await?
}

/// Refuses an unknown client.
fn refuse_unknown(state: &State, client: &str) -> Result<(), ActionError> {
    if client == BY_HAND || state.clients.contains_key(client) {
        return Ok(());
    }
    Err(unknown_client(client, state.clients.keys().map(String::as_str)))
}

/// The server of this name, as it is needed now.
pub(super) async fn wanted(engine: &Engine, name: &str) -> Result<Requirement, ActionError> {
    let wanted = engine.gateway().reconcile().await;
    wanted.servers.get(name).cloned().ok_or_else(|| unneeded(name, wanted.servers.keys().map(String::as_str)))
}

/// The error that no skill needs such a server, with the needed ones as suggestions.
fn unneeded<'k>(name: &str, needed: impl IntoIterator<Item = &'k str>) -> ActionError {
    let message = format!("No skill that is switched on needs a server {name}.");
    unknown(message, name, needed, "`skilltender servers` lists those that are needed.")
}

fn consent(engine: &Engine, want: &Requirement) -> Result<Consent, ActionError> {
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    servers::consent(engine.machine(), &state.servers, &catalog, want).ok_or_else(|| not_yet(want))
}

fn not_yet(want: &Requirement) -> ActionError {
    failed(ErrorKind::Refused, servers::not_yet(want))
}

/// Adds to the approvals; an approval that cannot be saved is reverted.
async fn change_approvals<T: Send + 'static>(
    engine: &Engine,
    act: impl FnOnce(&mut Approvals, &mut State) -> T + Send + 'static,
) -> Result<T, ActionError> {
    let ((done, agreed), saving) = engine.state().apply(move |state| agreed(state, act)).await?;
    if let Err(error) = saving.needed().await {
        engine.state().apply(move |state| agreed.take_back(state)).await?;
        return Err(error);
    }
    Ok(done)
}

/// Approves, on a thread that may wait, a server that a client already starts and that the user was shown.
pub(super) fn agree_here(engine: &Engine, spec: LaunchSpec) -> Result<(), ActionError> {
    let agree = move |approvals: &mut Approvals, _: &mut State| approvals.agree(spec, BTreeSet::new(), clock::now());
    let (((), agreed), saving) = engine.state().apply_blocking(move |state| agreed(state, agree))?;
    saving.needed_here().inspect_err(|_| {
        engine.state().change_blocking(move |state| agreed.take_back(state));
    })
}

/// Revokes the approval of a server, on such a thread.
pub(super) fn revoke_here(engine: &Engine, name: String) -> Result<(), ActionError> {
    let revoke = move |state: &mut State| changed(state, |approvals, _| approvals.revoke(&name));
    engine.state().apply_blocking(revoke)?.1.needed_here()
}

/// An approval that may have to be reverted.
struct Agreed {
    before: Arc<Approvals>,
    after: Arc<Approvals>,
}

impl Agreed {
    /// Restores the earlier approvals, unless they changed again in the meantime.
    fn take_back(self, state: &mut State) {
        if Arc::ptr_eq(&state.servers.approvals, &self.after) {
            state.servers.approvals = self.before;
        }
    }
}

fn agreed<T>(state: &mut State, act: impl FnOnce(&mut Approvals, &mut State) -> T) -> (T, Agreed) {
    let before = Arc::clone(&state.servers.approvals);
    let done = changed(state, act);
    (done, Agreed { before, after: Arc::clone(&state.servers.approvals) })
}

fn changed<T>(state: &mut State, act: impl FnOnce(&mut Approvals, &mut State) -> T) -> T {
    let mut approvals = Approvals::clone(&state.servers.approvals);
    let done = act(&mut approvals, state);
    state.servers.approvals = Arc::new(approvals);
    done
}

/// Starts the server now if this engine serves and the server is not started by its client; otherwise the serving
/// engine starts it.
pub(super) fn begin(engine: &Engine, want: &Requirement) -> Result<(), ActionError> {
    if !engine.serves() || want.client.is_some() {
        return Ok(());
    }
    engine.gateway().begin(want).map_err(|message| failed(ErrorKind::Refused, message))
}
