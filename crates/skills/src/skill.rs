//! A skill as read from its SKILL.md.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{PersonalMcp, Problem, Server, compact::Compact};

/// A skill, with all its problems.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The name of its folder: its id everywhere (decision 10).
    pub id: String,
    /// Its name as authored; the folder's name when the file has none.
    pub name: String,
    /// Its description as authored; the first line of the body when the file has none.
    pub description: String,
    /// How its frontmatter was read.
    pub reading: Reading,
    /// The compact frontmatter.
    pub(crate) compact: Compact,
    /// The block `x-personal-mcp`, when it exists and is valid (the frontmatter contract).
    pub personal: Option<Box<PersonalMcp>>,
    /// The MCP servers that the skill declares (the dependency plan).
    pub servers: Vec<Server>,
    /// The bytes of the body in SKILL.md, without leading blank lines.
    pub body: Range<usize>,
    /// Its problems, in the order of the file.
    pub problems: Vec<Problem>,
}

/// How a skill's frontmatter was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Unchanged, by a strict YAML 1.2 parser.
    Strict,
    /// After a repair that real clients make too, such as quoting a value that holds a colon.
    Repaired,
    /// Not at all: listed with the reason, served nowhere.
    Broken,
}

impl Skill {
    /// The frontmatter as a YAML 1.2 parser reads it, in the author's order. Empty when broken.
    pub fn frontmatter(&self) -> Map<String, Value> {
        self.compact.frontmatter()
    }

    /// Whether both have the same frontmatter.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.compact == other.compact
    }

    /// Whether it can be served.
    pub fn loads(&self) -> bool {
        self.reading != Reading::Broken
    }

    /// Whether the optional keys hold what the specification says: text, short in `compatibility`, and in `metadata`
    /// text by name. A checking host drops a whole list for one skill that violates this.
    pub fn has_specified_values(&self) -> bool {
        self.compact.specified
    }

    /// Its labels: those of `x-personal-mcp`, else a top-level `tags` list.
    pub fn tags(&self) -> Vec<&str> {
        match &self.personal {
            Some(personal) => personal.tags.iter().map(String::as_str).collect(),
            None => self.compact.tags.iter().map(|tag| &**tag).collect(),
        }
    }

    /// Its version: that of `x-personal-mcp`, else `metadata.version`, else a top-level `version`.
    pub fn version(&self) -> Option<String> {
        let authored = || self.compact.version.as_deref().map(str::to_owned);
        self.personal.as_ref().map(|personal| personal.version.clone()).or_else(authored)
    }
}
