//! The kept state of a sign-in, and the renewal of its tokens.
//!
//! It is stored as one text in a keychain and nowhere else, so it has no Debug and no Display. This module renews
//! tokens instead of rmcp: rmcp's manager knows the server's spelling of the resource only during its own lifetime, and
//! a manager created from the kept state would spell it differently, which strict servers refuse.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::Url;
use rmcp::transport::auth::{AuthorizationMetadata, OAuthClientConfig, OAuthTokenResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zeroize::Zeroizing;

use super::reach::Reach;

/// A token is renewed before it is sent if it ends within this many seconds.
const SOON: u64 = 10;

/// A sign-in at a server. It contains tokens: its text is for a keychain only.
pub struct SignedIn(pub(crate) Kept);

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The host that asked the user, for display.
    host: String,
    /// The resource that the tokens are for, as the server spells it (RFC 8707).
    resource: Option<String>,
    token_endpoint: String,
    pub(super) revocation: Option<String>,
    pub(super) client_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_secret: Option<String>,
    /// Whether the client secret is sent in the form, because the server does not accept it in a header.
    #[serde(default)]
    secret_in_form: bool,
    pub(crate) tokens: Tokens,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh: Option<String>,
    /// When the access token ends, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
}

/// Why tokens were not renewed.
pub(crate) enum NotRenewed {
    /// The user has to sign in again.
    Refused,
    /// A later attempt may succeed.
    Later,
}

impl SignedIn {
    /// The text for a keychain.
    pub fn to_text(&self) -> Zeroizing<String> {
        // Texts and numbers can always be serialized.
        Zeroizing::new(serde_json::to_string(&self.0).unwrap_or_default())
    }

    /// The sign-in in a keychain's text; `None` for any other text.
    pub fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    /// The host where the user signed in.
    pub fn host(&self) -> &str {
        &self.0.host
    }
}

impl Kept {
    /// The kept state of a sign-in at `address`.
    pub(super) fn new(
        address: &Url,
        metadata: &AuthorizationMetadata,
        client: OAuthClientConfig,
        tokens: Tokens,
    ) -> Self {
        let more = |name: &str| metadata.additional_fields.get(name);
        let methods = more("token_endpoint_auth_methods_supported").and_then(Value::as_array);
        let takes = |method: &str| methods.is_some_and(|methods| methods.iter().any(|known| known == method));
        let resource = address.query_pairs().find(|(name, _)| name == "resource").map(|(_, value)| value.into_owned());
        Self {
            host: super::host(address),
            resource,
            token_endpoint: metadata.token_endpoint.clone(),
            revocation: more("revocation_endpoint").and_then(Value::as_str).map(str::to_owned),
            client_id: client.client_id,
            client_secret: client.client_secret,
            secret_in_form: takes("client_secret_post") && !takes("client_secret_basic"),
            tokens,
        }
    }

    /// The same with new tokens. `server` is the server's address, which decides which addresses may be asked.
    pub(crate) async fn renewed(&self, server: &str) -> Result<Self, NotRenewed> {
        let refresh = self.tokens.refresh.as_deref().ok_or(NotRenewed::Refused)?;
        let reach = Reach::of(server).map_err(|_| NotRenewed::Refused)?;
        let mut form = vec![("grant_type", "refresh_token"), ("refresh_token", refresh)];
        form.extend(self.resource.as_deref().map(|resource| ("resource", resource)));
        let answer = reach.post(&self.token_endpoint, form, self).await.map_err(|error| {
            tracing::info!("a sign-in could not be renewed: {error}");
            NotRenewed::Later
        })?;
        let said: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        if !answer.status().is_success() {
            let over = ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"];
            let refused = said["error"].as_str().is_some_and(|code| over.contains(&code));
            return Err(if refused { NotRenewed::Refused } else { NotRenewed::Later });
        }
        let mut tokens = Tokens::read(&said).ok_or(NotRenewed::Later)?;
        // If the server sends no new refresh token, the old one stays valid.
        tokens.refresh = tokens.refresh.or_else(|| self.tokens.refresh.clone());
        Ok(Self { tokens, ..self.clone() })
    }

    /// All values that must stay secret.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.tokens.each().map(|(_, token)| token).chain(self.client_secret.as_deref())
    }

    /// Identifies the client: in the form, or in a header if the registration came with a secret.
    pub(super) fn identify<'a>(&'a self, form: &mut Vec<(&'a str, &'a str)>) -> Option<String> {
        // Servers of the Python SDK look for the id in the form even if a header has it.
        form.push(("client_id", &self.client_id));
        let Some(secret) = self.client_secret.as_deref().filter(|_| !self.secret_in_form) else {
            form.extend(self.client_secret.as_deref().map(|secret| ("client_secret", secret)));
            return None;
        };
        let coded = |text: &str| {
            let mut url = Url::parse("http://form/").ok()?;
            url.query_pairs_mut().append_key_only(text);
            url.query().map(str::to_owned)
        };
        let both = format!("{}:{}", coded(&self.client_id)?, coded(secret)?);
        Some(format!("Basic {}", BASE64_STANDARD.encode(both)))
    }
}

impl Tokens {
    pub(super) fn of(given: &OAuthTokenResponse) -> Option<Self> {
        Self::read(&serde_json::to_value(given).ok()?)
    }

    /// The tokens in a token endpoint's answer (RFC 6749, 5.1); only bearer tokens are accepted.
    fn read(given: &Value) -> Option<Self> {
        let kind = given["token_type"].as_str()?;
        let access = given["access_token"].as_str().filter(|token| !token.is_empty())?;
        let lasts = &given["expires_in"];
        let lasts = lasts.as_u64().or_else(|| lasts.as_str()?.parse().ok());
        kind.eq_ignore_ascii_case("bearer").then(|| Self {
            access: access.to_owned(),
            refresh: given["refresh_token"].as_str().map(str::to_owned),
            until: lasts.map(|lasts| now().saturating_add(lasts)),
        })
    }

    /// Whether the tokens must be renewed before they are sent.
    pub(crate) fn end_soon(&self) -> bool {
        self.refresh.is_some() && self.until.is_some_and(|until| until <= now() + SOON)
    }

    /// Each token with its type, the refresh token first.
    pub(super) fn each(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let refresh = self.refresh.as_deref().map(|token| ("refresh_token", token));
        refresh.into_iter().chain([("access_token", self.access.as_str())])
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_tokens_for_the_bearer_are_taken_and_those_that_end_soon_are_renewed() {
        let read = |given: &Value| Tokens::read(given);
        let tokens = read(&json!({"access_token": "a", "token_type": "Bearer", "expires_in": 5, "refresh_token": "r"}));
        assert!(tokens.is_some_and(|tokens| tokens.end_soon()));
        let lasting =
            read(&json!({"access_token": "a", "token_type": "bearer", "expires_in": "3600", "refresh_token": "r"}));
        assert!(lasting.is_some_and(|tokens| !tokens.end_soon()));
        let alone = read(&json!({"access_token": "a", "token_type": "bearer", "expires_in": 5}));
        assert!(alone.is_some_and(|tokens| !tokens.end_soon()), "there is nothing to renew it with");
        assert!(read(&json!({"access_token": "a", "token_type": "mac"})).is_none());
        assert!(read(&json!({"access_token": "", "token_type": "bearer"})).is_none());
    }

    #[test]
    fn a_secret_of_the_registration_goes_where_the_server_takes_it() {
        let kept = |secret: Option<&str>, in_form| Kept {
            host: String::new(),
            resource: None,
            token_endpoint: String::new(),
            revocation: None,
            client_id: "id:1".to_owned(),
            client_secret: secret.map(str::to_owned),
            secret_in_form: in_form,
            tokens: Tokens { access: "a".to_owned(), refresh: None, until: None },
        };
        let mut form = Vec::new();
        assert_eq!(kept(None, false).identify(&mut form), None);
        let posted = kept(Some("s"), true);
        let mut form = Vec::new();
        assert_eq!(posted.identify(&mut form), None);
        assert_eq!(form, [("client_id", "id:1"), ("client_secret", "s")]);
        let mut form = Vec::new();
        let header = kept(Some("s s"), false).identify(&mut form).unwrap();
        assert_eq!(BASE64_STANDARD.decode(&header["Basic ".len()..]).unwrap(), b"id%3A1:s+s");
    }
}
