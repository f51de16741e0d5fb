//! Sets of skills for clients that should not see all of them.

use serde::Serialize;
use ts_rs::TS;

/// Some skills of the library under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SkillSet {
    /// Names the set in every command.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The keys of its skills, also of those that are off.
    pub skills: Vec<String>,
    /// How many of them are served.
    pub served: u32,
    /// The clients that see this set and nothing else, by their ids; `by-hand` may be among them.
    pub clients: Vec<String>,
    /// The folders that it is bound to, as patterns: a client that works in one of them sees it instead of its own.
    pub folders: Vec<String>,
}
