//! What is wrong with a skill, said so that a person can act on it.

use std::ops::Range;

use serde::Serialize;
use text::{Place, Splice};

/// One thing that is wrong with a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The rule that was broken, by its id in the table of rules, such as `unquoted-colon`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// A full sentence: what is so, and who minds.
    pub message: String,
    /// The bytes of SKILL.md that it is about.
    pub start: usize,
    /// The first byte after them.
    pub end: usize,
    /// Where `start` is, for people.
    pub place: Place,
    /// The frontmatter field, such as `x-personal-mcp.references.guide.path`.
    pub field: Option<String>,
    /// What would put it right.
    pub fix: Option<Fix>,
}

impl Problem {
    /// A problem of the file as a whole.
    pub fn of_file(rule: &'static str, severity: Severity, message: String) -> Self {
        let place = Place { line: 1, column: 1 };
        Self { rule, severity, message, start: 0, end: 0, place, field: None, fix: None }
    }

    /// A problem of a field that was read earlier.
    pub(crate) fn of_field(rule: &'static str, severity: Severity, message: String, field: &str, spot: &Spot) -> Self {
        let (start, end) = (spot.span.start, spot.span.end);
        let field = Some(field.to_owned());
        Self { rule, severity, message, start, end, place: spot.place, field, fix: None }
    }
}

/// Where a value stands in SKILL.md, kept for what comes to light when the file is no longer at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) span: Range<usize>,
    pub(crate) place: Place,
}

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; every client takes the skill.
    Advice,
    /// Some client drops or cuts the skill, or something in it does not work.
    Warning,
    /// The skill, or the block that it is about, cannot be used as it is.
    Error,
}

/// A change of SKILL.md that puts a problem right and touches no other byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What the change does, as the words of a button: "Quote the value".
    pub label: String,
    /// The change.
    pub splices: Vec<Splice>,
}

/// What a rule found: a problem before its severity and its place for people are looked up.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) rule: &'static str,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) field: Option<String>,
    /// Boxed so that a fault stays small where it is an error.
    pub(crate) fix: Option<Box<Fix>>,
}

impl Fault {
    pub(crate) fn new(rule: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { rule, span, message: message.into(), field: None, fix: None }
    }

    /// Names the frontmatter field.
    pub(crate) fn about(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Offers a change that puts it right.
    pub(crate) fn fixed_by(self, label: impl Into<String>, splices: Vec<Splice>) -> Self {
        Self { fix: Some(Box::new(Fix { label: label.into(), splices })), ..self }
    }
}
