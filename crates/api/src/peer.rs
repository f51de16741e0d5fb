//! What a client said of itself, and how far that proves its connection.

use serde::Serialize;
use ts_rs::TS;

/// A client as it introduced itself last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Peer {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The protocol revision: `2025-11-25`.
    pub protocol: String,
    /// What it can do for a server, in a word each: `roots`, `sampling`, `elicitation`, `skills` ...
    pub capabilities: Vec<String>,
    /// How it came.
    #[ts(type = "'stdio' | 'http'")]
    pub transport: mcp::Transport,
}

impl From<mcp::Peer> for Peer {
    fn from(peer: mcp::Peer) -> Self {
        let mcp::Peer { name, version, protocol, capabilities, transport } = peer;
        Self { name, version, protocol, capabilities, transport }
    }
}

/// What a client called last, and how that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LastCall {
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// `tools/call`, `resources/read` ...
    pub method: String,
    /// The tool, prompt or URI; empty for a list.
    pub target: String,
    /// Whether the client got what it asked for.
    pub ok: bool,
}

/// How far a client's connection is proven. What it did before our entry was last written does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Our entry is not in its file.
    NotAdded,
    /// It is, and the client has not connected since: it has to be restarted.
    Waiting,
    /// The client connected.
    Connected,
    /// It called, too.
    Called,
}
