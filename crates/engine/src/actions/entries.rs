//! Lookups about clients: our entry as text, and the servers that others configured.

use api::{ActionError, ConfiguredServer, EntryText, ErrorKind, Transport, failed};
use state::{blocking, client_context};

use super::clients::on_disk;
use crate::Engine;

/// Our entry as text, for a user who adds it to the file by hand.
///
/// # Errors
/// When there is no such client, or it cannot reach us over this transport.
pub async fn entry_text(engine: &Engine, client: &str, transport: Option<Transport>) -> Result<EntryText, ActionError> {
    let way = on_disk(engine, client, move |_, context, known| connect::way(context, known, transport, false)).await?;
    if way == Transport::Http {
        super::client_token(engine, client).await?;
    }
    on_disk(engine, client, move |_, context, known| {
        let text = connect::entry_text(context, known, way)?;
        // The program that the text names has to exist.
        connect::restore_program(&context.machine).map_err(|error| {
            failed(
                ErrorKind::System,
                format!("The program that the entry runs could not be put in its place: {error}."),
            )
        })?;
        Ok(text)
    })
    .await
}

/// The servers in all clients' files that we did not add, by client and then in file order.
///
/// # Errors
/// When the engine is quitting.
pub async fn configured_servers(engine: &Engine) -> Result<Vec<ConfiguredServer>, ActionError> {
    let context = client_context(&engine.state().now());
    blocking(move || Ok(connect::configured(&context))).await
}
