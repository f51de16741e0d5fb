//! What serves the skills and keeps the secrets.

use serde::Serialize;
use ts_rs::TS;

/// The local MCP endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// Whether skills are served.
    pub state: EndpointState,
    /// `http://127.0.0.1:8363/mcp`.
    pub address: String,
    /// How many clients are connected now.
    pub connected: u32,
    /// How many skills are served.
    pub served: u32,
}

/// What the endpoint does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum EndpointState {
    /// Serving over stdio and HTTP.
    Serving,
    /// Paused by the user.
    Paused,
    /// Serving over stdio only.
    StdioOnly {
        /// Why HTTP is off, as a sentence.
        message: String,
    },
}

/// Whether secrets can be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Keychain {
    /// Not asked yet.
    Unknown,
    /// It answers.
    Ready,
    /// None answers, or it refused.
    Absent {
        /// What happened and what to do, as sentences.
        message: String,
    },
}
