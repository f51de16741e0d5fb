//! Problems of a skill, worded so that a person can act on them.

use std::ops::Range;

use serde::Serialize;
use text::{Place, Splice};

/// One problem of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The rule that was broken, by its id in the table of rules, such as `unquoted-colon`.
    pub rule: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// A full sentence: the fact, and which client objects.
    pub message: String,
    /// Offset of the first byte of SKILL.md that it is about.
    pub start: usize,
    /// The first byte after them.
    pub end: usize,
    /// Where `start` is, for people.
    pub place: Place,
    /// The frontmatter field, such as `x-personal-mcp.references.guide.path`.
    pub field: Option<String>,
    /// The change that fixes it.
    pub fix: Option<Fix>,
}

impl Problem {
    /// A problem of the file as a whole.
    pub fn of_file(rule: &'static str, severity: Severity, message: String) -> Self {
        let place = Place { line: 1, column: 1 };
        Self { rule, severity, message, start: 0, end: 0, place, field: None, fix: None }
    }

    /// A problem of a field, at a place kept from an earlier reading.
    pub(crate) fn of_field(rule: &'static str, severity: Severity, message: String, field: &str, spot: &Spot) -> Self {
        let (start, end) = (spot.span.start, spot.span.end);
        let field = Some(field.to_owned());
        Self { rule, severity, message, start, end, place: spot.place, field, fix: None }
    }
}

/// The place of a value in SKILL.md, kept for problems that are found later without the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) span: Range<usize>,
    pub(crate) place: Place,
}

/// How serious a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; every client loads the skill.
    Advice,
    /// Some client drops or cuts the skill, or something in it does not work.
    Warning,
    /// The skill, or the block that it is about, cannot be used.
    Error,
}

/// A change of SKILL.md that fixes a problem and touches no other byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What the change does, as the label of a button: "Quote the value".
    pub label: String,
    /// The change.
    pub splices: Vec<Splice>,
}

/// The finding of a rule: a problem before its severity and place are looked up.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) rule: &'static str,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) field: Option<String>,
    /// Boxed to keep `Result<_, Fault>` small.
    pub(crate) fix: Option<Box<Fix>>,
}

impl Fault {
    pub(crate) fn new(rule: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { rule, span, message: message.into(), field: None, fix: None }
    }

    /// Sets the frontmatter field.
    pub(crate) fn about(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Sets the fix.
    pub(crate) fn fixed_by(self, label: impl Into<String>, splices: Vec<Splice>) -> Self {
        Self { fix: Some(Box::new(Fix { label: label.into(), splices })), ..self }
    }
}
