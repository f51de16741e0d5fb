//! A person's tokens for one server at one address.
//!
//! Tokens are stored where secrets are (`secrets`), under the server's name and its exact address: a server
//! that moved gets none of them. The sign-in itself is left to `mcp`, a person's request for one to
//! the engine's actions.

use std::sync::Arc;

use mcp::Bearer;
use servers::{
    LaunchSpec,
    sign_in::{address, read, slot},
};
use state::blocking;

use crate::gateway::Gateway;

/// Whether a sign-in is stored.
pub(crate) fn is_kept(gateway: &Gateway, server: &str, url: &str) -> bool {
    gateway.secrets().facts().contains_key(&slot(server, url))
}

/// The token for a server with a sign-in. A new token is stored, and a refused one forgotten, before the next
/// request.
///
/// # Errors
/// When the keychain does not give them out, as a sentence.
pub(crate) async fn bearer(gateway: &Gateway, spec: &LaunchSpec) -> Result<Option<Bearer>, String> {
    let Some(url) = address(spec).map(str::to_owned) else { return Ok(None) };
    let (secrets, server, at) = (gateway.secrets(), spec.name.clone(), url.clone());
    let read = blocking(move || {
        read(&secrets, &server, &at).map_err(|error| api::failed(api::ErrorKind::Keychain, error.to_string()))
    });
    let Some(signed_in) = read.await.map_err(|error| error.message)? else { return Ok(None) };
    let (alive, server, at) = (gateway.downgrade(), spec.name.clone(), url.clone());
    let keep: mcp::Keep = Arc::new(move |signed_in| {
        let (gateway, server, at) = (alive(), server.clone(), at.clone());
        Box::pin(async move {
            let Some(gateway) = gateway else { return };
            let kept = match signed_in {
                Some(signed_in) => gateway.keep_sign_in(&server, &at, signed_in).await,
                None => gateway.forget_sign_in(&server, &at).await,
            };
            if let Err(error) = kept {
                tracing::warn!("What became of the sign-in at {server} is not remembered: {error}");
            }
        })
    });
    Ok(Some(Bearer::new(&url, signed_in, keep)))
}
