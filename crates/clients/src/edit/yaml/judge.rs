//! The reading of a file by a second parser, `serde_yaml`. It shares no code with the tree except the scanner, and
//! expands aliases.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};

use super::{
    syntax,
    tree::{Fault, MOST_NODES},
};

/// A value, reduced to what the comparison of two files needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Integer(i128),
    /// The bits of the number, so that even NaN equals itself.
    Float(u64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

/// Reads a whole file.
///
/// # Errors
/// At the first place that the parser does not accept, or if the file is too large.
pub(super) fn read(text: &str) -> Result<Value, Fault> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_nodes: 2 * MOST_NODES,
            enforce_alias_anchor_ratio: false,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        // Neither Goose nor Continue merges `<<`.
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        ignore_binary_tag_for_string: true,
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let at = error.location().and_then(|location| location.span().byte_offset()).unwrap_or_default();
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
        match error.without_snippet() {
            serde_yaml::Error::DuplicateMappingKey { .. } => Fault::Syntax { at, reason: syntax::DUPLICATE },
            serde_yaml::Error::Budget { .. } => Fault::TooMuch,
            _ => Fault::Syntax { at, reason: syntax::OTHER },
        }
    })
}

impl Value {
    /// Removes our entry from the servers below `path`, and the parents that are then empty.
    pub(super) fn take_out(&mut self, path: &[&str], list: bool, name: &str) {
        let is_ours = |value: &Self| value.members().iter().any(|(key, value)| key.says("name") && value.says(name));
        match (path.split_first(), self) {
            (None, Self::List(items)) if list => items.retain(|item| !is_ours(item)),
            (None, Self::Map(members)) if !list => members.retain(|(key, _)| !key.says(name)),
            (Some((step, rest)), this) => {
                if let Self::Map(members) = this {
                    members
                        .iter_mut()
                        .filter(|(key, _)| key.says(step))
                        .for_each(|(_, value)| value.take_out(rest, list, name));
                    members.retain(|(key, value)| !(key.says(step) && value.is_empty()));
                }
                if this.is_empty() {
                    *this = Self::Null;
                }
            }
            _ => {}
        }
    }

    fn says(&self, text: &str) -> bool {
        matches!(self, Self::Text(said) if said == text)
    }

    fn members(&self) -> &[(Self, Self)] {
        if let Self::Map(members) = self { members } else { &[] }
    }

    /// Whether it is null, or an empty list or map.
    fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::List(items) => items.is_empty(),
            Self::Map(members) => members.is_empty(),
            Self::Bool(_) | Self::Integer(_) | Self::Float(_) | Self::Text(_) => false,
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value.to_bits()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Value::Map(members))
    }
}
