//! Changes of the list of secrets, after which the snapshot says what there is: for actions and for the gateway, which
//! stores the tokens of a sign-in.

use api::{ActionError, ErrorKind, Keychain, failed};
use mcp::SignedIn;
use secrets::{KeychainAsked, Secrets, SecretsError};
use servers::sign_in;
use state::{State, blocking};

use crate::gateway::Gateway;

impl Gateway {
    /// Does something with the secrets, and publishes which there are now and how the keychain answered.
    ///
    /// # Errors
    /// When the engine has stopped. What `act` returned is inside.
    pub async fn with_secrets(
        &self,
        act: impl FnOnce(&Secrets) -> Result<KeychainAsked, SecretsError> + Send + 'static,
    ) -> Result<Result<KeychainAsked, SecretsError>, ActionError> {
        let secrets = self.secrets();
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
        self.state().change(publish).await?;
        self.reconcile_if_serving().await;
        Ok(done)
    }

    /// Stores the user's tokens. Without a keychain they are kept in memory until Skilltender quits, as secrets are.
    ///
    /// # Errors
    /// When the list of secrets cannot be saved, or the engine has stopped.
    pub async fn keep_sign_in(&self, name: &str, url: &str, signed_in: SignedIn) -> Result<(), ActionError> {
        let (server, at) = (name.to_owned(), url.to_owned());
        match self.with_secrets(move |secrets| sign_in::keep(secrets, &server, &at, &signed_in)).await? {
            Ok(_) | Err(SecretsError::Keychain(_)) => Ok(()),
            Err(SecretsError::Index(error)) => {
                Err(failed(ErrorKind::System, format!("You stay signed in only until Skilltender quits. {error}")))
            }
        }
    }

    /// Forgets the user's tokens for one address.
    ///
    /// # Errors
    /// When the keychain that stores them does not answer, or the engine has stopped.
    pub async fn forget_sign_in(&self, name: &str, url: &str) -> Result<(), ActionError> {
        let (server, at) = (name.to_owned(), url.to_owned());
        let done = self.with_secrets(move |secrets| sign_in::forget(secrets, &server, &at)).await?;
        done.map(drop).map_err(|error| still_signed_in(&error))
    }
}

/// The error about tokens that the keychain does not give up.
pub fn still_signed_in(error: &SecretsError) -> ActionError {
    failed(ErrorKind::Keychain, format!("You are still signed in. {error}"))
}
