//! Tags of many skills, changed at once.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How tags would change, before anything is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagPlan {
    /// The skills whose tags change.
    pub changes: Vec<TagChange>,
    /// The skills whose tags cannot be changed.
    pub refused: Vec<TagRefusal>,
}

/// How the tags of one skill change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagChange {
    /// The skill.
    pub key: String,
    /// Its name as authored.
    pub name: String,
    /// The digest of the SKILL.md that was read; changing the tags asks for it.
    pub digest: String,
    /// Its tags now.
    pub before: Vec<String>,
    /// Its tags then.
    pub after: Vec<String>,
}

/// A skill whose tags cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagRefusal {
    /// The skill.
    pub key: String,
    /// Its name as authored.
    pub name: String,
    /// Why, as a sentence.
    pub why: String,
}

/// What came of changing tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Tagged {
    /// The keys of the skills whose tags changed.
    pub changed: Vec<String>,
    /// The skills whose tags could not be changed after all.
    pub refused: Vec<TagRefusal>,
}
