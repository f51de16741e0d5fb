//! Our server, as clients are told of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of our entry in every client's file.
pub const NAME: &str = "skilltender";

/// How a client reaches us.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// It runs our program and speaks over stdin and stdout: no token and no port in its file.
    Stdio {
        /// The absolute path of the program `skilltender`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// It dials our endpoint (streamable HTTP).
    Http {
        /// `http://127.0.0.1:PORT/mcp`.
        url: String,
        /// What it shows in the header `Authorization: Bearer`.
        token: String,
    },
}

/// Without the token, so that it stands in no log.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, args } => {
                f.debug_struct("Stdio").field("command", command).field("args", args).finish()
            }
            Self::Http { url, .. } => f.debug_struct("Http").field("url", url).finish_non_exhaustive(),
        }
    }
}
