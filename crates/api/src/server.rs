//! The servers that skills need: the state of each, what a person is asked to agree to, and what a server says.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One server in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ServerRow {
    /// Its name, which names it in every command.
    pub name: String,
    /// What its skills call it, where that is the name of another server.
    #[serde(default)]
    pub declared: Option<String>,
    /// The first skill of that other server.
    #[serde(default)]
    pub beside: Option<SkillName>,
    /// What the first skill wants it for.
    pub description: Option<String>,
    /// Its state.
    pub state: ServerState,
    /// The skills that use it.
    pub skills: Vec<SkillName>,
    /// The id of the client whose own entry starts it; no skill uses it then.
    #[serde(default)]
    pub client: Option<String>,
    /// How many tools it had when they were last looked at; `None` before it ever ran.
    pub tools: Option<u32>,
    /// The command line as it was written, or nothing for a server that runs elsewhere.
    pub command: Vec<String>,
    /// Its address, for a server that runs elsewhere.
    pub url: Option<String>,
    /// Since when it is approved, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub approved: Option<u64>,
    /// Whether the person is signed in at its address.
    pub signed_in: bool,
    /// How many calls it answered in this run.
    pub calls: u32,
    /// Goes up with every line of its log.
    #[ts(type = "number")]
    pub lines: u64,
    /// What it said of itself: its name, version and revision.
    pub about: Option<ServerAbout>,
}

/// A skill, by its key and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct SkillName {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
}

/// What a server said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerAbout {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The revision of MCP that it speaks.
    pub protocol: String,
}

/// The state of a server: what keeps it from running, or what it does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ServerState {
    /// Values are missing.
    NeedsValues {
        /// Their names, secrets first.
        names: Vec<String>,
        /// The program that runs it, if it is not on this computer either.
        #[serde(default)]
        runtime: Option<String>,
    },
    /// Its declaration cannot be followed.
    Refused {
        /// Why, as a sentence.
        message: String,
    },
    /// The program is nowhere on this computer.
    NoProgram {
        /// Its name.
        program: String,
    },
    /// It is a container, and nothing here runs containers.
    NoContainers,
    /// It is a container, and the engine for those does not run.
    ContainersDown {
        /// That engine, as people call it: `Docker`, `Podman`.
        program: String,
    },
    /// Nobody agreed to it yet.
    NeedsConsent {
        /// Whether something else was agreed to under this name before.
        changed: bool,
    },
    /// It wants its person to sign in.
    NeedsSignIn {
        /// The sign-in that was begun and waits for the person.
        asked: Option<SignInAsked>,
        /// Why the last one failed, as a sentence.
        trouble: Option<String>,
    },
    /// Its tools differ from those that were seen: it is held back.
    ToolsChanged,
    /// It may run, and starts when somebody calls it.
    #[default]
    Resting,
    /// It is being started.
    Starting {
        /// Since when, in milliseconds since 1970.
        #[ts(type = "number")]
        since: u64,
    },
    /// It runs.
    Running {
        /// Since when, in milliseconds since 1970.
        #[ts(type = "number")]
        since: u64,
        /// The process, where it is one of this computer.
        process: Option<u32>,
    },
    /// It ended or could not be started; the next call tries again.
    Down {
        /// Why, as a sentence.
        message: String,
    },
    /// It ended too often and waits for a person.
    Stopped {
        /// Why, as a sentence.
        message: String,
    },
}

/// A sign-in that waits for its person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SignInAsked {
    /// What the browser is to open: `https`, or `http` of this computer.
    pub address: String,
    /// Who asks for a password there.
    pub host: String,
}

/// What a person is asked to agree to, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The server.
    pub server: String,
    /// Names what is shown; the answer carries it.
    pub digest: String,
    /// What would run.
    pub now: ConsentForm,
    /// What was agreed to before under this name.
    pub before: Option<ConsentForm>,
    /// Files that are others than they were then.
    pub changed: Vec<FileChange>,
    /// The page that the command is from, where the skill gives a well-known name only.
    pub source: Option<String>,
    /// How far it reaches.
    pub reach: ConsentReach,
    /// What is fetched from the network before it runs.
    pub fetches: Option<ConsentFetch>,
    /// Packages of the command line without a fixed version.
    pub unpinned: Vec<String>,
    /// That the package of the command line is mended by nobody any more, as a sentence.
    #[serde(default)]
    pub archived: Option<String>,
    /// Variables that lead programs elsewhere or load code into them: each is agreed to by its name.
    pub redirects: Vec<String>,
    /// The variables of this computer that it gets besides, by their names.
    pub inherited: Vec<String>,
}

/// With whose rights a server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ConsentReach {
    /// With those of the person.
    Person,
    /// In a container: with what is given into that.
    Container,
    /// On another computer, or as a server of this one that somebody else started.
    Elsewhere,
}

/// Code that is fetched when a server starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConsentFetch {
    /// The program that fetches it: `npx`.
    pub by: String,
    /// The package or image, as the command line names it.
    pub what: String,
}

/// A file that is another than when it was agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileChange {
    /// Where it is; the skill's folder for those that are too many to be read.
    pub place: String,
    /// What became of it.
    pub fate: FileFate,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum FileFate {
    /// It was not there.
    Added,
    /// It holds something else.
    Changed,
    /// It is gone.
    Removed,
}

/// A skill's folder that is part of what is agreed to, because something that is started leads into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConsentFolder {
    /// The folder.
    pub place: String,
    /// How many files beside those that the command line names are agreed to with their content; Markdown is not.
    pub files: u32,
    /// How many are known by size and time only, because they are too many or too large.
    pub unread: u32,
}

/// The version that a server's package is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PinOffer {
    /// The server.
    pub server: String,
    /// The package, as the command line names it.
    pub package: String,
    /// Its version.
    pub version: String,
}

/// What a server is started with. Never the value of a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConsentForm {
    /// The program as it was written, and its arguments: each as it is, invisible characters as their code.
    pub command: Vec<String>,
    /// Where the program is.
    pub program: Option<String>,
    /// The file that this leads to, where it is a link.
    pub real: Option<String>,
    /// The folder that it runs in.
    pub folder: Option<String>,
    /// The address of a server that runs elsewhere.
    pub url: Option<String>,
    /// Variables or headers, and what each holds.
    pub values: Vec<ConsentValue>,
    /// Files of the skill that the command line names: they are part of what is agreed to.
    pub files: Vec<String>,
    /// The skill's folder, where all of it is part of what is agreed to.
    pub held: Option<ConsentFolder>,
    /// The skills that want it.
    pub skills: Vec<String>,
}

/// A variable or header that a server gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConsentValue {
    /// Its name.
    pub name: String,
    /// Its value, unless it is a secret.
    pub value: Option<String>,
    /// The secret that it holds, by its name.
    pub secret: Option<String>,
}

/// One server opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ServerPage {
    /// The server.
    pub name: String,
    /// Its tools as they were last seen, or as they are now where that is the same.
    pub tools: Vec<ServerTool>,
    /// Its prompts, as its tools.
    pub prompts: Vec<ServerPrompt>,
    /// What of it nobody is offered, and why: a sentence for each.
    pub held_back: Vec<String>,
    /// How many resources it listed when it last ran; nothing before it ran.
    pub resources: Option<u32>,
    /// What changed in its tools and prompts since; `None` where nothing did.
    pub changed: Option<ToolsChange>,
    /// What it wrote to standard error in its last run, with the time of each line. Secrets are blacked out.
    pub log: Vec<LogLine>,
    /// What was agreed to.
    pub approved: Option<ConsentForm>,
}

/// A line that a server wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LogLine {
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub time: u64,
    /// The line.
    pub text: String,
}

/// A tool as clients get it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ServerTool {
    /// What the server calls it.
    pub name: String,
    /// What clients call it.
    pub offered: String,
    /// What the server says that it does.
    pub description: String,
    /// All that a client reads of it, byte for byte.
    pub json: String,
    /// Whether clients get it.
    pub on: bool,
}

/// A prompt as clients get it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerPrompt {
    /// What the server calls it.
    pub name: String,
    /// What clients call it.
    pub offered: String,
    /// What the server says that it is.
    pub description: String,
}

/// How a server's tools and prompts differ from those that were seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolsChange {
    /// Names what is shown; the answer carries it.
    pub digest: String,
    /// What is different, one by one: the tools, then the prompts.
    pub tools: Vec<ToolChange>,
}

/// How one tool or prompt differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolChange {
    /// What the server calls it; that of a prompt follows `prompt`.
    pub name: String,
    /// All that it said of it, one field a line; nothing for a new one.
    pub before: Option<String>,
    /// What it says now; nothing for one that is gone.
    pub after: Option<String>,
}

/// A tool, or all tools of a server, that is off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolSwitch {
    /// The client's id; for all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub client: Option<String>,
    /// The server's name.
    pub server: String,
    /// The tool; all of them without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool: Option<String>,
}

/// How a client gets the tools of servers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ToolMode {
    /// All that its skills need are in its list.
    #[default]
    Always,
    /// Those of a skill are there once it was given that skill.
    OnDemand,
    /// Two tools are there that find and call all others, for clients that read their list once.
    Search,
}
