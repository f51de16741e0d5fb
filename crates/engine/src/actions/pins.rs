//! What a person does about packages without a fixed version: asks which one it is now, and pins it.

use super::{failed, servers::wanted, writing};
use crate::{
    Engine,
    saving::Saving,
    servers::{self, Fetched, Kind, Pin, Want},
    view::{ActionError, ErrorKind, PinOffer},
};

/// Asks the package's own client which version the package of a server is now. That makes a connection.
///
/// # Errors
/// When nothing is fetched for the server, or nobody says which version it is.
pub async fn offer_version(engine: &Engine, name: &str) -> Result<PinOffer, ActionError> {
    writing(engine)?;
    let want = wanted(engine, name).await?;
    let fetched = fetched(&want)?;
    servers::ask_for_programs(engine.machine(), false).await;
    let search = servers::search_programs(engine.machine());
    let version = servers::offered_version(engine.machine(), &search, &fetched);
    let version = version.await.map_err(|message| {
        let hints = vec![format!("`skilltender servers pin {name} VERSION` pins it to one that you name.")];
        ActionError { hints, ..failed(ErrorKind::System, message) }
    })?;
    Ok(PinOffer { server: name.to_owned(), package: fetched.package, version })
}

/// Has a server's package be of this version from now on. It is asked anew whether the server may run.
///
/// # Errors
/// When that is no version, or nothing without one is fetched for the server.
pub async fn pin_server(engine: &Engine, name: &str, version: &str) -> Result<(), ActionError> {
    writing(engine)?;
    if !servers::is_version(version) {
        return Err(failed(ErrorKind::Input, format!("{version} is no version, such as 1.2.3.")));
    }
    // As the skill names it: a pin of before is no reason not to take another one.
    let (before, _) = pins(engine, name, Vec::new()).await?;
    let fetched = wanted(engine, name).await.and_then(|want| fetched(&want));
    let fetched = match fetched {
        Ok(fetched) if !fetched.is_pinned() => fetched,
        other => {
            pins(engine, name, before).await?;
            let message = format!("The skill names a version for {name} itself, so there is nothing to pin.");
            return Err(other.err().unwrap_or_else(|| failed(ErrorKind::Refused, message)));
        }
    };
    let pin = Pin { server: name.to_owned(), package: fetched.package, version: version.to_owned() };
    let (_, saving) = pins(engine, name, vec![pin]).await?;
    servers::look_now(engine).await;
    saving.done().await
}

/// Forgets the version that a server's package was pinned to.
///
/// # Errors
/// When it was not pinned.
pub async fn unpin_server(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let (before, saving) = pins(engine, name, Vec::new()).await?;
    if before.is_empty() {
        return Err(failed(ErrorKind::NotFound, format!("The server {name} is not pinned.")));
    }
    servers::look_now(engine).await;
    saving.done().await
}

/// Gives a server these pins, and says which it had.
async fn pins(engine: &Engine, name: &str, now: Vec<Pin>) -> Result<(Vec<Pin>, Saving), ActionError> {
    let name = name.to_owned();
    engine
        .apply(move |state| {
            let pins = &mut state.choices.servers.pins;
            let (before, mut others) =
                std::mem::take(pins).into_iter().partition::<Vec<_>, _>(|pin| pin.server == name);
            others.extend(now);
            *pins = others;
            before
        })
        .await
}

/// What is fetched for a server.
fn fetched(want: &Want) -> Result<Fetched, ActionError> {
    let form = want.form.as_ref().map_err(|_| failed(ErrorKind::Refused, servers::not_yet(want)))?;
    let fetched = match &form.kind {
        Kind::Program { argv, .. } => Fetched::of(argv),
        Kind::Address { .. } => None,
    };
    let message = || format!("Nothing is fetched for the server {}, so it has no version to pin.", want.name);
    fetched.ok_or_else(|| failed(ErrorKind::Refused, message()))
}
