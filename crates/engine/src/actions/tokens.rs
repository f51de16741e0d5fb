//! User actions on HTTP tokens: give a client one, replace one that others may have seen, remove one. Each takes effect
//! at the next request, without a restart.

use api::{ActionError, ErrorKind, failed, unknown_client};
use choices::tokens::{BY_HAND, Tokens};
use connect::file_failed;
use state::blocking;

use super::{clients::read_client, writing};
use crate::Engine;

/// The token with which a client connects over HTTP; created if it has none. `by-hand` names the token for clients that
/// are not in the table.
///
/// # Errors
/// When there is no such client, or the token cannot be saved.
pub async fn client_token(engine: &Engine, client: &str) -> Result<String, ActionError> {
    change(engine, client, |tokens, client| tokens.of(client)).await
}

/// Replaces a client's token: the old one is no longer accepted, and its connections end. The client's own config
/// contains the old one until its entry is written again.
///
/// # Errors
/// As [`client_token`].
pub async fn replace_token(engine: &Engine, client: &str) -> Result<String, ActionError> {
    change(engine, client, |tokens, client| tokens.replace(client)).await
}

/// Removes a client's token. Does nothing when it has none.
///
/// # Errors
/// As [`client_token`], and for `by-hand`, which can only be replaced.
pub async fn forget_token(engine: &Engine, client: &str) -> Result<(), ActionError> {
    if client == BY_HAND {
        let message = "The token for connecting by hand is always there. Replace it, and the old one opens nothing.";
        return Err(failed(ErrorKind::Refused, message));
    }
    change(engine, client, Tokens::forget).await
}

async fn change<T: Send + 'static>(
    engine: &Engine,
    client: &str,
    act: impl FnOnce(&mut Tokens, &str) -> T + Send + 'static,
) -> Result<T, ActionError> {
    let state = engine.state().now();
    if client != BY_HAND && !state.clients.contains_key(client) {
        return Err(unknown_client(client, state.clients.keys().map(String::as_str)));
    }
    if engine.serving().is_none() {
        writing(engine)?;
    }
    let (inner, id) = (engine.clone(), client.to_owned());
    let changed = move || {
        inner
            .change_tokens(|tokens| {
                let done = act(tokens, &id);
                (done, tokens.all().contains_key(&id))
            })
            .map_err(file_failed)
    };
    let (done, has) = blocking(changed).await?;
    let id = client.to_owned();
    engine.state().change(move |state| state.client(&id).token = has).await?;
    // An entry with another token is outdated now.
    read_client(engine, client).await?;
    Ok(done)
}
