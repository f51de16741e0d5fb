//! What a person does with the tokens of HTTP: give a client one of its own, replace one that others
//! may have seen, take one away. Each holds at the next request, without a restart.

use super::{blocking, clients::look_at, failed, unknown_client, writing};
use crate::{
    Engine,
    tokens::{BY_HAND, Tokens},
    view::{ActionError, ErrorKind},
};

/// The token with which a client connects over HTTP; made when it has none. `by-hand` names the one
/// for whoever connects without being a client that we know.
///
/// # Errors
/// When there is no such client, or the token cannot be kept.
pub async fn client_token(engine: &Engine, client: &str) -> Result<String, ActionError> {
    change(engine, client, |tokens, client| tokens.of(client)).await
}

/// Gives a client another token: the old one opens nothing from now on, and what it opened ends. The
/// client's own config still holds the old one until its entry is written anew.
///
/// # Errors
/// As [`client_token`].
pub async fn replace_token(engine: &Engine, client: &str) -> Result<String, ActionError> {
    change(engine, client, |tokens, client| tokens.replace(client)).await
}

/// Takes a client's token away. Nothing happens when it has none.
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
    let id = client.to_owned();
    let known = engine.change(move |state| match id == BY_HAND || state.clients.contains_key(&id) {
        true => Ok(()),
        false => Err(unknown_client(&id, state.clients.keys().map(String::as_str))),
    });
    known.await??;
    if engine.serving().is_none() {
        writing(engine)?;
    }
    let (inner, id) = (engine.clone(), client.to_owned());
    let changed = move || {
        Ok(inner.change_tokens(|tokens| {
            let done = act(tokens, &id);
            (done, tokens.all().contains_key(&id))
        })?)
    };
    let (done, has) = blocking(changed).await?;
    let id = client.to_owned();
    engine.change(move |state| state.client(&id).token = has).await?;
    // An entry with another token is out of date now.
    look_at(engine, client).await?;
    Ok(done)
}
