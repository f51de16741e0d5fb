//! One client, and how its parts load a SKILL.md together.

use std::borrow::Cow;

use super::{
    dialect::Dialect,
    fences::{Cut, Fences},
    field::{Field, From},
    lines::ByLine,
    reason,
    repairs::Repair,
};
use crate::{Skill, problem::Fault, yaml::Node};

/// How a client reads a SKILL.md.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// Whether it accepts bytes that are not UTF-8, as replacement characters.
    pub(super) lossy: bool,
    /// Whether it skips a byte order mark.
    pub(super) mark: bool,
    /// `None` when it looks at the file as a whole.
    pub(super) fences: Option<Fences>,
    /// `None` when it reads no YAML.
    pub(super) dialect: Option<Dialect>,
    /// How it repairs a frontmatter that is not valid YAML before a second try.
    pub(super) repair: Option<Repair>,
    /// The fences required for a repair, when they differ from `fences`.
    pub(super) repair_fences: Option<Fences>,
    /// How it finds the fields by line, when YAML does not give both as text.
    pub(super) by_line: Option<ByLine>,
    pub(super) needs: Needs,
    pub(super) name_field: Field,
    pub(super) description: Field,
    /// Checks of the other fields; each returns what is wrong.
    pub(super) demands: &'static [fn(&Node) -> Option<String>],
    /// Complaints about a skill that it loads anyway.
    pub(super) complaints: &'static [fn(&str, &Node) -> Option<String>],
}

/// What a client refuses a skill without.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    pub(super) frontmatter: bool,
    /// The frontmatter is valid YAML, possibly after a repair.
    pub(super) yaml: bool,
    /// The frontmatter is a mapping or empty.
    pub(super) mapping: bool,
}

/// A skill as a client shows it.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) description: Option<String>,
    /// The client's complaints.
    pub(super) minded: Vec<String>,
}

impl Client {
    /// # Errors
    /// Why the client refuses the skill.
    pub(super) fn load(&self, skill: &Skill, file: &[u8]) -> Result<Shown, String> {
        let text = self.decoded(file)?;
        let cut = self.cut(&text)?;
        let mut minded = Vec::new();
        let root = self.root(cut.yaml, skill, file, &mut minded)?;
        let from = From { folder: &skill.id, body: cut.body, dialect: self.dialect.as_ref() };
        let by_line = self.by_line.filter(|_| !self.both_text(root.as_ref()));
        let value = |field: &Field| match by_line {
            Some(by_line) => field.of_line(by_line(cut.yaml, field.key), from),
            None => field.of_node(self.value(root.as_ref(), field), from),
        };
        let (name, description) = (value(&self.name_field)?.unwrap_or_default(), value(&self.description)?);
        if let Some(root) = &root {
            if let Some(wrong) = self.demands.iter().find_map(|demand| demand(root)) {
                return Err(wrong);
            }
            let complaints = self.complaints.iter().filter_map(|complaint| complaint(&skill.id, root));
            let client = self.name;
            minded.extend(complaints.map(|complaint| format!("{client} {complaint}.")));
        }
        Ok(Shown { name, description, minded })
    }

    fn decoded<'f>(&self, file: &'f [u8]) -> Result<Cow<'f, str>, String> {
        let file = if self.mark { file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file) } else { file };
        match String::from_utf8_lossy(file) {
            Cow::Owned(_) if !self.lossy => Err("the file is not UTF-8".to_owned()),
            text => Ok(text),
        }
    }

    fn cut<'t>(&self, text: &'t str) -> Result<Cut<'t>, String> {
        let Some(fences) = &self.fences else { return Ok(Cut { yaml: text, body: text }) };
        match fences.cut(text) {
            Some(cut) => Ok(cut),
            None if !self.needs.frontmatter => Ok(Cut { yaml: "", body: text }),
            None if text.starts_with('\u{feff}') => Err("it sees no frontmatter behind the byte order mark".to_owned()),
            None => Err("it finds no frontmatter between two lines `---`".to_owned()),
        }
    }

    /// The frontmatter's mapping; `None` when nothing can be read from it.
    fn root(&self, yaml: &str, skill: &Skill, file: &[u8], minded: &mut Vec<String>) -> Result<Option<Node>, String> {
        let Some(dialect) = &self.dialect else { return Ok(None) };
        let root = match dialect.read(yaml) {
            Ok(root) => root,
            Err(fault) => match self.repaired(yaml, dialect, file) {
                Some(root) => {
                    minded.push(format!("{} repairs it: {}.", self.name, reason::of_fault(&fault, skill)));
                    root
                }
                None if self.needs.yaml => return Err(reason::of_fault(&fault, skill)),
                None => {
                    minded.push(self.unread(&fault, skill));
                    None
                }
            },
        };
        match root {
            Some(root) if root.is_mapping() => Ok(Some(root)),
            Some(root) if self.needs.mapping && !root.is_null() => {
                Err("its frontmatter is no `key: value` lines".to_owned())
            }
            _ => Ok(None),
        }
    }

    fn value<'n>(&self, root: Option<&'n Node>, field: &Field) -> Option<&'n Node> {
        self.dialect.as_ref()?.get(root?, field.key)
    }

    fn repaired(&self, yaml: &str, dialect: &Dialect, file: &[u8]) -> Option<Option<Node>> {
        let repair = self.repair?;
        if let Some(fences) = &self.repair_fences {
            fences.cut(&String::from_utf8_lossy(file))?;
        }
        dialect.read(&repair(yaml)).ok()
    }

    fn unread(&self, fault: &Fault, skill: &Skill) -> String {
        let instead = match self.by_line {
            Some(_) => "takes the name and the description from their lines",
            None => "takes nothing from the frontmatter",
        };
        format!("{} {instead}: {}.", self.name, reason::of_fault(fault, skill))
    }

    fn both_text(&self, root: Option<&Node>) -> bool {
        let (Some(root), Some(dialect)) = (root, &self.dialect) else { return false };
        [&self.name_field, &self.description]
            .iter()
            .all(|field| self.value(Some(root), field).is_some_and(|node| dialect.is_text(node)))
    }
}
