//! Where the tokens of a sign-in are kept: where secrets are, under the server's name and its exact address, so a
//! server that moved gets none of them. Signing in is left to `engine`.

use mcp::SignedIn;
use secrets::{KeychainAsked, Secret, Secrets, SecretsError};
use skills::Slot;

use crate::{Kind, LaunchSpec};

/// The slot of a sign-in's tokens. No skill has an empty key.
pub fn slot(server: &str, url: &str) -> Slot {
    Slot { key: String::new(), server: server.to_owned(), name: url.to_owned() }
}

/// The URL of a server where a person may sign in: one at an address, whose skill does not set the
/// authorization itself.
pub fn address(spec: &LaunchSpec) -> Option<&str> {
    let Kind::Address { url, headers } = &spec.kind else { return None };
    let mut names = headers.keys().chain(spec.secrets.keys());
    (!names.any(|name| name.eq_ignore_ascii_case("authorization"))).then_some(url)
}

/// The stored sign-in; `None` also for text in an unknown format.
///
/// # Errors
/// When the keychain does not answer.
pub fn read(secrets: &Secrets, server: &str, url: &str) -> Result<Option<SignedIn>, SecretsError> {
    let secret = secrets.read(&slot(server, url))?;
    Ok(secret.and_then(|secret| SignedIn::from_text(secret.expose())))
}

/// Stores a sign-in in place of an earlier one. One of more than 32 kB, larger than any real token, is not
/// stored, and the person must sign in again after a restart.
///
/// # Errors
/// When the keychain does not take it, or the list of secrets cannot be saved.
pub fn keep(secrets: &Secrets, server: &str, url: &str, signed_in: &SignedIn) -> Result<KeychainAsked, SecretsError> {
    match Secret::new(signed_in.to_text().to_string()) {
        Ok(secret) => secrets.set(slot(server, url), secret),
        Err(_) => forget(secrets, server, url),
    }
}

/// Forgets a sign-in.
///
/// # Errors
/// When the keychain does not forget it, or the list of secrets cannot be saved.
pub fn forget(secrets: &Secrets, server: &str, url: &str) -> Result<KeychainAsked, SecretsError> {
    secrets.delete(&slot(server, url))
}

#[cfg(test)]
mod tests {
    use machine::KeychainKind;
    use serde_json::json;

    use super::*;

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
        let spec = |headers: serde_json::Value, secrets: serde_json::Value| -> LaunchSpec {
            let kind = json!({"address": {"url": URL, "headers": headers}});
            serde_json::from_value(json!({"name": "tea", "kind": kind, "secrets": secrets})).unwrap()
        };
        let used = json!({"key": "f1/tea", "server": "tea", "name": "TOKEN"});
        assert_eq!(address(&spec(json!({"X-Team": "1"}), json!({}))), Some(URL));
        assert_eq!(address(&spec(json!({}), json!({"X-Key": used}))), Some(URL));
        assert_eq!(address(&spec(json!({}), json!({"authorization": used}))), None);
        assert_eq!(address(&spec(json!({"Authorization": "Basic x"}), json!({}))), None);
    }
}
