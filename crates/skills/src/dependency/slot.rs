//! Where the value of a parameter belongs. Storing values is left to the caller.

use serde::{Deserialize, Serialize};

use crate::path::below;

/// The place of one value: a parameter of one server of one skill. The same name in another skill, or of another
/// server, is another slot (security rule 19).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot {
    /// The skill's key; empty for a sign-in, which belongs to no single skill.
    pub key: String,
    /// The server's name.
    pub server: String,
    /// The parameter's name.
    pub name: String,
}

/// The name under which the way of starting a server is stored among the plain values: no parameter can have
/// it.
const WAY: &str = "(way)";

impl Slot {
    /// The slot for the person's choice of a way to start a server.
    pub fn way(key: &str, server: &str) -> Self {
        Self { key: key.to_owned(), server: server.to_owned(), name: WAY.to_owned() }
    }

    /// The same under the skill's new key; `None` for a slot of another skill. Skills inside it move with it.
    pub fn moved(&self, from: &str, to: &str) -> Option<Self> {
        below(&self.key, from)?;
        Some(Self { key: format!("{to}{}", &self.key[from.len()..]), ..self.clone() })
    }
}
