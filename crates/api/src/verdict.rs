//! What each known client would make of a skill.

use serde::Serialize;
use ts_rs::TS;

/// What one client would make of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Names the client: `codex`, `gemini-cli`, `claude-code` ...
    pub client: String,
    /// The client's name for people.
    pub name: String,
    /// Loads it as written, under another name or description, or refuses it.
    #[ts(type = "'loads' | 'changed' | 'refused'")]
    pub verdict: skills::Outcome,
    /// The name that it would show; `null` when it refuses the skill.
    pub name_shown: Option<String>,
    /// The description that it would show; `null` when it has none or refuses the skill.
    pub description_shown: Option<String>,
    /// Why, in full sentences; empty when it loads and the client minds nothing.
    pub why: Vec<String>,
}

impl From<skills::Verdict> for Verdict {
    fn from(verdict: skills::Verdict) -> Self {
        let skills::Verdict { client, name, verdict, name_shown, description_shown, why } = verdict;
        Self { client: client.to_owned(), name: name.to_owned(), verdict, name_shown, description_shown, why }
    }
}
