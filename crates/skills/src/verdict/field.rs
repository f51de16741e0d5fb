//! A client's rules for a name or a description.

use serde_json::Value;

use super::dialect::Dialect;
use crate::yaml::{Content, Node};

/// The rule for one field.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) key: &'static str,
    pub(super) takes: Takes,
    /// The fallback for a value that is not accepted.
    pub(super) other: Lack,
    /// The fallback for `key:` without a value.
    pub(super) null: Lack,
    pub(super) missing: Lack,
    /// The fallback for a value that is empty after tidying.
    pub(super) empty: Lack,
    /// Changes to the text, in this order.
    pub(super) tidied: &'static [fn(&str) -> String],
    /// Checks of the text; each returns what is wrong with it.
    pub(super) demands: &'static [fn(&str) -> Option<String>],
}

/// The values that a field accepts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Takes {
    /// Any single value, as its text.
    Scalars,
    /// Any single value; numbers are rewritten as JavaScript writes them.
    Values,
    /// Text only.
    Text,
    /// None: the folder's name is always used.
    Nothing,
}

/// The fallback for a value that is missing or not accepted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lack {
    /// The client refuses the skill.
    Refused,
    /// The name of the skill's folder.
    Folder,
    /// A text from the body.
    Body(fn(&str) -> String),
    /// The client shows the skill without the value.
    Nothing,
    /// An empty text.
    Empty,
}

/// The resulting text of a field, if any; the error says why the client refuses the skill.
pub(super) type Became = Result<Option<String>, String>;

/// The input for a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct From<'a> {
    pub(super) folder: &'a str,
    pub(super) body: &'a str,
    /// `None` for a client that reads no YAML.
    pub(super) dialect: Option<&'a Dialect>,
}

impl Field {
    /// # Errors
    /// Why the client refuses the skill.
    pub(super) fn of_node(&self, node: Option<&Node>, from: From<'_>) -> Became {
        let key = self.key;
        if let Takes::Nothing = self.takes {
            return self.missing.stand_in(from, "");
        }
        let Some(node) = node else {
            return self.missing.stand_in(from, &format!("it has no {key}"));
        };
        if from.dialect.is_some_and(|dialect| dialect.is_nothing(node)) {
            return self.null.stand_in(from, &format!("its {key} is empty"));
        }
        let taken = |dialect: &&Dialect| !matches!(self.takes, Takes::Text) || dialect.is_text(node);
        let number = number(node).filter(|_| matches!(self.takes, Takes::Values));
        match number.or_else(|| from.dialect.filter(taken)?.text(node)) {
            Some(text) => self.of_text(&text, from),
            None => self.other.stand_in(from, &format!("its {key} is not text")),
        }
    }

    /// # Errors
    /// Why the client refuses the skill.
    pub(super) fn of_line(&self, line: Option<String>, from: From<'_>) -> Became {
        match line {
            Some(text) if !matches!(self.takes, Takes::Nothing) => self.of_text(&text, from),
            _ => self.missing.stand_in(from, &format!("it has no line `{}:`", self.key)),
        }
    }

    fn of_text(&self, text: &str, from: From<'_>) -> Became {
        let text = self.tidied.iter().fold(text.to_owned(), |text, tidy| tidy(&text));
        if text.is_empty() {
            return self.empty.stand_in(from, &format!("its {} is empty", self.key));
        }
        match self.demands.iter().find_map(|demand| demand(&text)) {
            Some(wrong) => Err(format!("the {} {wrong}", self.key)),
            None => Ok(Some(text)),
        }
    }
}

/// A number as JavaScript writes it.
fn number(node: &Node) -> Option<String> {
    match &node.content {
        Content::Scalar(_, Value::Number(number)) => Some(number.as_f64()?.to_string()),
        _ => None,
    }
}

impl Lack {
    fn stand_in(self, from: From<'_>, why: &str) -> Became {
        match self {
            Self::Refused => Err(why.to_owned()),
            Self::Folder => Ok(Some(from.folder.to_owned())),
            Self::Body(pick) => Ok(Some(pick(from.body))),
            Self::Nothing => Ok(None),
            Self::Empty => Ok(Some(String::new())),
        }
    }
}
