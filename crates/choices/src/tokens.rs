//! The tokens of the HTTP endpoint: one per client, and one for connections by hand.
//!
//! They are kept in `tokens.json`, which only the user may read. They guard a port of this computer and are not
//! secrets of the user's: the `by-hand` one is shown, and a client's is in its own config. Checking a request's
//! token is left to `mcp`.

use std::{collections::BTreeMap, path::Path};

use api::Notice;
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use files::store;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::stored;

/// The id for connections that belong to no known client.
pub const BY_HAND: &str = "by-hand";

/// The file's name in the data folder.
pub const FILE: &str = "tokens.json";

/// Tokens by client id.
#[derive(Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    #[serde(default)]
    tokens: BTreeMap<String, String>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Tokens {
    /// The tokens in `path`. Creates the `by-hand` one if it is missing. The notice says what was wrong with
    /// the file.
    pub fn load(path: &Path) -> (Self, Option<Notice>) {
        let (mut tokens, notice) = stored::load::<Self>(path);
        if tokens.tokens.contains_key(BY_HAND) {
            return (tokens, notice);
        }
        tokens.tokens.insert(BY_HAND.to_owned(), fresh());
        let unsaved = store::save(path, &tokens).err().map(|error| Notice {
            id: "tokens".to_owned(),
            message: format!("The token for connecting by hand holds only until you quit: {error}"),
        });
        (tokens, unsaved.or(notice))
    }

    /// The tokens in `path`, for an engine that writes nothing. A `by-hand` one that is missing holds only as long as it
    /// runs.
    pub fn peek(path: &Path) -> Self {
        let mut tokens = store::peek::<Self>(path);
        tokens.of(BY_HAND);
        tokens
    }

    /// The clients with a token of their own; none if the file cannot be read.
    pub fn holders(path: &Path) -> Vec<String> {
        let tokens = store::peek::<Self>(path).tokens;
        tokens.into_keys().filter(|client| client != BY_HAND).collect()
    }

    /// The token of a client; created when it has none.
    pub fn of(&mut self, client: &str) -> String {
        self.tokens.entry(client.to_owned()).or_insert_with(fresh).clone()
    }

    /// A new token for a client, in place of its old one.
    pub fn replace(&mut self, client: &str) -> String {
        let token = fresh();
        self.tokens.insert(client.to_owned(), token.clone());
        token
    }

    /// Restores a client's earlier token, unless it has another by now.
    pub fn take_back(&mut self, client: &str, token: &str) {
        self.tokens.entry(client.to_owned()).or_insert_with(|| token.to_owned());
    }

    /// Revokes a client's token.
    pub fn forget(&mut self, client: &str) {
        self.tokens.remove(client);
    }

    /// The token to show to a person.
    pub fn by_hand(&self) -> &str {
        &self.tokens[BY_HAND]
    }

    /// Every client's id and token.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.tokens
    }
}

/// 32 random bytes, encoded for use in a header, a URL and a shell.
fn fresh() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(machine::random::bytes::<32>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_has_256_bits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        let (first, _) = Tokens::load(&path);
        let (second, notice) = Tokens::load(&path);
        assert_eq!(first.by_hand(), second.by_hand());
        assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(first.by_hand()).unwrap().len(), 32);
        assert_eq!(notice, None);
    }

    #[test]
    fn an_engine_that_writes_nothing_has_the_stored_tokens_or_one_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        assert_ne!(Tokens::peek(&path).by_hand(), Tokens::peek(&path).by_hand());
        assert!(!path.exists());
        let (stored, _) = Tokens::load(&path);
        assert_eq!(Tokens::peek(&path).by_hand(), stored.by_hand());
    }

    #[test]
    fn two_machines_have_different_tokens() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (one, _) = Tokens::load(&here.path().join("tokens.json"));
        let (other, _) = Tokens::load(&there.path().join("tokens.json"));
        assert_ne!(one.by_hand(), other.by_hand());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        drop(Tokens::load(&path));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn tokens_of_clients_stay_when_the_by_hand_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        std::fs::write(&path, r#"{"version": 1, "tokens": {"codex": "abc"}, "later": true}"#).unwrap();
        let (tokens, _) = Tokens::load(&path);
        assert_eq!(tokens.all()["codex"], "abc");
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"later\": true"));
    }
}
