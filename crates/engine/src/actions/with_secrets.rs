//! Changes of the list of secrets, after which the snapshot says what there is: for actions and for the gateway, which
//! stores the tokens of a sign-in.

use api::{ActionError, ErrorKind, Keychain, failed};
use mcp::SignedIn;
use secrets::{KeychainAsked, Secrets, SecretsError};
use servers::sign_in;
use state::{State, blocking};

use crate::{Engine, gateway};

/// Does something with the secrets, and publishes which there are now and how the keychain answered.
pub(crate) async fn with_secrets(
    engine: &Engine,
    act: impl FnOnce(&Secrets) -> Result<KeychainAsked, SecretsError> + Send + 'static,
) -> Result<Result<KeychainAsked, SecretsError>, ActionError> {
    let secrets = engine.secrets();
    let asked = secrets.clone();
    let done = blocking(move || Ok(act(&asked))).await?;
    let keychain = match &done {
        Ok(KeychainAsked(true)) => Some(Keychain::Ready),
        Ok(KeychainAsked(false)) | Err(SecretsError::Index(_)) => None,
        Err(SecretsError::Keychain(trouble)) => Some(Keychain::Absent { message: trouble.to_string() }),
    };
    let publish = move |state: &mut State| {
        // Read again, because another task may have stored a secret in the meantime.
        state.given.secrets = secrets.facts();
        state.keychain = keychain.unwrap_or(state.keychain.clone());
    };
    engine.state().change(publish).await?;
    gateway::keep_truth(engine).await;
    Ok(done)
}

/// Stores the user's tokens. Without a keychain they are kept in memory until Skilltender quits, as secrets are.
pub(crate) async fn keep_sign_in(
    engine: &Engine,
    name: &str,
    url: &str,
    signed_in: SignedIn,
) -> Result<(), ActionError> {
    let (server, at) = (name.to_owned(), url.to_owned());
    match with_secrets(engine, move |secrets| sign_in::keep(secrets, &server, &at, &signed_in)).await? {
        Ok(_) | Err(SecretsError::Keychain(_)) => Ok(()),
        Err(SecretsError::Index(error)) => {
            Err(failed(ErrorKind::System, format!("You stay signed in only until Skilltender quits. {error}")))
        }
    }
}

/// Forgets the user's tokens for one address.
pub(crate) async fn forget_sign_in(engine: &Engine, name: &str, url: &str) -> Result<(), ActionError> {
    let (server, at) = (name.to_owned(), url.to_owned());
    let done = with_secrets(engine, move |secrets| sign_in::forget(secrets, &server, &at)).await?;
    done.map(drop).map_err(|error| not_gone(&error))
}

pub(super) fn not_gone(error: &SecretsError) -> ActionError {
    failed(ErrorKind::Keychain, format!("You are still signed in. {error}"))
}
