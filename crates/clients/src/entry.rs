//! Our server as an entry in a client's file.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of our entry in every client's file.
pub const NAME: &str = "skilltender";

/// How a client reaches us.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// The client runs our program and speaks over stdin and stdout: its file holds no token and no port.
    Stdio {
        /// The absolute path of the program `skilltender`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// The client connects to our endpoint (streamable HTTP).
    Http {
        /// `http://127.0.0.1:PORT/mcp`.
        url: String,
        /// The token that it sends in the header `Authorization: Bearer`.
        token: String,
    },
}

/// Omits the token, so that it appears in no log.
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
