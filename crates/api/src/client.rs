//! A client, and how far its connection is proven.

use serde::{Deserialize, Serialize};
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
    /// Its config file for people: of several, the one that its state is about.
    pub place: String,
    /// The same file's path, to be opened; empty where the client has none.
    pub path: String,
    /// Its other files for people, which are written along: nobody knows which of them it reads.
    pub also: Vec<String>,
    /// The content of that file.
    pub standing: Standing,
    /// When we wrote our entry, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub written: Option<u64>,
    /// How our entry reaches us, while there is one.
    pub transport: Option<Transport>,
    /// How it can reach us, the usual way first.
    pub transports: Vec<Transport>,
    /// Why it cannot start programs, as a sentence: it runs in a sandbox.
    pub sandbox: Option<String>,
    /// How what we know of it is known.
    pub mark: Mark,
    /// What to do so that it reads a changed file, as a sentence.
    pub reload: String,
    /// What else a person should know, as sentences.
    pub notes: Vec<String>,
    /// The names of other clients that read the same file.
    pub shared: Vec<String>,
    /// Whether it can be connected for one project alone.
    pub takes_projects: bool,
    /// Where its own settings can hide single skills of the folders that it reads by itself.
    pub hides: Option<HidesSkills>,
    /// The projects that it is connected for.
    pub projects: Vec<ClientProject>,
    /// The servers that have entries of their own in its files and are started through us.
    pub direct: Vec<String>,
    /// How many servers in its files we did not add.
    pub others: u32,
    /// How many secrets in plain text in its own files could be moved to the keychain.
    pub plain: u32,
    /// The last change of its files that can be undone.
    pub undo: Option<LastChange>,
    /// The last change that was undone and can be redone.
    pub redo: Option<LastChange>,
    /// Whether a person described it: it is none of those that we know.
    pub custom: bool,
    /// Whether it is one that a described client can be like: each way to write a file has one.
    pub model: bool,
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
    /// How many tools of servers it may use.
    pub tools: u32,
    /// About how many tokens of a model's window those in its list take.
    pub tool_tokens: u32,
    /// Whether it is connected now.
    pub live: bool,
    /// What it said of itself when it last connected.
    pub peer: Option<Peer>,
    /// How often it called, ever since we know it.
    pub calls: u32,
    /// Its last call.
    pub called: Option<LastCall>,
}

/// What a client's file says about us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Standing {
    /// Nothing.
    Absent,
    /// Our entry.
    Added,
    /// Our entry, but it leads to where we are no longer: an update puts it right.
    Outdated {
        /// What is out of date, as a sentence.
        message: String,
    },
    /// Our entry, but somebody changed what it says.
    Edited,
    /// Nothing any more: somebody took our entry out.
    Dropped {
        /// Whether it is put back once the client has quit, as the person agreed to.
        waiting: bool,
    },
    /// The entry that we added for another client that reads this file too.
    Shared {
        /// That client's name.
        with: String,
    },
    /// An entry of our name that we did not write.
    Different,
    /// The file cannot be changed safely.
    Refused {
        /// Why, as a sentence.
        message: String,
    },
}

/// How a client reaches us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// It starts our program and talks to it.
    Stdio,
    /// It calls our address, with a token of its own.
    Http,
}

/// How the facts about a client are known, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The real client was run with our entry.
    Ran,
    /// They were read in its source or its own pages.
    Read,
    /// They are in other tools' tables.
    Table,
    /// Nobody has confirmed them.
    Unverified,
}

/// A project that a client is connected for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ClientProject {
    /// The project's folder: names it in every command.
    pub project: String,
    /// The client's file in it, for people.
    pub place: String,
    /// The content of that file.
    pub standing: Standing,
    /// When we wrote our entry, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub written: Option<u64>,
}

/// A change of a client's files that can be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LastChange {
    /// When it was made, in milliseconds since 1970.
    #[ts(type = "number")]
    pub time: u64,
    /// Whether it put our entry there; otherwise it took it out.
    pub added: bool,
    /// How many secrets it moved to the keychain; then it did nothing else.
    pub moved: u32,
    /// How many skills it switched in the client's settings; then it did nothing else.
    pub switched: u32,
}

/// Where a client's own settings hide single skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum HidesSkills {
    /// In one folder at a time.
    InFolder,
    /// In every folder.
    Everywhere,
}
