//! The folders in which clients look for skills by themselves, and what we put there.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A folder that clients read by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SkillFolder {
    /// Its path: names it in every command.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// The clients that read it.
    pub readers: Vec<FolderReader>,
    /// Whether it is there.
    pub exists: bool,
    /// The id of the library's folder that this is; its skills lie there already.
    pub library: Option<String>,
    /// How enabled skills are put there; `null` when they are not.
    pub way: Option<PlaceWay>,
    /// What we put there or would, by the names of the skills' folders.
    pub skills: Vec<PlacedSkill>,
}

/// A client that reads a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FolderReader {
    /// The client's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it seems to be on this computer.
    pub found: bool,
}

/// How a skill is put into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlaceWay {
    /// A link to the skill's own folder.
    Link,
    /// A copy, renewed when the skill changes.
    Copy,
}

/// One skill in such a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PlacedSkill {
    /// The name of its folder.
    pub id: String,
    /// Its state.
    pub state: PlacedState,
    /// Why, as a sentence; empty where there is nothing to say.
    pub why: String,
}

/// The state of a skill in a folder that a client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlacedState {
    /// A link of ours.
    Linked,
    /// A copy of ours.
    Copied,
    /// It is to be made, renewed or taken away.
    Due,
    /// The skill itself lies there.
    Here,
    /// Something that is not ours has its name.
    Taken,
    /// Somebody edited the copy.
    Edited,
    /// Somebody took it away.
    Gone,
}

/// What is going to happen in a folder, to be shown before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FolderPlan {
    /// Names exactly this plan; doing it asks for it.
    pub id: String,
    /// The folder's path.
    pub path: String,
    /// The same for people.
    pub place: String,
    /// The names of the clients that read it.
    pub readers: Vec<String>,
    /// Whether it is made.
    pub creates: bool,
    /// One step for each skill that is concerned.
    pub steps: Vec<FolderStep>,
}

/// What happens with one skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FolderStep {
    /// The name of its folder.
    pub skill: String,
    /// What happens.
    pub does: FolderAct,
    /// Why nothing does, as a sentence; empty otherwise.
    pub why: String,
}

/// What happens with a skill in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FolderAct {
    /// A link is made.
    Link,
    /// A copy is made.
    Copy,
    /// What we made before is made anew.
    Renew,
    /// What we made is taken away.
    Remove,
    /// Nothing.
    Leave,
}
