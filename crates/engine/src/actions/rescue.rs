//! Moves secrets from a client's file to the keychain, and back. A secret is in the keychain before it leaves the file,
//! and back in the file before it leaves the keychain.

use std::sync::Arc;

use api::{ActionError, ErrorKind, Keychain, failed};
use connect::{
    Change, Moving,
    journal::{self, Record},
};
use files::replace_file::ReplaceError;
use secrets::{Secret, Secrets};
use servers::AdoptedServers;
use skills::Slot;
use state::State;

use super::servers::agree_here;
use crate::Engine;

/// Prepares the write of the file: its secrets are in the keychain, the servers are known and approved, and none of our
/// older copies of the file contains the secrets. If a step fails, all are reverted.
pub(super) fn take_in(engine: &Engine, change: &Change) -> Result<(), ActionError> {
    if change.moves().next().is_none() {
        return Ok(());
    }
    let taken = keep_secrets(engine, change)
        .and_then(|()| {
            let moves: Vec<_> =
                change.moves().map(|Moving { adopted, spec, .. }| (adopted.clone(), spec.clone())).collect();
            let kept = moves.clone();
            remember(engine, move |adopted| kept.into_iter().for_each(|(one, _)| adopted.keep(one)))?;
            moves.into_iter().try_for_each(|(_, spec)| agree_here(engine, spec))
        })
        .and_then(|()| {
            let (data, secrets) = (&engine.machine().data, change.secrets());
            let mut paths = change.paths();
            let _client_files = engine.client_files();
            let cleaned = paths.try_for_each(|path| journal::clean(data, path, &secrets));
            cleaned.map_err(|error| failed(ErrorKind::System, error.to_string()))
        });
    taken.inspect_err(|_| give_back(engine, change))
}

/// Reverts [`take_in`].
pub(super) fn give_back(engine: &Engine, change: &Change) {
    let names: Vec<_> = change.moves().map(|moving| moving.adopted.name.clone()).collect();
    let parameters: Vec<_> = change.secrets().into_iter().map(|(parameter, _)| parameter).collect();
    let paths = change.paths().map(std::path::Path::to_path_buf).collect::<Vec<_>>();
    if let Err(error) = let_go(engine, names, &parameters, &paths) {
        tracing::warn!(error = error.message, "what was taken in for a client could not be taken back whole");
    }
}

/// Forgets the servers and the secrets, once the file contains its secrets again.
///
/// # Errors
/// When the keychain or the disk fails to forget something.
pub(super) fn forget_taken_back(engine: &Engine, change: &Change) -> Result<(), ActionError> {
    for Record { path, rescued, change: made, .. } in change.back() {
        let names: Vec<_> = rescued.iter().map(|rescued| rescued.server.clone()).collect();
        let of = names.clone();
        let parameters = with_state(engine, move |state| {
            let kept = state.servers.adopted.servers.iter().filter(|kept| of.contains(&kept.name));
            kept.flat_map(|kept| kept.secrets.keys().map(|name| kept.parameter(name))).collect::<Vec<_>>()
        })?;
        journal::forget_rescue(&engine.machine().data, change.client(), made);
        let_go(engine, names, &parameters, std::slice::from_ref(path))?;
    }
    Ok(())
}

fn let_go(
    engine: &Engine,
    names: Vec<String>,
    parameters: &[Slot],
    paths: &[std::path::PathBuf],
) -> Result<(), ActionError> {
    let (secrets, data) = (engine.secrets(), &engine.machine().data);
    let read = |parameter: &Slot| secrets.read(parameter).ok().flatten();
    let system = |error: ReplaceError| failed(ErrorKind::System, error.to_string());
    paths.iter().try_for_each(|path| journal::mend(data, path, read)).map_err(system)?;
    remember(engine, move |adopted| names.iter().for_each(|name| adopted.forget(name)))?;
    let forgotten = parameters.iter().try_for_each(|parameter| secrets.delete(parameter).map(drop));
    publish_secrets(engine, &secrets, None)?;
    forgotten.map_err(|error| {
        let message = format!("The file holds its secrets again, but the keychain did not forget all of them. {error}");
        failed(ErrorKind::Keychain, message)
    })
}

fn keep_secrets(engine: &Engine, change: &Change) -> Result<(), ActionError> {
    let secrets = engine.secrets();
    let kept = change
        .secrets()
        .into_iter()
        .try_for_each(|(parameter, secret): (Slot, Secret)| secrets.keep(&parameter, secret));
    let keychain = match &kept {
        Ok(()) => Keychain::Ready,
        Err(error) => Keychain::Absent { message: error.to_string() },
    };
    publish_secrets(engine, &secrets, Some(keychain))?;
    kept.map_err(|error| {
        let message = format!("The secrets were not moved, and the file was left as it is. {error}");
        failed(ErrorKind::Keychain, message)
    })
}

/// Publishes in the snapshot which secrets there are now.
fn publish_secrets(engine: &Engine, secrets: &Secrets, keychain: Option<Keychain>) -> Result<(), ActionError> {
    let secrets = secrets.clone();
    with_state(engine, move |state| {
        state.given.secrets = secrets.facts();
        state.keychain = keychain.unwrap_or(state.keychain.clone());
    })
}

/// Changes the adopted servers, on the disk and then in the state. Forgets the approval of a server that is no longer
/// adopted.
fn remember(engine: &Engine, change: impl FnOnce(&mut AdoptedServers) + Send + 'static) -> Result<(), ActionError> {
    let ((before, gone), saving) = engine.state().apply_blocking(move |state| {
        let mut adopted = AdoptedServers::clone(&state.servers.adopted);
        change(&mut adopted);
        let before = std::mem::replace(&mut state.servers.adopted, Arc::new(adopted));
        let stays = |name: &String| state.servers.adopted.servers.iter().any(|kept| kept.name == *name);
        let gone = before.servers.iter().map(|kept| kept.name.clone()).filter(|name| !stays(name)).collect::<Vec<_>>();
        (before, gone)
    })?;
    saving.needed_here().inspect_err(|_| {
        engine.state().change_blocking(move |state| state.servers.adopted = before);
    })?;
    gone.into_iter().try_for_each(|name| super::servers::revoke_here(engine, name))
}

fn with_state<T: Send + 'static>(
    engine: &Engine,
    act: impl FnOnce(&mut State) -> T + Send + 'static,
) -> Result<T, ActionError> {
    engine.state().apply_blocking(act).map(|(value, _)| value)
}
