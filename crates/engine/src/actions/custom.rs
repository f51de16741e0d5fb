//! Clients that a person describes: a file, and a client that we know and whose file is alike.

use super::failed;
use crate::{
    Engine,
    view::{ActionError, CustomClient, ErrorKind},
};

/// Takes in a client that a person describes, and gives its id.
///
/// # Errors
/// When its file or the client that it is like does not hold.
pub async fn add_client(_engine: &Engine, _client: CustomClient) -> Result<String, ActionError> {
    Err(failed(ErrorKind::Refused, "Other clients cannot be described yet."))
}

/// Forgets a client that a person described. Its file stays as it is.
///
/// # Errors
/// When there is no such client.
pub async fn remove_client(_engine: &Engine, client: &str) -> Result<(), ActionError> {
    Err(failed(ErrorKind::NotFound, format!("No client \"{client}\" was described.")))
}
