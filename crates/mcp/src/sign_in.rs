//! Signs the user in at a server that requires it: OAuth 2.1 as MCP uses it.
//!
//! rmcp does discovery (RFC 9728, RFC 8414), registration, PKCE, the `resource` of RFC 8707 and the check of the
//! issuer. Each of its requests goes through [`reach`], which decides where a request may go. [`redirect`] receives the
//! browser's answer. A client id metadata document needs a web address, which a desktop program lacks, so each sign-in
//! registers again (RFC 7591), with the exact port on which its answer is awaited.
//!
//! This module opens no browser and keeps no token: the caller of [`SignIn`] shows its address to the user, and keeps
//! the result of [`SignIn::finish`].

mod kept;
mod reach;
mod redirect;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use reqwest::Url;
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationMetadata, OAuthClientConfig};
use tokio::net::TcpListener;

pub use self::kept::SignedIn;
pub(crate) use self::kept::{Kept, NotRenewed};
use self::{
    kept::Tokens,
    reach::Reach,
    redirect::{Answer, Redirect},
};
use crate::peer::tidied;

/// How long the user may take in the browser.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// Why a sign-in failed. It never contains a code or a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// The server does not say where to sign in.
    #[error(
        "The server does not say where one signs in. It may want a token instead, in a header that its skill declares."
    )]
    None,
    /// Only clients that were registered by hand may sign users in there.
    #[error(
        "{host} lets only those programs sign people in that its operator has registered, and Skilltender is none of them. Use a token in a header instead, if the server takes one."
    )]
    NoRegistration {
        /// The host of the sign-in.
        host: String,
    },
    /// The server names an address that is not allowed for signing in.
    #[error("The server names {address} to sign in at, which is refused: {why}.")]
    Address {
        /// The address, without its query.
        address: String,
        /// Why it is refused.
        why: &'static str,
    },
    /// A request of the discovery failed.
    #[error("Where one signs in could not be found out: {0}.")]
    Discovery(String),
    /// The user, or the authorization server, refused.
    #[error("The sign-in was refused: {0}.")]
    Refused(String),
    /// No answer came from the browser in time.
    #[error("Nobody signed in within five minutes. Try again.")]
    Late,
    /// No port could be opened on this computer.
    #[error("No port is free to hear the browser's answer: {0}.")]
    Port(String),
}

/// A sign-in that waits for the user. Dropping it ends the sign-in and closes the port.
pub struct SignIn {
    manager: AuthorizationManager,
    client: OAuthClientConfig,
    metadata: AuthorizationMetadata,
    address: Url,
    redirect: Redirect,
}

impl SignIn {
    /// Discovers where to sign in at the server of this address, and registers there. `name` is the user's name for the
    /// server; `more` are rights that it has asked for since the last sign-in, in addition to those it always asks for.
    ///
    /// # Errors
    /// If the server requires no sign-in, names a refused address, or does not answer.
    pub async fn begin(url: &str, name: &str, more: &BTreeSet<String>) -> Result<Self, SignInError> {
        super::upstream::use_ring();
        let reach = Arc::new(Reach::of(url).map_err(refused)?);
        let client = Arc::clone(&reach) as Arc<dyn rmcp::transport::auth::OAuthHttpClient>;
        let manager = AuthorizationManager::new_with_oauth_http_client(url, client).await;
        let mut manager = manager.map_err(discovery)?;
        let found = manager.resolve_metadata().await.map_err(discovery)?;
        if !found.source.is_discovered() {
            return Err(SignInError::None);
        }
        let metadata = found.metadata;
        let at = reach.allow(&metadata.authorization_endpoint).map_err(refused)?;
        for endpoint in [Some(&metadata.token_endpoint), metadata.registration_endpoint.as_ref()].into_iter().flatten()
        {
            reach.allow(endpoint).map_err(refused)?;
        }
        if metadata.registration_endpoint.is_none() {
            return Err(SignInError::NoRegistration { host: host(&at) });
        }
        manager.set_metadata(metadata.clone());
        let listener =
            TcpListener::bind(("127.0.0.1", 0)).await.map_err(|error| SignInError::Port(error.to_string()))?;
        let port = listener.local_addr().map_err(|error| SignInError::Port(error.to_string()))?.port();
        let scopes = manager.select_initial_scopes(&[]).await;
        let more = more.iter().filter(|scope| is_scope(scope) && !scopes.contains(scope));
        let scopes: Vec<_> = scopes.iter().chain(more).map(String::as_str).collect();
        let back = redirect::address(port);
        let client = manager.register_client("Skilltender", &back, &scopes).await.map_err(discovery)?;
        let address = manager.get_authorization_url(&scopes).await.map_err(discovery)?;
        let address = reach.allow(&address).map_err(refused)?;
        let state = address.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
        let state = state.ok_or(SignInError::None)?;
        let redirect = Redirect::listen(listener, port, state, name.to_owned());
        Ok(Self { manager, client, metadata, address, redirect })
    }

    /// The address for the browser: `https`, or `http` of this computer if the server runs here too.
    pub fn address(&self) -> &str {
        self.address.as_str()
    }

    /// The host that asks the user for a password, that of [`Self::address`].
    pub fn host(&self) -> String {
        host(&self.address)
    }

    /// Waits for the user and the tokens.
    ///
    /// # Errors
    /// If the user or the authorization server refuses, or no answer comes in time.
    pub async fn finish(self) -> Result<SignedIn, SignInError> {
        let Self { manager, client, metadata, address, mut redirect } = self;
        let Ok(answer) = tokio::time::timeout(PATIENCE, redirect.answer()).await else { return Err(SignInError::Late) };
        let Answer { said, state, issuer } = answer.ok_or(SignInError::Late)?;
        let signed_in = match said {
            Ok(code) => {
                let exchanged = manager.exchange_code_for_token_with_issuer(&code, &state, issuer.as_deref()).await;
                let tokens = exchanged.map_err(|error| exchange(&error));
                tokens.and_then(|tokens| {
                    Tokens::of(&tokens).ok_or_else(|| SignInError::Refused("no token was given".to_owned()))
                })
            }
            Err(why) => Err(SignInError::Refused(why)),
        };
        let signed_in = signed_in.map(|tokens| SignedIn(Kept::new(&address, &metadata, client, tokens)));
        redirect.end(signed_in.as_ref().map(drop).map_err(ToString::to_string)).await;
        signed_in
    }
}

impl SignedIn {
    /// Revokes these tokens at the authorization server, if it supports that. A failure is only logged. `url` is the
    /// server's.
    pub async fn revoke(&self, url: &str) {
        super::upstream::use_ring();
        let (Ok(reach), Some(at)) = (Reach::of(url), &self.0.revocation) else { return };
        for (hint, token) in self.0.tokens.each() {
            let mut form = vec![("token", token), ("token_type_hint", hint)];
            if self.0.client_secret.is_none() {
                // Equivalent to none (RFC 6749, 2.3.1); without it, servers of the Python SDK refuse to revoke.
                form.push(("client_secret", ""));
            }
            match reach.post(at, form, &self.0).await {
                Ok(answer) if answer.status().is_success() => {}
                Ok(answer) => tracing::info!("a sign-in was not revoked where it was made: HTTP {}", answer.status()),
                Err(error) => tracing::info!("a sign-in was not revoked where it was made: {error}"),
            }
        }
    }
}

/// Whether a word can be part of a scope (RFC 6749, 3.3).
fn is_scope(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn refused((address, why): (String, &'static str)) -> SignInError {
    SignInError::Address { address, why }
}

/// Why discovery failed. A server's own text is shortened to a line.
fn discovery(error: AuthError) -> SignInError {
    let sentence = match error {
        AuthError::NoAuthorizationSupport => return SignInError::None,
        AuthError::DiscoveryRequestFailed { source, .. } => source.to_string(),
        AuthError::PkceUnsupported => {
            "it cannot keep a sign-in from being stolen on its way (PKCE with S256)".to_owned()
        }
        AuthError::AuthorizationServersUnavailable { .. } => {
            "the place that the server names for it does not answer, or may not be asked".to_owned()
        }
        AuthError::RegistrationFailed(_) => "Skilltender could not be registered there".to_owned(),
        other => other.to_string(),
    };
    SignInError::Discovery(tidied(sentence.trim_end_matches('.')).unwrap_or_default())
}

/// The kind of refusal only: a server's text may contain the code itself.
fn exchange(error: &AuthError) -> SignInError {
    let said = match error {
        AuthError::AuthorizationServerMismatch { .. } | AuthError::AuthorizationServerMissingIssuer { .. } => {
            "the answer came from another place than the one that was asked"
        }
        AuthError::TokenExchangeFailed(why) if why.contains("invalid_grant") => "its answer was not valid any more",
        _ => "no token was given for its answer",
    };
    SignInError::Refused(said.to_owned())
}
