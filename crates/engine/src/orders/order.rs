//! What can be ordered: one row for each action that the command line has.

use std::collections::BTreeMap;

use mcp::Surface;
use serde::{Deserialize, Serialize};

use super::{GivenOrder, ServerOrder};
use crate::view::{ClientChange, CustomClient, DriftChoice, PlaceWay, Transport};

/// One thing that a person asks for on the command line. A skill is named by its key, its id, or
/// the absolute path of its folder or SKILL.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Switches skills on or off; answers with their keys.
    Enable {
        /// Which.
        skills: Vec<String>,
        /// On or off.
        on: bool,
        /// Of somebody else's skills, by their keys, the digests of the looks that the person was shown.
        #[serde(default)]
        seen: BTreeMap<String, String>,
    },
    /// Makes a skill from a template; answers with its key.
    New {
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// The new skill's.
        id: String,
        /// What it begins as.
        template: String,
    },
    /// Makes a copy; answers with its key.
    Duplicate {
        /// Which.
        skill: String,
        /// The copy's.
        id: String,
    },
    /// Imports what was looked at; answers with the keys.
    Import {
        /// The folder or zip file, absolute.
        path: String,
        /// What was looked at.
        plan: String,
        /// The id or the absolute path of a folder of the library.
        folder: String,
        /// Where the skills stand inside; without it, all of them.
        only: Option<Vec<String>>,
    },
    /// Throws a skill away; answers with its name in the trash.
    Trash {
        /// Which.
        skill: String,
    },
    /// Brings it back; answers with its key.
    Restore {
        /// Its name in the trash, its key, or its name in the library.
        id: String,
    },
    /// Deletes a skill in the trash for good, with what was given for it.
    DeleteTrashed {
        /// Its name in the trash, its key, or its name in the library.
        id: String,
    },
    /// Switches a part of the server, for one client or for all.
    SetSurface {
        /// For which client; without one, for all that have no switch of their own.
        client: Option<String>,
        /// Which part.
        surface: Surface,
        /// Without a value, the switch is taken away.
        on: Option<bool>,
    },
    /// Offers packed skills, or no longer.
    SetArchives {
        /// Whether.
        on: bool,
    },
    /// Serves HTTP at another port.
    SetPort {
        /// Which.
        port: u16,
    },
    /// Keeps skills that are not ready from clients, or no longer.
    SetWithhold {
        /// Whether.
        on: bool,
    },
    /// Applies every fix to skills; answers with the keys of those that changed.
    Fix {
        /// Which.
        skills: Vec<String>,
    },
    /// Makes a set of skills; answers with its id.
    MakeSet {
        /// What people call it.
        name: String,
        /// Which.
        skills: Vec<String>,
    },
    /// Gives a set other skills.
    ChangeSet {
        /// Its id or its name.
        set: String,
        /// Which.
        skills: Vec<String>,
    },
    /// Deletes a set; its skills stay.
    DeleteSet {
        /// Its id or its name.
        set: String,
    },
    /// Lets a client see a set and nothing else; without one it sees every skill.
    GiveSet {
        /// The client's id.
        client: String,
        /// The set's id or name.
        set: Option<String>,
    },
    /// Plans a change of a client's files; answers with the plan.
    PlanClient {
        /// The client's id.
        client: String,
        /// Which change.
        change: ClientChange,
    },
    /// Makes a change of a client's files.
    ChangeClient {
        /// The client's id.
        client: String,
        /// Which change.
        change: ClientChange,
        /// What was shown.
        plan: String,
    },
    /// Gives a client a token for HTTP, or another one; answers with it.
    Token {
        /// The client's id, or `by-hand`.
        client: String,
        /// Whether the one that it has is replaced.
        replace: bool,
    },
    /// Something about servers.
    Server(ServerOrder),
    /// Something about the secrets and values that they get.
    Given(GivenOrder),
    /// Takes a client's token away.
    ForgetToken {
        /// The client's id.
        client: String,
    },
    /// Answers with what could not be saved yet, as a sentence, or with nothing.
    ReadUnsaved,
    /// Puts enabled skills into a folder that a client reads by itself, or takes ours out.
    FillFolder {
        /// The client's id, or the folder's path.
        target: String,
        /// How; without it, ours is taken out.
        way: Option<PlaceWay>,
        /// What was shown.
        plan: String,
    },
    /// Adds a folder to the library.
    AddFolder {
        /// Its absolute path.
        path: String,
    },
    /// Takes a folder out of the library; nothing in it changes.
    RemoveFolder {
        /// Its id or its absolute path.
        folder: String,
    },
    /// Pauses serving, or goes on.
    Pause {
        /// Whether.
        on: bool,
    },
    /// Takes in a client that a person describes; answers with its id.
    AddClient(CustomClient),
    /// Forgets a client that a person described.
    RemoveClient {
        /// Its id.
        client: String,
    },
    /// Answers with what somebody else made of our entry.
    ReadDrift {
        /// The client's id.
        client: String,
        /// The project's folder, for the entry there.
        project: Option<String>,
    },
    /// Settles what somebody else made of our entry, without writing into the client's file.
    SettleDrift {
        /// The client's id.
        client: String,
        /// The project's folder, for the entry there.
        project: Option<String>,
        /// What was shown.
        drift: String,
        /// How.
        choice: DriftChoice,
    },
    /// Answers with our entry as text, for a client's file that is written by hand.
    EntryText {
        /// The client's id.
        client: String,
        /// How it reaches us; the usual way without it.
        transport: Option<Transport>,
    },
    /// Offers a kept text of a skill no more.
    SettleKept {
        /// Which skill.
        skill: String,
        /// When it was kept.
        moment: u64,
    },
    /// Looks for a keychain again; what was kept in memory meanwhile moves in.
    RetryKeychain,
    /// Settles a copy that somebody edited.
    SettleCopy {
        /// The client's id, or the folder's path.
        target: String,
        /// The name of the skill's folder.
        skill: String,
        /// Whether it is replaced; without this it is theirs.
        replace: bool,
    },
}
