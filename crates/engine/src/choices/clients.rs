//! What a person chose about clients' files, and the clients that they described themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Choices;

/// What a person chose about the files of one client.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ClientChoice {
    /// Whether our entry is put back, once, should the client drop it while it runs.
    pub(crate) again: bool,
    /// Whether the client's end is waited for, to see whether our entry outlived it.
    pub(crate) pending: bool,
    /// Entries that somebody edited and the person left so: their SHA-256, by the file's path.
    pub(crate) kept: BTreeMap<String, String>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// A client that a person described.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CustomChoice {
    /// Names it for ever: `custom-` and the first name that it was given.
    pub(crate) id: String,
    /// What people call it.
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: String,
    /// The id of the client that writes its file in the same way.
    pub(crate) like: String,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

impl Choices {
    /// Changes what was chosen about a client's files. A client about which nothing is chosen has no line.
    pub(crate) fn about_client(&mut self, id: &str, change: impl FnOnce(&mut ClientChoice)) {
        let choice = self.connections.entry(id.to_owned()).or_default();
        change(choice);
        if *choice == ClientChoice::default() {
            self.connections.remove(id);
        }
    }
}
