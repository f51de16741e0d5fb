//! Clients that the user describes: a file, and a known client that uses the same format.

use api::{ActionError, CustomClient, ErrorKind, Standing, failed};
use state::client_context;

use super::{clients::follow, writing};
use crate::Engine;

/// Adds a client that the user describes, and returns its id.
///
/// # Errors
/// When its file or the known client is invalid.
pub async fn add_client(engine: &Engine, client: CustomClient) -> Result<String, ActionError> {
    writing(engine)?;
    let added = engine.state().change(move |state| {
        let choice = connect::described(&client_context(state), client)?;
        let id = choice.id.clone();
        state.choices.custom.push(choice);
        Ok::<_, ActionError>(id)
    });
    let id = added.await??;
    follow(engine).await?;
    Ok(id)
}

/// Forgets a client that the user described. Its file stays as it is.
///
/// # Errors
/// When there is no such client, or its file contains our entry.
pub async fn remove_client(engine: &Engine, client: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let id = client.to_owned();
    engine
        .state()
        .change(move |state| {
            let Some(at) = state.choices.custom.iter().position(|custom| custom.id == id) else {
                let message = format!("No client \"{id}\" was described, so none was forgotten.");
                return Err(failed(ErrorKind::NotFound, message));
            };
            let standing = state.client(&id).file.as_ref().map(|file| file.standing.clone());
            if !matches!(standing, None | Some(Standing::Absent | Standing::Different | Standing::Refused { .. })) {
                let name = &state.choices.custom[at].name;
                let message = format!("Our entry is still in the file of {name}. Disconnect it first.");
                return Err(failed(ErrorKind::Refused, message));
            }
            state.choices.custom.remove(at);
            state.choices.connections.remove(&id);
            state.clients.remove(&id);
            Ok(())
        })
        .await?
}
