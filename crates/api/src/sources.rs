//! Where skills come from: what a source holds, what an update would change, and the versions before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DiffLine, Finding, ImportPlan};

/// What would come from a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SourcePlan {
    /// The source as it was read, for people: `acme/skills`.
    pub source: String,
    /// The branch or tag that would be followed; nothing for what the repository shows first.
    pub follows: Option<String>,
    /// The commit that was looked at; of a source without commits, `sha256:` and what names its files. Adding asks for it.
    pub commit: String,
    /// The skills in it. Those that are in the library from this source already are among the refused.
    pub plan: ImportPlan,
    /// What it lists besides, in other repositories, of which nothing was fetched.
    pub elsewhere: Vec<SourceElsewhere>,
    /// Whether a team's file is at its top, or in the folder that was asked for.
    pub team: bool,
}

/// Something that a marketplace lists in another repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SourceElsewhere {
    /// Its name, as the list has it.
    pub name: String,
    /// What it is for, as the list says.
    pub description: String,
    /// Its source as a person would write it, with the commit behind `#`; nothing where it is none that is fetched.
    pub source: Option<String>,
    /// Why it is none, as a sentence.
    pub trouble: Option<String>,
}

/// The text of a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockText {
    /// It, as it is written to the file.
    pub text: String,
    /// The ids of the skills that it leaves out: they came from a folder or file of this computer.
    pub left_out: Vec<String>,
}

/// Where a skill came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillOrigin {
    /// The source, for people: `acme/skills`.
    pub source: String,
    /// The skill's folder there; empty for all of it.
    pub inside: String,
    /// The branch or tag that is followed; nothing for what the repository shows first.
    pub follows: Option<String>,
    /// The commit that it is of; of a source without commits, `sha256:` and the digest of its files.
    pub commit: String,
    /// When that came, in milliseconds since 1970.
    #[ts(type = "number")]
    pub since: u64,
    /// The commit, or the digest, of another version of it that the source had when it was asked last.
    pub newer: Option<String>,
    /// How many versions before this one are kept.
    pub versions: u32,
}

/// One source of skills of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SourceRow {
    /// Names it: its address, with the branch or tag that is followed.
    pub id: String,
    /// For people: `acme/skills`.
    pub source: String,
    /// The branch or tag that is followed; nothing for what the repository shows first.
    pub follows: Option<String>,
    /// The keys of the skills from it.
    pub skills: Vec<String>,
    /// Those of them that have another version there.
    pub outdated: Vec<String>,
    /// When it was asked last, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub asked: Option<u64>,
    /// Why it could not be asked last, as a sentence.
    pub trouble: Option<String>,
}

/// What an update, or going back, would change in one skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePlan {
    /// Names exactly these changes; making them asks for it.
    pub id: String,
    /// The skill's key.
    pub key: String,
    /// Its name as authored.
    pub name: String,
    /// The source, for people.
    pub source: String,
    /// The commit that goes; of a source without commits, `sha256:` and the digest of its files.
    pub from: String,
    /// The one that comes.
    pub to: String,
    /// What to know before it is made, as sentences: a tag that moved, a history that was rewritten.
    pub notes: Vec<String>,
    /// The files that change, and those that both sides changed.
    pub files: Vec<UpdateFile>,
    /// What it can do after that and could not before.
    pub gains: Vec<Ability>,
    /// What it could do and cannot after that.
    pub losses: Vec<Ability>,
    /// What looks as if it meant harm and was not there before.
    pub findings: Vec<Finding>,
    /// Whether only texts change, and nothing that it can do.
    pub text_only: bool,
    /// Whether the person changed files since they came.
    pub edited: bool,
    /// How many questions are to be answered.
    pub conflicts: u32,
}

/// One file of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFile {
    /// Its path in the skill.
    pub path: String,
    /// What happens to it.
    pub how: UpdateChange,
    /// The lines around the changes: from the file as it is here to the file as it would be. None for what is no text.
    pub lines: Vec<DiffLine>,
    /// What both sides changed differently, in order.
    pub conflicts: Vec<Conflict>,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateChange {
    /// It comes.
    Added,
    /// It changes.
    Changed,
    /// It goes.
    Removed,
    /// It gets both the person's changes and those of the update.
    Merged,
    /// Both sides changed the same, and the person answers.
    Conflict,
}

/// Something that both sides changed differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Conflict {
    /// What both began with; nothing where there was no such file.
    pub base: Option<String>,
    /// What the person has; nothing where they removed the file.
    pub mine: Option<String>,
    /// What the update brings; nothing where it removes the file.
    pub theirs: Option<String>,
}

/// The side of a conflict that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Take {
    /// What the person has.
    Mine,
    /// What the update brings.
    Theirs,
}

/// The answers to the conflicts of an update: by the path of the file, one for each of its conflicts, in order.
pub type Answers = BTreeMap<String, Vec<Take>>;

/// An update that a person agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedUpdate {
    /// The skill's key.
    pub key: String,
    /// The commit that was shown.
    pub commit: String,
    /// The digest of the plan that was shown.
    pub plan: String,
    /// An answer for each conflict.
    pub answers: Answers,
}

/// Something that a skill can do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct Ability {
    /// Of which kind.
    pub kind: AbilityKind,
    /// What: a file, a host, a server with its command, a tool, the name of a secret.
    pub what: String,
}

/// The kinds of what a skill can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum AbilityKind {
    /// A script, which may have changed.
    Script,
    /// A file that holds a program and cannot be read as text.
    Program,
    /// An archive.
    Archive,
    /// A host that its texts name.
    Host,
    /// A server that it starts or reaches, by its exact form.
    Server,
    /// A tool that it uses without asking.
    Tool,
    /// A command that runs by itself.
    Command,
    /// A secret that one of its servers gets, by name.
    Secret,
}

/// A skill that another program installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ManagedSkill {
    /// The skill's key.
    pub key: String,
    /// Its name as authored.
    pub name: String,
    /// The program, as people call it: `npx skills`.
    pub by: String,
    /// Where it came from, as the program recorded it.
    pub source: String,
    /// The version, as exact as the program recorded it.
    pub version: Option<String>,
    /// Whether the source can be followed: it is a git repository.
    pub adoptable: bool,
}

/// The library, or a folder, compared with a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockComparison {
    /// What is locked.
    pub rows: Vec<LockRow>,
    /// The ids of skills that the lock does not name.
    pub unlocked: Vec<String>,
}

/// One locked skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockRow {
    /// Its name in the lock.
    pub name: String,
    /// The key of the skill that it is, if it is here.
    pub key: Option<String>,
    /// Its source, with the branch or tag behind `#`.
    pub source: String,
    /// How it is here.
    pub state: LockState,
}

/// How a locked skill is here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum LockState {
    /// Byte for byte as the lock says.
    Same,
    /// It is not here.
    Missing,
    /// Files differ.
    Differs {
        /// Which and how, as sentences.
        files: Vec<String>,
    },
}

/// A version of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillVersion {
    /// Names it for going back: 0 is the present one, 1 the one before.
    pub number: u32,
    /// When it came, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// Why it came.
    pub by: CameBy,
    /// The commit that it is of; of a source without commits, `sha256:` and the digest of its files.
    pub commit: String,
    /// How many files it has.
    pub files: u32,
    /// Whether a person had changed it.
    pub edited: bool,
}

/// Why a version came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum CameBy {
    /// The skill was added.
    Added,
    /// A person answered the review of an update.
    Updated,
    /// A person went back to a version before.
    WentBack,
    /// A lock asked for it.
    Synced,
}

/// Who reads what is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// `npx skills`: `skills-lock.json`.
    SkillsLock,
    /// Claude Code: `.claude-plugin/marketplace.json`, and the skills beside it.
    ClaudeMarketplace,
    /// Whoever asks a site: `.well-known/agent-skills/index.json`, and the skills beside it.
    WellKnown,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    /// The files, as paths.
    pub files: Vec<String>,
    /// How many skills they hold.
    pub skills: u32,
    /// What is left out and why, as sentences.
    pub left_out: Vec<String>,
}
