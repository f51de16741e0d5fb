//! Our server, as a client's file spells it.

use serde::{Deserialize, Serialize};

/// The name of our entry in every client's file.
pub const NAME: &str = "skilltender";

/// What a client runs to reach us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The absolute path of the program `skilltender`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
}
