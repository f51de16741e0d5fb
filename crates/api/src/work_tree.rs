//! A library folder in a git work tree of the person's own: its status, what a pull would bring, and what a commit would
//! hold.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::UpdatePlan;

/// The status of the work tree that a library folder lies in, as of its last fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkTreeStatus {
    /// The folder's id.
    pub folder: String,
    /// The top of the work tree, for people.
    pub place: String,
    /// The branch; nothing where a commit is checked out by itself.
    pub branch: Option<String>,
    /// The branch that it follows: `origin/main`.
    pub upstream: Option<String>,
    /// How many commits are here and not in the upstream.
    pub ahead: u32,
    /// How many commits are in the upstream and not here.
    pub behind: u32,
    /// The skills of the folder that changed since the last commit.
    pub skills: Vec<ChangedSkill>,
    /// How many files of the folder changed that belong to no skill.
    pub others: u32,
    /// How many switches and sets a push would tell the other machines of; none where they are not shared.
    pub switches: u32,
    /// What keeps it from being pulled and pushed, as a sentence.
    pub trouble: Option<String>,
}

/// A skill that changed since the last commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangedSkill {
    /// Its folder's path in the library folder.
    pub path: String,
    /// What happened to it.
    pub how: SkillChange,
}

/// What happened to a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SkillChange {
    /// It is new.
    Added,
    /// Files of it changed.
    Changed,
    /// It is gone.
    Removed,
}

/// What a pull would bring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PullPlan {
    /// Names exactly this; pulling asks for it.
    pub id: String,
    /// The folder's id.
    pub folder: String,
    /// The branch that is followed: `origin/main`.
    pub upstream: String,
    /// How many commits come. With none, and no switch or set, nothing does.
    pub commits: u32,
    /// Whether there are commits here that the upstream does not have, so that both are merged. Nothing conflicts.
    pub merges: bool,
    /// What changes in the skills of the folder.
    pub skills: Vec<UpdatePlan>,
    /// The switches and sets that would change here, as other machines say. Empty where they are not shared.
    pub switches: Vec<SwitchChange>,
    /// How many skills are on on another machine and not here at all: their switches wait for them.
    pub absent: u32,
    /// The other files of the work tree that change.
    pub others: Vec<String>,
    /// What to know before, as sentences.
    pub notes: Vec<String>,
}

/// A switch or a set that changes: here by a pull, on the other machines by a push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SwitchChange {
    /// What happens.
    pub how: SwitchHow,
    /// The skill's path in the library folder.
    pub skill: Option<String>,
    /// The set's name.
    pub set: Option<String>,
    /// The random name of the machine that says so; nothing where it is this one.
    pub machine: Option<String>,
    /// Why it does not come here, as a sentence.
    pub stays: Option<String>,
}

/// What happens to a switch or a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SwitchHow {
    /// The skill is switched on.
    On,
    /// The skill is switched off.
    Off,
    /// The set is new.
    SetComes,
    /// The set is written otherwise.
    SetRenamed,
    /// The set is gone.
    SetGoes,
    /// The skill joins the set.
    Joins,
    /// The skill leaves the set.
    Leaves,
}

/// What a commit would hold, and what a push would bring along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CommitPlan {
    /// Names exactly this; committing asks for it.
    pub id: String,
    /// The folder's id.
    pub folder: String,
    /// The branch.
    pub branch: String,
    /// The branch that it follows: `origin/main`.
    pub upstream: String,
    /// Where the push goes, without a password.
    pub address: String,
    /// What changed in the skills of the folder, which is what is committed.
    pub skills: Vec<UpdatePlan>,
    /// The switches and sets that changed here, which go along in the file of this machine. Empty where they are not shared.
    pub switches: Vec<SwitchChange>,
    /// A message that says it: `Skills: change tea, add coffee`.
    pub message: String,
    /// The first lines of the commits that are here already and go along, the newest first.
    pub ahead: Vec<String>,
    /// How many commits the upstream had at the last fetch that are not here.
    pub behind: u32,
    /// What looks like a secret, as sentences; with one, nothing is committed.
    pub secrets: Vec<String>,
}

/// What became of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Pushed {
    /// The commit.
    pub commit: String,
    /// Whether a new one was made.
    pub committed: bool,
    /// Why the upstream did not take it, as sentences. The commit stays here.
    pub refused: Option<String>,
}
