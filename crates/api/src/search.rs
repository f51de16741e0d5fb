//! What a search found.

use serde::Serialize;
use ts_rs::TS;

/// A skill that contains everything that was typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The skill.
    pub key: String,
    /// The place of the word that is hardest to see.
    pub found_in: FoundIn,
    /// The words around a find in the body, for the best finds.
    pub snippet: Option<Snippet>,
}

/// A field of a skill; the earlier ones count more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum FoundIn {
    /// Its name or its id.
    Name,
    /// Its description.
    Description,
    /// A tag.
    Tag,
    /// The body of its SKILL.md.
    Body,
}

/// A find, and the words around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Snippet {
    /// The text before it.
    pub before: String,
    /// The word.
    pub found: String,
    /// The text after it.
    pub after: String,
}
