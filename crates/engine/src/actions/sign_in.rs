//! Signs the user in to a server, and out. Nothing here opens a browser: the window and the command line show the
//! address, and open it when the user agrees.

use std::sync::Arc;

use api::{ActionError, ErrorKind, SignInAsked, failed};
use gateway::still_signed_in;
use mcp::SignIn;
use servers::{Observed, What, sign_in};
use skills::Slot;
use state::blocking;

use super::{
    servers::{begin, wanted},
    writing,
};
use crate::Engine;

/// Begins a sign-in to an approved server, and returns the address for the user's browser. The sign-in waits five
/// minutes; a newer one replaces it.
///
/// # Errors
/// When the server is not approved, has no address, or does not support sign-in.
pub async fn sign_in(engine: &Engine, name: &str) -> Result<SignInAsked, ActionError> {
    writing(engine)?;
    if !engine.serves() {
        let message = "Servers run only while Skilltender does. Start the app or `skilltender serve`, then try again.";
        return Err(failed(ErrorKind::Refused, message));
    }
    let asked = wanted(engine, name).await?;
    let want = engine.state().agreed(name).map_err(|message| failed(ErrorKind::Refused, message))?;
    let url = want.spec.as_ref().ok().filter(|_| want == asked).and_then(sign_in::address).map(str::to_owned);
    let url = url.ok_or_else(|| {
        let message = format!("{name} is no server at which one signs in: it runs on this computer, or its skill says which secret it gets.");
        failed(ErrorKind::Refused, message)
    })?;
    let rights = engine.state().now().servers.runs.get(name).map(|run| run.rights.clone());
    let begun = match SignIn::begin(&url, name, &rights.unwrap_or_default()).await {
        Ok(begun) => begun,
        Err(error) => {
            publish(engine, name, None, Some(error.to_string())).await?;
            return Err(failed(ErrorKind::Refused, error.to_string()));
        }
    };
    let asked = SignInAsked { address: begun.address().to_owned(), host: begun.host() };
    publish(engine, name, Some(asked.clone()), None).await?;
    let (alive, server, spec) = (engine.downgrade(), name.to_owned(), want.spec.clone());
    engine.gateway().sign_ins().begin(name, begun, move |finished| async move {
        let Some(engine) = alive() else { return Err("Skilltender is quitting.".to_owned()) };
        let ended = match finished {
            // In the meantime the approval may have been revoked, or the approved server may be a different one.
            Ok(_) if engine.state().agreed(&server).map(|want| want.spec) != Ok(spec) => {
                Err(format!("{server} is not what it was when the sign-in began, so it was not kept."))
            }
            Ok(signed_in) => {
                engine.gateway().keep_sign_in(&server, &url, signed_in).await.map_err(|error| error.message)
            }
            Err(message) => Err(message),
        };
        // If the loop has ended, nothing needs to be published.
        drop(publish(&engine, &server, None, ended.as_ref().err().cloned()).await);
        if ended.is_ok() {
            engine.gateway().stop(&server).await;
            if let Ok(want) = engine.state().agreed(&server) {
                begin(&engine, &want).map_err(|error| error.message)?;
            }
        }
        ended
    });
    Ok(asked)
}

/// Cancels a pending sign-in.
///
/// # Errors
/// When the engine is quitting.
pub async fn cancel_sign_in(engine: &Engine, name: &str) -> Result<(), ActionError> {
    engine.gateway().sign_ins().cancel(name);
    publish(engine, name, None, None).await
}

/// Waits until the latest sign-in has ended.
///
/// # Errors
/// When it did not succeed, or none was begun.
pub async fn await_sign_in(engine: &Engine, name: &str) -> Result<(), ActionError> {
    match engine.gateway().sign_ins().ended(name).await {
        Some(Ok(())) => Ok(()),
        Some(Err(message)) => Err(failed(ErrorKind::Refused, message)),
        None => Err(failed(ErrorKind::Refused, format!("No sign-in at {name} is under way."))),
    }
}

/// Signs the user out: the tokens are forgotten, the server is stopped, and the authorization server is asked to revoke
/// the tokens, if it supports that.
///
/// # Errors
/// When the keychain that stores the tokens does not answer.
pub async fn sign_out(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    cancel_sign_in(engine, name).await?;
    let want = wanted(engine, name).await?;
    let url = want.spec.as_ref().ok().and_then(sign_in::address).map(str::to_owned);
    let Some(url) = url.filter(|_| want.signed_in) else {
        return Err(failed(ErrorKind::Refused, format!("Nobody is signed in at {name}.")));
    };
    let (secrets, server, at) = (engine.secrets(), name.to_owned(), url.clone());
    let kept = blocking(move || sign_in::read(&secrets, &server, &at).map_err(|error| still_signed_in(&error))).await?;
    engine.gateway().forget_sign_in(name, &url).await?;
    engine.gateway().stop(name).await;
    if let Some(kept) = kept {
        // It may take a while, and nothing depends on it.
        tokio::spawn(async move { kept.revoke(&url).await });
    }
    Ok(())
}

/// Forgets every sign-in to a server except the one at the approved address, if any: sign-ins belong to the approval.
pub(super) async fn forget_others(engine: &Engine, name: &str, agreed: Option<&str>) -> Result<(), ActionError> {
    let state = engine.state().now();
    let other = |Slot { key, server, name: place }: &Slot| {
        let url = (key.is_empty() && server == name).then_some(place)?;
        (Some(url.as_str()) != agreed).then(|| url.clone())
    };
    for url in state.given.secrets.keys().filter_map(other) {
        engine.gateway().sign_ins().cancel(name);
        engine.gateway().forget_sign_in(name, &url).await?;
    }
    Ok(())
}

/// Forgets the sign-ins to servers that were approved for this skill alone, because the skill is deleted for good.
pub(super) async fn forget_of(engine: &Engine, key: &str) -> Result<(), ActionError> {
    let approvals = Arc::clone(&engine.state().now().servers.approvals);
    let catalog = engine.state().catalog();
    for (server, users) in approvals.users_of(key) {
        if users.iter().all(|user| catalog.by_key(user).is_none()) {
            forget_others(engine, server, None).await?;
        }
    }
    Ok(())
}

/// Publishes in the snapshot what a sign-in waits for, or why it failed.
async fn publish(
    engine: &Engine,
    name: &str,
    asked: Option<SignInAsked>,
    trouble: Option<String>,
) -> Result<(), ActionError> {
    let observed = Observed { server: name.to_owned(), what: What::SignIn { asked, trouble } };
    engine.state().change(move |state| state.servers.observe(observed)).await.map(drop)
}

#[cfg(test)]
mod tests;
