//! Sign-ins: a person's tokens for one server at one address, and the sign-ins under way.
//!
//! Tokens are stored where secrets are ([`Secrets`]), under the server's name and its exact address: a server
//! that moved gets none of them. The sign-in itself is left to `mcp`, a person's request for one to
//! [`crate::actions`].

use std::{collections::BTreeMap, sync::Arc};

use machine::waiting::{Mutex, MutexGuard};
use mcp::{Bearer, SignIn, SignedIn};
use secrets::{KeychainAsked, Secret, Secrets, SecretsError};
use skills::Slot;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::form::{Form, Kind};
use crate::{Engine, actions};

/// How a sign-in ended; the error is a sentence.
pub(crate) type Ended = Result<(), String>;

/// The sign-ins that wait for their person, at most one for each server.
#[derive(Default)]
pub(crate) struct SignIns {
    under_way: Mutex<BTreeMap<String, UnderWay>>,
}

struct UnderWay {
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ended>>,
}

impl SignIns {
    /// Waits for the person, in place of an earlier sign-in at this server; `over` gets the result.
    pub(crate) fn begin<F>(
        &self,
        server: &str,
        sign_in: SignIn,
        over: impl FnOnce(Result<SignedIn, String>) -> F + Send + 'static,
    ) where
        F: Future<Output = Ended> + Send + 'static,
    {
        let (tell, ended) = watch::channel(None);
        let stop = CancellationToken::new();
        let under_way = UnderWay { stop: stop.clone(), ended };
        if let Some(before) = self.under_way().insert(server.to_owned(), under_way) {
            before.stop.cancel();
        }
        tokio::spawn(async move {
            let finished = stop.run_until_cancelled(sign_in.finish()).await;
            let ending = match finished {
                Some(finished) => over(finished.map_err(|error| error.to_string())).await,
                // The sign-in was cancelled deliberately.
                None => Err("The sign-in was cancelled.".to_owned()),
            };
            tell.send_replace(Some(ending));
        });
    }

    /// Cancels the wait for a person and closes its listener.
    pub(crate) fn cancel(&self, server: &str) {
        if let Some(under_way) = self.under_way().remove(server) {
            under_way.stop.cancel();
        }
    }

    /// Cancels all of them.
    pub(crate) fn cancel_all(&self) {
        std::mem::take(&mut *self.under_way()).into_values().for_each(|under_way| under_way.stop.cancel());
    }

    /// Waits until the last sign-in at a server has ended; `None` without one.
    pub(crate) async fn ended(&self, server: &str) -> Option<Ended> {
        let mut ended = self.under_way().get(server)?.ended.clone();
        ended.wait_for(Option::is_some).await.ok()?.clone()
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, UnderWay>> {
        self.under_way.lock()
    }
}

/// The slot of a sign-in's tokens. No skill has an empty key.
pub(crate) fn slot(server: &str, url: &str) -> Slot {
    Slot { key: String::new(), server: server.to_owned(), name: url.to_owned() }
}

/// The URL of a server where a person may sign in: one at an address, whose skill does not set the
/// authorization itself.
pub(crate) fn address(form: &Form) -> Option<&str> {
    let Kind::Address { url, headers } = &form.kind else { return None };
    let mut names = headers.keys().chain(form.secrets.keys());
    (!names.any(|name| name.eq_ignore_ascii_case("authorization"))).then_some(url)
}

/// The stored sign-in; `None` also for text in an unknown format.
pub(crate) fn read(secrets: &Secrets, server: &str, url: &str) -> Result<Option<SignedIn>, SecretsError> {
    let secret = secrets.read(&slot(server, url))?;
    Ok(secret.and_then(|secret| SignedIn::from_text(secret.expose())))
}

/// Whether a sign-in is stored.
pub(super) fn is_kept(engine: &Engine, server: &str, url: &str) -> bool {
    engine.secrets().facts().contains_key(&slot(server, url))
}

/// Stores a sign-in in place of an earlier one. One of more than 32 kB, larger than any real token, is not
/// stored, and the person must sign in again after a restart.
pub(crate) fn keep(
    secrets: &Secrets,
    server: &str,
    url: &str,
    signed_in: &SignedIn,
) -> Result<KeychainAsked, SecretsError> {
    match Secret::new(signed_in.to_text().to_string()) {
        Ok(secret) => secrets.set(slot(server, url), secret),
        Err(_) => forget(secrets, server, url),
    }
}

pub(crate) fn forget(secrets: &Secrets, server: &str, url: &str) -> Result<KeychainAsked, SecretsError> {
    secrets.delete(&slot(server, url))
}

/// The token for a server with a sign-in. A new token is stored, and a refused one forgotten, before the next
/// request.
///
/// # Errors
/// When the keychain does not give them out, as a sentence.
pub(super) async fn bearer(engine: &Engine, form: &Form) -> Result<Option<Bearer>, String> {
    let Some(url) = address(form).map(str::to_owned) else { return Ok(None) };
    let (secrets, server, at) = (engine.secrets(), form.name.clone(), url.clone());
    let read = actions::blocking(move || {
        read(&secrets, &server, &at).map_err(|error| api::failed(api::ErrorKind::Keychain, error.to_string()))
    });
    let Some(signed_in) = read.await.map_err(|error| error.message)? else { return Ok(None) };
    let (alive, server, at) = (engine.while_it_lives(), form.name.clone(), url.clone());
    let keep: mcp::Keep = Arc::new(move |signed_in| {
        let (engine, server, at) = (alive(), server.clone(), at.clone());
        Box::pin(async move {
            let Some(engine) = engine else { return };
            let kept = match signed_in {
                Some(signed_in) => actions::keep_sign_in(&engine, &server, &at, signed_in).await,
                None => actions::forget_sign_in(&engine, &server, &at).await,
            };
            if let Err(error) = kept {
                tracing::warn!("What became of the sign-in at {server} is not remembered: {error}");
            }
        })
    });
    Ok(Some(Bearer::new(&url, signed_in, keep)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use machine::KeychainKind;

    const URL: &str = "https://mcp.example.com/mcp";

    fn secrets(home: &std::path::Path) -> Secrets {
        Secrets::new(home.join(secrets::FILE), secrets::Index::default(), KeychainKind::None)
    }

    /// A sign-in with a token of this many letters.
    fn signed_in(letters: usize) -> SignedIn {
        let text = json!({
            "host": "auth.example.com", "resource": URL, "token_endpoint": "https://auth.example.com/token",
            "revocation": null, "client_id": "1", "tokens": {"access": "é".repeat(letters)},
        });
        SignedIn::from_text(&text.to_string()).unwrap()
    }

    fn read_back(secrets: &Secrets, url: &str) -> Option<usize> {
        read(secrets, "tea", url).unwrap().map(|kept| kept.to_text().matches('é').count())
    }

    #[test]
    fn a_sign_in_is_kept_until_it_is_forgotten() {
        let data = tempfile::tempdir().unwrap();
        let secrets = secrets(data.path());
        for letters in [4_000, 10] {
            // Tests have no keychain, which the error says.
            assert!(keep(&secrets, "tea", URL, &signed_in(letters)).is_err());
            assert_eq!((secrets.facts().len(), read_back(&secrets, URL)), (1, Some(letters)));
        }
        forget(&secrets, "tea", URL).unwrap();
        assert_eq!((secrets.facts().len(), read_back(&secrets, URL)), (0, None));
    }

    #[test]
    fn another_address_or_another_server_gets_nothing() {
        let data = tempfile::tempdir().unwrap();
        let secrets = secrets(data.path());
        drop(keep(&secrets, "tea", URL, &signed_in(10)));
        for other in [
            "https://mcp.example.com/",
            "https://mcp.example.com/mcp/",
            "http://mcp.example.com/mcp",
            "https://mcp.example.com/mcp?a",
        ] {
            assert_eq!(read_back(&secrets, other), None, "{other}");
        }
        assert!(read(&secrets, "coffee", URL).unwrap().is_none());
    }

    #[test]
    fn one_signs_in_where_no_header_of_the_skill_says_who_asks() {
        let form = |headers: serde_json::Value, secrets: serde_json::Value| -> Form {
            let kind = json!({"address": {"url": URL, "headers": headers}});
            serde_json::from_value(json!({"name": "tea", "kind": kind, "secrets": secrets})).unwrap()
        };
        let used = json!({"key": "f1/tea", "server": "tea", "name": "TOKEN"});
        assert_eq!(address(&form(json!({"X-Team": "1"}), json!({}))), Some(URL));
        assert_eq!(address(&form(json!({}), json!({"X-Key": used}))), Some(URL));
        assert_eq!(address(&form(json!({}), json!({"authorization": used}))), None);
        assert_eq!(address(&form(json!({"Authorization": "Basic x"}), json!({}))), None);
    }
}
