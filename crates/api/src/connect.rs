//! The change of a client's file as it is asked for and shown, and the rest of that file.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Transport;

/// What a person wants to be done to a client's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum ClientChange {
    /// Our entry is added.
    Connect {
        /// How the client reaches us; without it, in its usual way.
        transport: Option<Transport>,
        /// The folder of the one project it is for; without it, for the user.
        project: Option<String>,
        /// Whether our entry is added again should the client drop it while it runs.
        again: bool,
    },
    /// Our entry is taken out.
    Disconnect {
        /// As for connecting.
        project: Option<String>,
    },
    /// Our entry is made what it should be now: it was out of date, edited or dropped.
    Update {
        /// Another way to reach us; without it, the present one.
        transport: Option<Transport>,
        /// As for connecting.
        project: Option<String>,
    },
    /// Its secrets in plain text are moved to the keychain, and their servers are started through us.
    Rescue {
        /// The client's file; without it, the user's own.
        file: Option<String>,
    },
    /// Servers get entries of their own, each started through us.
    Direct {
        /// Their names; without them, every server that may run and can be started so.
        servers: Option<Vec<String>>,
        /// As for connecting.
        project: Option<String>,
    },
    /// Of the skills that it reads from folders by itself, its settings show those of a set alone.
    Skills {
        /// The set's id or name.
        set: String,
        /// The folder that it works in, if its settings are for one; `None` where they count everywhere.
        project: Option<String>,
    },
    /// The last change in effect is taken back.
    Undo,
    /// The last change that was taken back is made again.
    Redo,
}

/// The change of a client's file, to be shown before it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConnectPlan {
    /// The client.
    pub client: String,
    /// Names exactly these bytes; writing asks for it.
    pub id: String,
    /// The file for people; with several, all of them.
    pub place: String,
    /// Whether the file does not exist yet, or goes.
    pub file: PlanFile,
    /// The lines around the change.
    pub lines: Vec<DiffLine>,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// What to know before it is written, as sentences.
    pub notes: Vec<String>,
    /// What to do so that the client reads it, as a sentence.
    pub reload: String,
    /// Whether the client runs now and may write over our entry: quit it first, or have the entry
    /// added again.
    pub rewrites: bool,
    /// The secrets that are moved to the keychain.
    #[serde(default)]
    pub moves: Vec<MovedSecret>,
    /// Secrets in plain text that stay where they are.
    #[serde(default)]
    pub stays: Vec<StayingSecret>,
}

/// A secret that is moved out of a client's file. Never its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MovedSecret {
    /// What the file calls the server.
    pub server: String,
    /// The name of the variable.
    pub name: String,
    /// The line of the value, counted from 1.
    pub line: u32,
    /// And the column.
    pub column: u32,
    /// What Skilltender calls the server that it is kept for.
    pub keeps: String,
}

/// The secrets of a server that stay in a client's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StayingSecret {
    /// What the file calls the server.
    pub server: String,
    /// What they are called.
    pub names: Vec<String>,
    /// The line of the server, counted from 1.
    pub line: u32,
    /// And the column.
    pub column: u32,
    /// Why, as a sentence.
    pub why: String,
}

/// What happens to the file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffLine {
    /// What happens to it.
    pub sign: DiffSign,
    /// Its number: in the new file, for a removed line in the old one.
    pub number: u32,
    /// Its text without the line end.
    pub text: String,
}

/// What happens to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DiffSign {
    /// It stays.
    Same,
    /// It is new.
    Added,
    /// It goes.
    Removed,
}

/// Our entry as three sides have it, after somebody changed it or took it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Drift {
    /// Identifies exactly what is there; settling asks for it.
    pub id: String,
    /// The file for people.
    pub place: String,
    /// What we wrote.
    pub ours: String,
    /// In the file now; nothing when it was taken out.
    pub theirs: Option<String>,
    /// In the file before us; mostly nothing.
    pub base: Option<String>,
}

/// How a person settles a drift without a file being written. To put ours back is an
/// [update](ClientChange::Update).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum DriftChoice {
    /// It is as it should be, and still ours to remove.
    Keep,
    /// It is no longer ours.
    Forget,
}

/// Our entry as text, for a person who puts it into the file by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct EntryText {
    /// The file for people.
    pub place: String,
    /// The text, as in an otherwise empty file.
    pub text: String,
    /// The command line that it runs, quoted for this system's shell.
    pub command: Option<String>,
    /// Links by which the client itself adds it; they hold no token.
    pub links: Vec<ClientLink>,
}

/// A link that opens a client and has it add our entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ClientLink {
    /// The program that it opens.
    pub name: String,
    /// The link.
    pub address: String,
}

/// A server in a client's file that we did not add. It changes only when a person moves its secrets to the keychain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ConfiguredServer {
    /// The client's id.
    pub client: String,
    /// What the client calls the server.
    pub name: String,
    /// The file for people.
    pub place: String,
    /// The file's path.
    pub path: String,
    /// Its line, counted from 1.
    pub line: u32,
    /// And the column.
    pub column: u32,
    /// How it runs.
    pub runs: ServerRuns,
    /// Whether its file says that it is switched off.
    pub off: bool,
    /// What looks like a secret in plain text there, by the name of its variable, header or argument.
    pub secrets: Vec<String>,
}

/// How a configured server runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum ServerRuns {
    /// The client starts a program.
    Command {
        /// The program and its arguments; what looks like a secret is left out of them.
        words: Vec<String>,
    },
    /// The client calls an address.
    Address {
        /// Without what could be a secret in it.
        address: String,
    },
    /// Its entry says neither.
    Unclear,
}

/// A client that a person describes: a file, and a client that we know and whose file is of the same shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CustomClient {
    /// What the person calls it.
    pub name: String,
    /// Its file, absolute.
    pub path: String,
    /// The id of the client that writes its file in the same way.
    pub like: String,
}
