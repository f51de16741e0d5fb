//! One skill as it was read, and the paths inside it.

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{Personal, Problem, Server};

/// A skill, with everything that is wrong with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The name of its folder: its id on every surface (decision 10).
    pub id: String,
    /// Its name as authored; the folder's name where the file gives none.
    pub name: String,
    /// Its description as authored; the first line of the body where the file gives none.
    pub description: String,
    /// How its frontmatter was read.
    pub reading: Reading,
    /// The frontmatter as a YAML 1.2 parser reads it, in the author's order. Empty when broken.
    pub frontmatter: Map<String, Value>,
    /// The block `x-personal-mcp`, when it is there and holds (seed 000).
    pub personal: Option<Personal>,
    /// The MCP servers that the skill says it needs (seed 002).
    pub servers: Vec<Server>,
    /// The bytes of the body in SKILL.md, without leading blank lines.
    pub body: Range<usize>,
    /// What is wrong, in the order of the file.
    pub problems: Vec<Problem>,
}

/// How a skill's frontmatter was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// As it stands, by a strict YAML 1.2 parser.
    Strict,
    /// After a repair that real clients make too, such as quoting a value that holds a colon.
    Repaired,
    /// Not at all: listed with the reason, served nowhere.
    Broken,
}

impl Skill {
    /// Whether any surface may serve it.
    pub fn loads(&self) -> bool {
        self.reading != Reading::Broken
    }

    /// The labels to find it by: those of `x-personal-mcp`, else a top-level `tags` list.
    pub fn tags(&self) -> Vec<&str> {
        match &self.personal {
            Some(personal) => personal.tags.iter().map(String::as_str).collect(),
            None => self
                .frontmatter
                .get("tags")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        }
    }

    /// Its version: that of `x-personal-mcp`, else `metadata.version`, else a top-level `version`.
    pub fn version(&self) -> Option<String> {
        let authored = || {
            let metadata = self.frontmatter.get("metadata").and_then(|metadata| metadata.get("version"));
            match metadata.or_else(|| self.frontmatter.get("version"))? {
                Value::String(version) => Some(version.clone()),
                Value::Number(version) => Some(version.to_string()),
                _ => None,
            }
        };
        self.personal.as_ref().map(|personal| personal.version.clone()).or_else(authored)
    }
}

/// Reads the SKILL.md of the folder `id`. Never fails: see [`Skill::problems`].
pub fn read(id: &str, file: &[u8]) -> Skill {
    let _ = file;
    Skill {
        id: id.to_owned(),
        name: id.to_owned(),
        description: String::new(),
        reading: Reading::Broken,
        frontmatter: Map::new(),
        personal: None,
        servers: Vec::new(),
        body: 0..0,
        problems: Vec::new(),
    }
}

/// The path of a file inside a skill's folder: relative, `/` between segments, and without any
/// segment that could lead out of it. It cannot be built otherwise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPath(String);

impl SkillPath {
    /// The path, or `None` when it is empty, absolute, or has an empty, `.` or `..` segment, a
    /// backslash, a NUL, or a segment that Windows reads as a drive or a stream (`:`).
    pub fn new(path: &str) -> Option<Self> {
        let fine = |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains(['\\', '\0', ':']);
        path.split('/').all(fine).then(|| Self(path.to_owned()))
    }

    /// `SKILL.md` itself.
    pub fn skill_md() -> Self {
        Self("SKILL.md".to_owned())
    }

    /// The path as text, with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for SkillPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SkillPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
