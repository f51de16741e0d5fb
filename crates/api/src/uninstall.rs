//! What Skilltender put outside of its own folder, to be shown before it is taken out.

use serde::{Deserialize, Serialize};

use crate::ConnectPlan;

/// Everything of ours on this computer but the programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// Names exactly these plans; taking them out requires it. Empty where nothing was planned.
    pub id: String,
    /// In clients' files.
    pub entries: Vec<EntryTrace>,
    /// In client folders.
    pub folders: Vec<FolderTrace>,
    /// Whether the app starts at login.
    pub login: bool,
    /// Whether the menu of programs has an entry of ours.
    #[serde(default)]
    pub menu: bool,
    /// What stays where it is, and why: sentences.
    pub stays: Vec<String>,
    /// The clients whose keys are in the keychain only: their ids. Our folder and the keychain are needed until they are
    /// put back.
    pub keys_of: Vec<String>,
    /// How many secrets are in the keychain.
    pub secrets: usize,
    /// How many skills are in our own folder.
    pub skills: usize,
    /// Our own folder, for people; empty where it does not exist.
    pub data: String,
    /// The folders of the window's web engine, for people.
    #[serde(default)]
    pub window: Vec<String>,
}

/// What is ours in a client's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryTrace {
    /// The client's id.
    pub client: String,
    /// Its name.
    pub name: String,
    /// The project's folder, for an entry there.
    pub project: Option<String>,
    /// The file, for people.
    pub place: String,
    /// The change that takes it out, once it was planned.
    pub plan: Option<ConnectPlan>,
}

/// What is ours in a client folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderTrace {
    /// The folder's path.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// The skills whose link or copy goes.
    pub skills: Vec<String>,
}

impl Traces {
    /// Whether anything can be taken out.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.folders.is_empty() && !self.login && !self.menu
    }
}
