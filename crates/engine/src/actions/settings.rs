//! What a person chooses for clients: the parts of the server that they may use.

use mcp::Surface;

use crate::{Engine, actions::unknown_client, tokens::BY_HAND, view::ActionError};

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
