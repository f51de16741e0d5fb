//! What the window sees: the only types that cross into it, and the only ones that ts-rs exports.
//!
//! A [`Snapshot`] is everything that a list, the tray or a badge shows; a new one is sent whenever
//! something changed. The text of one skill is asked for ([`SkillPage`]) because it is large.
//! Nothing here can hold the value of a secret: a secret is *stored* or *missing*.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Everything the window and the tray show, as it was at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Counts up with every snapshot of one run.
    #[ts(type = "number")]
    pub revision: u64,
    /// The app's version.
    pub version: String,
    /// Whether the first-run steps wait for an answer.
    pub first_run: bool,
    /// Every skill, the ones that need attention not first: sorted by name.
    pub skills: Vec<SkillRow>,
    /// The library's folders, in order.
    pub folders: Vec<Folder>,
    /// Skill folders found on this computer that are not in the library.
    pub found: Vec<FoundFolder>,
    /// The clients we know, found or not.
    pub clients: Vec<Client>,
    /// What the endpoint does.
    pub endpoint: Endpoint,
    /// Whether secrets can be kept.
    pub keychain: Keychain,
    /// Things to say once, such as a state file that could not be read.
    pub notices: Vec<Notice>,
}

/// One skill in the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillRow {
    /// Names the skill in every command.
    pub key: String,
    /// Its folder's name.
    pub id: String,
    /// Its name as authored.
    pub name: String,
    /// Its description as authored.
    pub description: String,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// The id of the library folder it stands in.
    pub folder: String,
    /// Its SKILL.md for people: `~/.claude/skills/tea/SKILL.md`.
    pub place: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// The one readiness light.
    pub readiness: Readiness,
    /// How many problems of each severity.
    pub problems: ProblemCounts,
    /// How many files it has, and servers it needs.
    pub files: u32,
    /// See `files`.
    pub needs: u32,
    /// Changes whenever its SKILL.md does.
    pub digest: String,
}

/// Problems by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
pub struct ProblemCounts {
    /// The skill or a block of it cannot be used.
    pub error: u32,
    /// Some client minds.
    pub warning: u32,
    /// Good to know.
    pub advice: u32,
}

/// The readiness light: computed, never guessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Readiness {
    /// All it needs is there.
    Ready,
    /// The person switched it off.
    Disabled,
    /// Secrets or other values are missing.
    NeedsValues {
        /// The server that wants the first of them.
        server: String,
        /// Their names.
        names: Vec<String>,
        /// Whether the first is a secret.
        secret: bool,
    },
    /// The file cannot be used as it is.
    Problem {
        /// What and where.
        message: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// Another skill of the same id is served.
    Shadowed {
        /// The place of that skill.
        by: String,
    },
}

/// A folder of the library.
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
    /// Why it cannot be read now, as a sentence.
    pub trouble: Option<String>,
    /// What was left out, as sentences.
    pub remarks: Vec<String>,
}

/// A skill folder that is not in the library yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundFolder {
    /// Its absolute path.
    pub path: String,
    /// Its path for people.
    pub place: String,
    /// How many skills it holds.
    pub skills: u32,
}

/// A client, and how far its connection is proven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// Names the client in every command.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it seems to be on this computer.
    pub found: bool,
    /// Its config file for people.
    pub place: String,
    /// What stands in that file.
    pub standing: Standing,
    /// When we wrote our entry, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub written: Option<u64>,
    /// When it last connected.
    #[ts(type = "number | null")]
    pub connected: Option<u64>,
    /// Whether it is connected now.
    pub live: bool,
    /// What it said of itself: name, version, protocol.
    pub peer: Option<String>,
    /// How often it called since the engine started.
    pub calls: u32,
    /// When it last called.
    #[ts(type = "number | null")]
    pub called: Option<u64>,
}

/// What stands in a client's file about us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Standing {
    /// Nothing.
    Absent,
    /// Our entry.
    Added,
    /// An entry of our name that we did not write.
    Different,
    /// The file cannot be changed safely.
    Refused {
        /// Why, as a sentence.
        message: String,
    },
}

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

/// Something to say once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Notice {
    /// Names the notice, so that it can be put away.
    pub id: String,
    /// A full sentence.
    pub message: String,
}

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
    /// The servers it needs.
    pub needs: Vec<Need>,
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
    /// What stands there afterwards.
    pub insert: String,
}

/// A server that a skill needs, and what is missing for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Need {
    /// The server's name.
    pub server: String,
    /// What the skill wants it for.
    pub description: Option<String>,
    /// How it would be started, one argument each, placeholders unfilled; empty when unknown.
    pub command: Vec<String>,
    /// Its address, for a server that runs elsewhere.
    pub url: Option<String>,
    /// The values that a person gives.
    pub values: Vec<NeedValue>,
}

/// One value that a server needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct NeedValue {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether the server cannot do without it.
    pub required: bool,
    /// An example to show in the empty field.
    pub example: Option<String>,
    /// What is there. A secret never shows its value.
    pub state: ValueState,
}

/// What is there for a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ValueState {
    /// A secret that nobody has stored.
    SecretMissing,
    /// A secret in the keychain.
    SecretStored {
        /// Since when, in milliseconds since 1970.
        #[ts(type = "number")]
        since: u64,
        /// Whether it is kept only until the app quits, because no keychain answers.
        only_this_run: bool,
    },
    /// An ordinary value.
    Plain {
        /// What the user gave.
        value: Option<String>,
        /// What holds when the user gives nothing.
        default: Option<String>,
    },
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

/// The change of a client's file, to be shown before it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ConnectPlan {
    /// The client.
    pub client: String,
    /// Names exactly these bytes; writing asks for it.
    pub id: String,
    /// The file for people.
    pub place: String,
    /// Whether the file does not exist yet, or goes.
    pub file: PlanFile,
    /// The lines around the change.
    pub lines: Vec<DiffLine>,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
}

/// What happens to the file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum PlanFile {
    /// It is made.
    Created,
    /// It changes.
    Changed,
    /// It goes.
    Deleted,
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DiffLine {
    /// What happens to it.
    pub sign: DiffSign,
    /// Its number: in the new file, for a removed line in the old one.
    pub number: u32,
    /// Its text without the line end.
    pub text: String,
}

/// What happens to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DiffSign {
    /// It stays.
    Same,
    /// It is new.
    Added,
    /// It goes.
    Removed,
}

/// The answers of the first run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FirstRun {
    /// Paths of found folders to add.
    pub folders: Vec<String>,
    /// Whether the skills that are ready are switched on.
    pub enable_ready: bool,
}

/// Why an action was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct ActionError {
    /// What the window branches on.
    pub kind: ErrorKind,
    /// Full sentences: what happened, where.
    pub message: String,
    /// What to do next.
    pub hints: Vec<String>,
}

/// The kinds of failure that the window treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// What the action names is not there any more.
    NotFound,
    /// It changed since it was shown; look again.
    Changed,
    /// Somebody else's file cannot be changed safely.
    Refused,
    /// No keychain answers.
    Keychain,
    /// The input does not hold.
    Input,
    /// The disk or the system failed.
    System,
}
