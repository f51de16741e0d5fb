//! Skills that come and go: what a new one begins as, and what is in the trash.

use serde::Serialize;
use ts_rs::TS;

/// What a new skill may begin as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Template {
    /// Names it.
    pub id: String,
    /// What it is, as a sentence.
    pub about: String,
    /// The paths of its files.
    pub files: Vec<String>,
}

/// A skill in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Trashed {
    /// Names it in every command.
    pub id: String,
    /// The skill's name as authored.
    pub name: String,
    /// Where it was, for people: `~/.claude/skills/tea`.
    pub place: String,
    /// When it was thrown away, in milliseconds since 1970. It is kept for 30 days.
    #[ts(type = "number")]
    pub time: u64,
    /// Whether it was a link to a folder elsewhere: only the link went.
    pub link: bool,
    /// The number of skills inside it that went with it.
    pub inside: u32,
}
