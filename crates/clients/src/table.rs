//! One row per client. A fact about a client stands here and nowhere else.

mod agents;
mod anthropic;
mod yaml;

use crate::Client;

/// Every client that we know, in the order in which people are shown them.
pub static TABLE: &[&Client] = &[
    &anthropic::CLAUDE_DESKTOP,
    &agents::CODEX,
    &agents::MISTRAL_VIBE,
    &agents::GROK_BUILD,
    &yaml::CONTINUE,
    &yaml::GOOSE,
];

/// The row of a client.
pub fn client(id: &str) -> Option<&'static Client> {
    TABLE.iter().find(|client| client.id == id).copied()
}
