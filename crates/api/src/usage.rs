//! What skills and servers were used for some days, and what follows from it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What was used in some days up to today. Days are those of UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// How many days.
    pub days: u32,
    /// The first of them: `2026-10-26`.
    pub from: String,
    /// The last of them, today.
    pub to: String,
    /// The first day of which anything is counted at all; `null` if nothing ever was.
    pub since: Option<String>,
    /// Every skill that is on or was used, the most used first.
    pub skills: Vec<SkillUsage>,
    /// Every server that was used, the most used first.
    pub servers: Vec<ServerUsage>,
}

/// What was used of one skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillUsage {
    /// Its id; empty for all that were too many to be counted one by one.
    pub id: String,
    /// The key of the skill of this id that is in the library, the served one first; `null` if there is none.
    pub key: Option<String>,
    /// Its name.
    pub name: String,
    /// Whether it is on and served.
    pub enabled: bool,
    /// How many calls asked for it.
    #[ts(type = "number")]
    pub calls: u64,
    /// How many of them failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// About how many tokens of it were loaded.
    #[ts(type = "number")]
    pub loaded: u64,
    /// How many lists named it.
    #[ts(type = "number")]
    pub lists: u64,
    /// About how many tokens those lines took.
    #[ts(type = "number")]
    pub listed: u64,
    /// About how many tokens its line takes now; 0 while no model is told of it.
    pub line: u32,
    /// The last day of these on which it was called.
    pub last: Option<String>,
    /// By day and client.
    pub used: Vec<Used>,
    /// What follows, the weightiest first.
    pub verdicts: Vec<UsageVerdict>,
}

/// What one client used on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Used {
    /// The day.
    pub day: String,
    /// The client's id.
    pub client: String,
    /// How many calls.
    #[ts(type = "number")]
    pub calls: u64,
    /// How many of them failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// About how many tokens they loaded, of a skill; how many milliseconds they took, of a server.
    #[ts(type = "number")]
    pub cost: u64,
}

/// What was used of one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerUsage {
    /// Its name; empty for all that were too many to be counted one by one.
    pub name: String,
    /// How many calls.
    #[ts(type = "number")]
    pub calls: u64,
    /// How many of them failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// How long they took together, in milliseconds.
    #[ts(type = "number")]
    pub ms: u64,
    /// By day and client.
    pub used: Vec<Used>,
}

/// What follows from the use of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "verdict", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum UsageVerdict {
    /// A client gets it twice: from us, and from a folder that it reads by itself.
    LoadedTwice {
        /// The client's id.
        client: String,
        /// Its name.
        name: String,
        /// The folder's path.
        path: String,
        /// The same for people.
        place: String,
        /// Whether we put it there.
        ours: bool,
    },
    /// Many of its calls failed.
    OftenFails,
    /// It is on, and no client asked for it in all these days.
    NeverUsed,
    /// Its line in lists cost far more than what was loaded of it.
    CostsMore,
}
