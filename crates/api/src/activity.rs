//! What clients did.

use serde::Serialize;
use ts_rs::TS;

/// One call of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// When it ended, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// The client's id.
    pub client: String,
    /// `tools/call`, `resources/read` ...
    pub method: String,
    /// The tool, prompt or URI; empty for a list. Of a call for a skill, its id follows.
    pub target: String,
    /// Whether the client got what it asked for.
    pub ok: bool,
    /// Why it did not, as far as that is known: switched off, nothing of that name, not to be read, or the other server.
    #[ts(type = "'off' | 'not-there' | 'unreadable' | 'server' | null")]
    pub why: Option<mcp::CallTrouble>,
    /// How long it took, in milliseconds.
    #[ts(type = "number")]
    pub ms: u64,
    /// How large the answer was, in bytes.
    #[ts(type = "number")]
    pub size: u64,
}
