//! The user's choices about clients' files, and the clients that they described.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Choices;

/// The user's choices about the files of one client.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientChoice {
    /// Whether our entry is put back, once, if the client drops it while it runs.
    pub again: bool,
    /// Whether we wait for the client to quit, to check whether our entry is still there.
    pub pending: bool,
    /// Edited entries that the user kept: their SHA-256, by the file's path.
    pub kept: BTreeMap<String, String>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A client that the user described.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomChoice {
    /// Its permanent id: `custom-` and its first name.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// The id of the client that uses the same file format.
    pub like: String,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Choices {
    /// Changes the choices about a client's files. A client without choices has no entry.
    pub fn about_client(&mut self, id: &str, change: impl FnOnce(&mut ClientChoice)) {
        let choice = self.connections.entry(id.to_owned()).or_default();
        change(choice);
        if *choice == ClientChoice::default() {
            self.connections.remove(id);
        }
    }
}
