//! A client, how far its connection is proven, and the change that connects it.

use serde::Serialize;
use ts_rs::TS;

use super::{LastCall, Peer, Proof};

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
    /// How far the connection is proven.
    pub proof: Proof,
    /// When it last connected, in this run or an earlier one.
    #[ts(type = "number | null")]
    pub connected: Option<u64>,
    /// Whether it has a token of its own for HTTP.
    pub token: bool,
    /// The set that it was given; it sees all skills without one.
    pub set: Option<String>,
    /// How many skills it sees.
    pub skills: u32,
    /// Whether it is connected now.
    pub live: bool,
    /// What it said of itself when it last connected.
    pub peer: Option<Peer>,
    /// How often it called, ever since we know it.
    pub calls: u32,
    /// Its last call.
    pub called: Option<LastCall>,
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
