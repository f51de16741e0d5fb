//! Actions for packages without a fixed version: asking for the current version, and pinning it.

use api::{ActionError, ErrorKind, PinOffer, failed};
use choices::Pin;
use servers::{Fetched, Kind, Requirement};
use state::saving::Saving;

use super::{servers::wanted, writing};
use crate::Engine;

/// Asks the package manager for the current version of a server's package. This makes a connection.
///
/// # Errors
/// When nothing is fetched for the server, or the version cannot be found out.
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

/// Pins a server's package to this version. The server then needs approval again.
///
/// # Errors
/// When that is not a version, or the server fetches nothing without a fixed version.
pub async fn pin_server(engine: &Engine, name: &str, version: &str) -> Result<(), ActionError> {
    writing(engine)?;
    if !servers::is_version(version) {
        return Err(failed(ErrorKind::Input, format!("{version} is no version, such as 1.2.3.")));
    }
    // Checked against the skill's own command: an earlier pin does not rule out a new one.
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
    engine.gateway().reconcile().await;
    saving.done().await
}

/// Removes the pin of a server's package.
///
/// # Errors
/// When it was not pinned.
pub async fn unpin_server(engine: &Engine, name: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let (before, saving) = pins(engine, name, Vec::new()).await?;
    if before.is_empty() {
        return Err(failed(ErrorKind::NotFound, format!("The server {name} is not pinned.")));
    }
    engine.gateway().reconcile().await;
    saving.done().await
}

/// Sets the pins of a server, and returns the earlier ones.
async fn pins(engine: &Engine, name: &str, now: Vec<Pin>) -> Result<(Vec<Pin>, Saving), ActionError> {
    let name = name.to_owned();
    engine
        .state()
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

/// The package that is fetched for a server.
fn fetched(want: &Requirement) -> Result<Fetched, ActionError> {
    let spec = want.spec.as_ref().map_err(|_| failed(ErrorKind::Refused, servers::not_yet(want)))?;
    let fetched = match &spec.kind {
        Kind::Program { argv, .. } => Fetched::of(argv),
        Kind::Address { .. } => None,
    };
    let message = || format!("Nothing is fetched for the server {}, so it has no version to pin.", want.name);
    fetched.ok_or_else(|| failed(ErrorKind::Refused, message()))
}
