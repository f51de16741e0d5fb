//! What a person chooses for clients: the parts of the server that they may use.

use mcp::Surface;

use crate::{
    Engine,
    actions::{clients::look_at, failed, unknown_client, writing},
    tokens::BY_HAND,
    view::{ActionError, ErrorKind},
};

/// Switches a part of the server on or off, for one client or, without one, for all that have no
/// switch of their own. `None` takes the switch away: the client follows the others, and they are on.
///
/// # Errors
/// When there is no such client.
pub async fn set_surface(
    engine: &Engine,
    client: Option<String>,
    surface: Surface,
    on: Option<bool>,
) -> Result<(), ActionError> {
    engine
        .change(move |state| {
            if let Some(id) = client.as_ref().filter(|id| *id != BY_HAND && !state.clients.contains_key(*id)) {
                return Err(unknown_client(id, state.clients.keys().map(String::as_str)));
            }
            state.choices.settings.switch(client, surface, on);
            Ok(())
        })
        .await?
}

/// Serves HTTP at another port of this computer from now on. Entries of clients that name the old one are out of date then.
///
/// # Errors
/// When the port is one for the system's own services (below 1024), or cannot be opened: all stays as it was. Or when it cannot be saved.
pub async fn set_port(engine: &Engine, port: u16) -> Result<(), ActionError> {
    const FIRST: u16 = 1024;
    writing(engine)?;
    if port < FIRST {
        let message = format!("{port} is no port for Skilltender: choose one from {FIRST} to {}.", u16::MAX);
        return Err(failed(ErrorKind::Input, message));
    }
    let moved = engine.move_to_port(port).await;
    let (ids, _) = engine.apply(|state| state.clients.keys().cloned().collect::<Vec<_>>()).await?;
    for id in ids {
        // An entry with another port is out of date now.
        look_at(engine, &id).await?;
    }
    moved
}

/// Keeps skills that are not ready from clients, or no longer.
///
/// # Errors
/// When the engine is quitting.
pub async fn set_withhold(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.change(move |state| state.choices.servers.withhold = on).await
}

/// Offers packed skills beside their files, or no longer.
///
/// # Errors
/// When the engine is quitting.
pub async fn set_archives(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.change(move |state| state.choices.settings.archives = on).await
}
