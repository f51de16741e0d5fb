//! One skill opened: its text, its files, and what is wrong in the editor's units.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Finding, Need, Verdict};

/// One skill opened: its text, files, problems and needs.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillPage {
    /// The skill.
    pub key: String,
    /// SHA-256 of the bytes that `text` was made from; saving names it.
    pub digest: String,
    /// SKILL.md as an editor shows it; `null` when it is not UTF-8 or too large.
    pub text: Option<String>,
    /// Why it cannot be edited here, as a sentence.
    pub read_only: Option<String>,
    /// Where the body starts in `text`, in UTF-16 units.
    pub body: u32,
    /// `LF`, `CRLF`, `CR` or `mixed`.
    pub line_ends: String,
    /// Every file of the skill.
    pub files: Vec<SkillFile>,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What in its files looks as if it meant harm, the most dangerous first, whoever has seen it.
    pub findings: Vec<Finding>,
    /// What was not looked at for that, as sentences.
    pub left_out: Vec<String>,
    /// The servers it needs.
    pub needs: Vec<Need>,
    /// What it seems to need, in the words of other programs: nothing here is started or asked for.
    pub suggested: Vec<Suggested>,
    /// What each known client would make of it; empty when it cannot be read.
    pub verdicts: Vec<Verdict>,
}

/// A server or variable that a skill names in the words of another program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Suggested {
    /// The server.
    pub server: Option<String>,
    /// The environment variable.
    pub variable: Option<String>,
    /// The address at which the server is said to run.
    pub url: Option<String>,
    /// The key that says so.
    pub from: String,
}

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SkillFile {
    /// Its path inside the skill.
    pub path: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
}

/// What is wrong, in the editor's units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Problem {
    /// The rule's id.
    pub rule: String,
    /// How much it matters.
    #[ts(type = "'error' | 'warning' | 'advice'")]
    pub severity: skills::Severity,
    /// A full sentence.
    pub message: String,
    /// The frontmatter field that it is about: `x-personal-mcp.version`.
    pub field: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// First UTF-16 unit in the editor's text.
    pub from: u32,
    /// First unit after it.
    pub to: u32,
    /// The fix, in the editor's units.
    pub fix: Option<Fix>,
    /// What the rule demands, as a sentence.
    pub demands: &'static str,
    /// Why, as a sentence or two.
    pub why: &'static str,
    /// The clients that mind, by name; empty where the rule is for people and every model alike.
    pub clients: &'static [&'static str],
}

impl Problem {
    /// Whether the skill, or a block of it, cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == skills::Severity::Error
    }
}

/// A change that puts a problem right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Fix {
    /// The words of the button.
    pub label: String,
    /// The change, in the editor's units.
    pub splices: Vec<EditorSplice>,
}

/// One change in the editor's units (UTF-16, every line end is one unit).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EditorSplice {
    /// First unit that goes.
    pub from: u32,
    /// First unit that stays again.
    pub to: u32,
    /// The text there afterwards.
    pub insert: String,
}

/// A text that a person did not save and that was put aside for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Kept {
    /// When it was put aside, in milliseconds since 1970. It names the text, too.
    #[ts(type = "number")]
    pub moment: u64,
}

/// How saving went.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Saved {
    /// The file holds the new text.
    Saved {
        /// The page as it is now.
        page: Box<SkillPage>,
    },
    /// The file changed on disk meanwhile; nothing was written.
    Changed {
        /// The page as it is on disk.
        page: Box<SkillPage>,
    },
}
