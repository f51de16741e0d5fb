//! Skills from outside, to be looked at before anything is written.

use serde::Serialize;
use ts_rs::TS;

use super::{ProblemCounts, SkillFile, Trust};

/// What would come from a folder or a zip file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportPlan {
    /// Names exactly these skills and bytes; importing asks for it.
    pub id: String,
    /// The folder or zip file, for people.
    pub place: String,
    /// Whether it is a zip file.
    pub archive: bool,
    /// The skills in it.
    pub skills: Vec<ImportSkill>,
    /// The skills in it that cannot come.
    pub refused: Vec<ImportRefusal>,
    /// What else stays out, as sentences.
    pub left_out: Vec<String>,
}

/// One skill that cannot come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportRefusal {
    /// Its place in the folder or zip file; empty for the top.
    pub path: String,
    /// Why, as a sentence.
    pub why: String,
}

/// One skill that would come. It is off until the person switches it on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportSkill {
    /// Its place in the folder or zip file; empty for the top.
    pub path: String,
    /// The name of the folder that it gets.
    pub id: String,
    /// Its name as authored.
    pub name: String,
    /// Its description as authored.
    pub description: String,
    /// Every file of it.
    pub files: Vec<SkillFile>,
    /// How many bytes they hold together.
    #[ts(type = "number")]
    pub size: u64,
    /// How many problems of each severity.
    pub problems: ProblemCounts,
    /// Where the library has a skill of the same id already, for people. Of two that are on,
    /// one is served.
    pub same_id: Option<String>,
    /// What it carries, and what in it looks as if it meant harm.
    pub trust: Trust,
}
