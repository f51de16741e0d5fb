//! The library folders, and folders that could join them.

use serde::Serialize;
use ts_rs::TS;

/// A library folder: one whose skills Skilltender tends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// Names the folder in every command.
    pub id: String,
    /// Its path for people: `~/.claude/skills`.
    pub place: String,
    /// Its absolute path.
    pub path: String,
    /// How many skills it holds.
    pub skills: u32,
    /// Whether skills that appear later are switched on.
    pub enable_new: bool,
    /// The top of the git work tree that it lies in, for people. Its status is asked for.
    pub work_tree: Option<String>,
    /// Whether its switches and sets go along with the work tree to the person's other machines.
    pub shares_switches: bool,
    /// Why it cannot be read now, as a sentence.
    pub trouble: Option<String>,
    /// What was left out, as sentences.
    pub remarks: Vec<String>,
}

/// A folder with skills that is not in the library yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundFolder {
    /// Its absolute path.
    pub path: String,
    /// Its path for people.
    pub place: String,
    /// How many skills it holds.
    pub skills: u32,
    /// Whether its new skills would be switched on unless the person chooses otherwise.
    pub enable_new: bool,
}
