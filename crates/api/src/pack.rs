//! A skill as a zip file for an upload.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a skill is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct PackOptions {
    /// Files at the top of the zip file, instead of in a folder of the skill's name.
    pub flat: bool,
    /// Keep the keys that only Claude Code knows.
    pub keep_claude_code: bool,
    /// Whether a file that is there already may be replaced.
    pub replace: bool,
}

/// A skill that was packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Packed {
    /// The absolute path of the zip file.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// How many files it holds.
    pub files: u32,
    /// How many bytes it has.
    #[ts(type = "number")]
    pub size: u64,
    /// The frontmatter's keys that stayed at home, because an upload does not take them.
    pub dropped: Vec<String>,
    /// The keys that travel as JSON under `metadata`.
    pub moved: Vec<String>,
    /// What is missing for who has only the zip file, as sentences: what links lead to.
    pub left_behind: Vec<String>,
}
