//! What a person should have seen before they switch on a skill that somebody else wrote.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a person sees of a skill of somebody else's before they switch it on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Look {
    /// The skill's key.
    pub key: String,
    /// Names exactly the files that were looked at; switching the skill on asks for it.
    pub digest: String,
    /// Whether nobody has looked at the skill before: it is off, and was never switched by hand.
    pub asks: bool,
    /// Whether it holds something that looks harmful and that the person has not accepted yet.
    pub unseen: bool,
    /// What was seen.
    pub trust: Trust,
}

/// What a skill carries, and what in it looks as if it meant harm. It is advice: an empty list of findings means that no
/// known pattern was found, and never that the skill is safe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// What it carries besides its instructions.
    pub carried: Carried,
    /// What looks as if it meant harm, the most dangerous first.
    pub findings: Vec<Finding>,
    /// What was not looked at, as sentences.
    pub left_out: Vec<String>,
}

/// What a skill carries, plainly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Carried {
    /// Its scripts, by language.
    pub scripts: Vec<Scripts>,
    /// Files that hold a program and cannot be read as text.
    pub programs: Vec<String>,
    /// Archives: nobody sees what is in them before they are unpacked.
    pub archives: Vec<String>,
    /// The servers that its texts link to.
    pub hosts: Vec<String>,
    /// The MCP servers that it needs.
    pub servers: Vec<String>,
    /// The tools that it asks to use without asking each time.
    pub tools: Vec<String>,
    /// Commands that run by themselves: hooks, and those that run when the skill is loaded.
    pub commands: Vec<String>,
    /// How many files it has.
    pub files: u32,
    /// How many bytes they hold together.
    #[ts(type = "number")]
    pub size: u64,
}

/// The scripts of one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Scripts {
    /// The language, as a person names it.
    pub language: String,
    /// The files.
    pub paths: Vec<String>,
}

/// Something that looks as if it meant harm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding {
    /// The sign's id.
    pub rule: String,
    /// How much harm it would do if it is meant.
    #[ts(type = "'high' | 'medium' | 'low'")]
    pub severity: skills::Danger,
    /// A full sentence.
    pub message: String,
    /// The file it is in.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}
