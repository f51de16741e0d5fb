//! What a person looks up about clients: our entry as text, and the servers that others configured.

use super::failed;
use crate::{
    Engine,
    view::{ActionError, ConfiguredServer, EntryText, ErrorKind, Transport},
};

/// Our entry as text, for a person who puts it into the file by hand.
///
/// # Errors
/// When there is no such client, or it cannot reach us in this way.
pub async fn entry_text(
    _engine: &Engine,
    client: &str,
    _transport: Option<Transport>,
) -> Result<EntryText, ActionError> {
    Err(failed(ErrorKind::NotFound, format!("Skilltender knows no client \"{client}\".")))
}

/// The servers in all clients' files that we did not add, by client and then as they stand.
///
/// # Errors
/// When the engine is quitting.
pub async fn configured_servers(_engine: &Engine) -> Result<Vec<ConfiguredServer>, ActionError> {
    Ok(Vec::new())
}
