//! A skill as read from its SKILL.md.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    Personal, Problem, Server,
    check::{self, Draft},
    compact::Compact,
    dependency,
    document::Document,
    fix::harmful,
    frontmatter::Frontmatter,
    personal_mcp,
    yaml::Node,
};

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
    pub personal: Option<Box<Personal>>,
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

/// Reads the SKILL.md of the folder `id`. Never fails: see [`Skill::problems`].
pub fn read(id: &str, file: &[u8]) -> Skill {
    let mut skill = read_untried(id, file);
    for index in harmful(id, file, &skill.problems, &skill.problems) {
        skill.problems[index].fix = None;
    }
    skill
}

/// As [`read`], with all possible fixes, including those that would cause another problem.
pub(crate) fn read_untried(id: &str, file: &[u8]) -> Skill {
    let document = Document::new(file);
    let Frontmatter { reading, root, mut faults } = Frontmatter::read(&document);
    let personal = personal_mcp::read(id, file, &root, &mut faults);
    let servers = dependency::read(file, &root, &mut faults);
    let problems = check::problems(&Draft { id, document: &document, frontmatter: &root }, faults);
    Skill {
        id: id.to_owned(),
        name: said(&root, "name").map_or_else(|| id.to_owned(), str::to_owned),
        description: said(&root, "description")
            .or_else(|| in_brackets(file, &root, "description"))
            .map_or_else(|| document.first_body_line(), str::to_owned),
        reading,
        compact: Compact::of(&root),
        personal: personal.map(Box::new),
        servers,
        body: document.body.clone(),
        problems,
    }
}

/// A skill whose SKILL.md could not be read, for the reason in `why`.
pub fn unread(id: &str, why: Problem) -> Skill {
    Skill { reading: Reading::Broken, problems: vec![why], ..read(id, &[]) }
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

    /// Whether it follows the Agent Skills specification exactly, so that a checking host accepts it (`skills/*`,
    /// `skill://`; decision 10).
    pub fn is_strict(&self) -> bool {
        self.reading == Reading::Strict
            && !self.problems.iter().any(|problem| check::find(problem.rule).is_some_and(|rule| rule.specified))
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

/// The source of a value `[...]` or `{...}` on one line: text to its author, and to Codex and Gemini CLI.
fn in_brackets<'f>(file: &'f [u8], frontmatter: &Node, key: &str) -> Option<&'f str> {
    let value = frontmatter.get(key).filter(|value| value.text().is_none())?;
    let source = str::from_utf8(file.get(value.span.clone())?).ok()?;
    (source.starts_with(['[', '{']) && !source.contains(['\n', '\r'])).then_some(source)
}

/// The value of `key` as authored: any scalar that is not empty.
pub(crate) fn said<'n>(frontmatter: &'n Node, key: &str) -> Option<&'n str> {
    let value = frontmatter.get(key).filter(|value| !value.is_null())?;
    value.text().filter(|text| !text.trim().is_empty())
}
