//! Reads YAML into a tree that knows the place of every value.
//!
//! The events come from `granit-parser`; scalars get the meaning of the YAML 1.2 core schema, so that a date, `yes`
//! or `1_000` stays text. Nothing is executed: tags do not select types, aliases are copied within a budget.
//! Unreadable YAML becomes a [`Fault`] with a fixed sentence, never with a piece of the file.

mod build;
mod core_schema;
pub(crate) mod grow;
pub(crate) mod quotes;
mod syntax;

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::problem::Fault;

/// The most bytes of YAML that are read.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// One value, and its bytes in the file.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) content: Content,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// The text as authored, without quotes, and its value.
    Scalar(String, Value),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

/// One document.
#[derive(Debug)]
pub(crate) struct Tree {
    /// `None` for an empty document.
    pub(crate) root: Option<Node>,
    /// Faults that a strict reader refuses, although the text can be read.
    pub(crate) faults: Vec<Fault>,
    /// Whether a value has an anchor (`&name`).
    pub(crate) anchors: bool,
    /// Whether a value has a tag (`!name`), known or not.
    pub(crate) tags: bool,
}

/// Reads one document. `place` turns an offset of `text` into one of the file.
///
/// # Errors
/// The first place where the text is not valid YAML or a limit is reached.
pub(crate) fn read(text: &str, place: &dyn Fn(usize) -> usize) -> Result<Tree, Fault> {
    if text.len() > MOST_BYTES {
        let message = format!("The frontmatter is larger than {} KiB and is not read as YAML.", MOST_BYTES / 1024);
        return Err(Fault::new("yaml-limit", place(0)..place(text.len()), message));
    }
    if let Some((at, control)) = control(text) {
        let span = place(at)..place(at + control.len_utf8());
        return Err(Fault::new("yaml-syntax", span, syntax::control(control)));
    }
    build::document(text, place)
}

/// The first character that YAML forbids. Most texts have no byte that could belong to one.
fn control(text: &str) -> Option<(usize, char)> {
    let possible =
        |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || matches!(byte, 0x7f | 0xc2 | 0xef);
    text.bytes().any(possible).then(|| text.char_indices().find(|&(_, c)| syntax::is_control(c)))?
}

/// Serialises like [`Node::value`], without building it.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const FEW: usize = 16;
        match &self.content {
            Content::Scalar(_, value) => value.serialize(serializer),
            Content::List(items) => items.serialize(serializer),
            Content::Map(entries) if entries.len() > FEW => self.object().serialize(serializer),
            Content::Map(entries) => {
                let mut keys: Vec<&str> = Vec::with_capacity(entries.len());
                for key in entries.iter().filter_map(|(name, _)| name.text()) {
                    if !keys.contains(&key) {
                        keys.push(key);
                    }
                }
                serializer.collect_map(keys.into_iter().map(|key| (key, self.get(key))))
            }
        }
    }
}

impl Node {
    /// The value as JSON. The last of several equal keys wins.
    pub(crate) fn value(&self) -> Value {
        match &self.content {
            Content::Scalar(_, value) => value.clone(),
            Content::List(items) => Value::Array(items.iter().map(Self::value).collect()),
            Content::Map(_) => Value::Object(self.object()),
        }
    }

    /// A mapping as JSON writes it; empty for anything else.
    pub(crate) fn object(&self) -> Map<String, Value> {
        let entries = self.entries();
        // Thousands of these are kept, and a growing map allocates too much.
        let mut object = Map::with_capacity(entries.len());
        object.extend(entries.iter().filter_map(|(key, value)| Some((key.text()?.to_owned(), value.value()))));
        object
    }

    /// The scalar as authored, without quotes.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(text, _) => Some(text),
            Content::List(_) | Content::Map(_) => None,
        }
    }

    /// The scalar when it is a string.
    pub(crate) fn string(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(text, Value::String(_)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_mapping(&self) -> bool {
        matches!(&self.content, Content::Map(_))
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar(_, Value::Null))
    }

    /// The items of a list; none for anything else.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.content {
            Content::List(items) => items,
            Content::Scalar(..) | Content::Map(_) => &[],
        }
    }

    /// The entries of a mapping; none for anything else.
    pub(crate) fn entries(&self) -> &[(Self, Self)] {
        match &self.content {
            Content::Map(entries) => entries,
            Content::Scalar(..) | Content::List(_) => &[],
        }
    }

    /// Every scalar in it, including keys, in the order of the file.
    pub(crate) fn scalars(&self) -> Vec<(&Range<usize>, &str)> {
        match &self.content {
            Content::Scalar(text, _) => vec![(&self.span, text.as_str())],
            Content::List(items) => items.iter().flat_map(Self::scalars).collect(),
            Content::Map(entries) => {
                entries.iter().flat_map(|(key, value)| [key, value]).flat_map(Self::scalars).collect()
            }
        }
    }

    /// The effective entry of a mapping for `key`.
    pub(crate) fn entry(&self, key: &str) -> Option<&(Self, Self)> {
        self.entries().iter().rev().find(|(name, _)| name.text() == Some(key))
    }

    /// The effective value of a mapping for `key`.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.entry(key).map(|(_, value)| value)
    }
}

/// The fault of a duplicate key in a mapping.
pub(crate) fn duplicate(name: &str, span: Range<usize>) -> Fault {
    let message =
        format!("`{name}` is here a second time. The last one counts; strict readers such as Copilot drop the skill.");
    Fault::new("duplicate-key", span, message).about(name)
}
