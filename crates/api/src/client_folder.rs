//! Client folders, in which clients look for skills by themselves, and what we put there.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A client folder: one that clients read by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ClientFolder {
    /// Its path, which names it in every command.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// The clients that read it.
    pub readers: Vec<ClientFolderReader>,
    /// Whether it is there.
    pub exists: bool,
    /// The id of the library folder that this also is; its skills are in it already.
    pub library: Option<String>,
    /// How enabled skills are put there; `null` when they are not.
    pub way: Option<PlaceWay>,
    /// What we put there or would, by the names of the skills' folders.
    pub skills: Vec<PlacedSkill>,
}

/// A client that reads a client folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ClientFolderReader {
    /// The client's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it seems to be on this computer.
    pub found: bool,
}

/// How a skill is put into a client folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlaceWay {
    /// A link to the skill's own folder.
    Link,
    /// A copy, renewed when the skill changes.
    Copy,
}

/// One skill in a client folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PlacedSkill {
    /// The name of its folder.
    pub id: String,
    /// Its state.
    pub state: PlacedState,
    /// Why, as a sentence; empty where there is nothing to say.
    pub why: String,
}

/// The state of a skill in a client folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlacedState {
    /// A link of ours.
    Linked,
    /// A copy of ours.
    Copied,
    /// Still to be made, renewed or removed.
    Due,
    /// The skill itself is there.
    Here,
    /// Something else has its name.
    Taken,
    /// Somebody edited the copy.
    Edited,
    /// Somebody removed it.
    Gone,
}

/// The planned steps in a client folder, shown before they are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ClientFolderPlan {
    /// Names exactly this plan; doing it requires the id.
    pub id: String,
    /// The folder's path.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// The names of the clients that read it.
    pub readers: Vec<String>,
    /// Whether the folder is created.
    pub creates: bool,
    /// One step for each affected skill.
    pub steps: Vec<ClientFolderStep>,
}

/// The step for one skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ClientFolderStep {
    /// The name of its folder.
    pub skill: String,
    /// What happens.
    pub does: ClientFolderAct,
    /// Why nothing happens, as a sentence; empty otherwise.
    pub why: String,
}

/// What happens with a skill in a client folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ClientFolderAct {
    /// A link is made.
    Link,
    /// A copy is made.
    Copy,
    /// Our link or copy is made again.
    Renew,
    /// Our link or copy is removed.
    Remove,
    /// Nothing.
    Leave,
}
