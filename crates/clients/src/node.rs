//! An entry as data, independent of the format it is written in.

use std::ops::Range;

/// A value that every supported format can write. Editors write it in their file's layout, and read values of a file
/// into it.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Text(String),
    Bool(bool),
    Number(i64),
    List(Vec<Node>),
    /// Names and values in the order in which they are written.
    Map(Vec<(String, Node)>),
    /// A value of a file that is none of the above: null, a fraction, a date. Never written.
    Other,
}

/// An entry in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Its name.
    pub(crate) name: String,
    /// The first byte of its name, to report its position.
    pub(crate) at: usize,
    /// The bytes of the entry, up to the last one of its value.
    pub(crate) range: Range<usize>,
    /// Its value.
    pub(crate) node: Node,
}

impl Node {
    /// The value of `name` in a map.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members of a map; empty for other values.
    pub(crate) fn members(&self) -> &[(String, Node)] {
        if let Self::Map(members) = self { members } else { &[] }
    }

    /// The items of a list; empty for other values.
    pub(crate) fn items(&self) -> &[Node] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// The value as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Bool(on) => (*on).into(),
            Self::Number(number) => (*number).into(),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Map(members) => members.iter().map(|(name, value)| (name.clone(), value.json())).collect(),
            Self::Other => serde_json::Value::Null,
        }
    }

    /// Whether it contains [`Node::Other`], which is never written.
    pub(crate) fn has_other(&self) -> bool {
        match self {
            Self::Other => true,
            Self::List(items) => items.iter().any(Self::has_other),
            Self::Map(members) => members.iter().any(|(_, value)| value.has_other()),
            Self::Text(_) | Self::Bool(_) | Self::Number(_) => false,
        }
    }

    /// The content of a text.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// The order of names does not matter.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => one == two,
            (Self::List(one), Self::List(two)) => one == two,
            (Self::Map(one), Self::Map(two)) => {
                one.len() == two.len() && one.iter().all(|(name, value)| other.get(name) == Some(value))
            }
            (Self::Other, Self::Other) => true,
            _ => false,
        }
    }
}
