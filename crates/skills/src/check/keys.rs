//! Rules about the other keys of the frontmatter: how they are spelt, and what they hold.

use serde_json::Value;
use text::Splice;

use super::Draft;
use crate::{
    problem::Fault,
    yaml::{Content, Node},
};

/// The keys that clients know (decision 13), and what they hold.
const KNOWN: &[(&str, &[Kind])] = &[
    // The Agent Skills specification.
    ("name", &[]),
    ("description", &[]),
    ("license", &[Kind::Text]),
    ("compatibility", &[Kind::Text]),
    ("metadata", &[Kind::Mapping]),
    ("allowed-tools", &[Kind::Text, Kind::List]),
    // Claude Code.
    ("when_to_use", &[Kind::Text]),
    ("argument-hint", &[Kind::Text]),
    ("arguments", &[Kind::Text, Kind::List]),
    ("disable-model-invocation", &[Kind::Flag]),
    ("user-invocable", &[Kind::Flag]),
    ("disallowed-tools", &[Kind::Text, Kind::List]),
    ("model", &[]),
    ("effort", &[]),
    ("context", &[]),
    ("agent", &[]),
    ("hooks", &[]),
    ("paths", &[]),
    ("shell", &[]),
    // Ours; their own readers check what they hold.
    ("x-personal-mcp", &[]),
    ("requires-mcp-servers", &[]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Flag,
    List,
    Mapping,
}

impl Kind {
    fn fits(self, value: &Node) -> bool {
        match &value.content {
            Content::Scalar(_, Value::Bool(_)) if self == Self::Flag => true,
            Content::Scalar(..) => self == Self::Text,
            Content::List(_) => self == Self::List,
            Content::Map(_) => self == Self::Mapping,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flag => "`true` or `false`",
            Self::List => "a list",
            Self::Mapping => "a mapping",
        }
    }
}

/// Keys that nobody knows but that are nearly known ones. Others are the author's own.
pub(super) fn misspelt(draft: &Draft<'_>) -> Vec<Fault> {
    let entries = draft.frontmatter.entries().iter();
    entries
        .filter_map(|(key, _)| {
            let name = key.text()?;
            if KNOWN.iter().any(|(known, _)| *known == name) {
                return None;
            }
            let (known, _) = KNOWN.iter().find(|(known, _)| is_nearly(name, known))?;
            if draft.frontmatter.get(known).is_some() {
                return None;
            }
            let message = format!("No client knows the key `{name}`. Did you mean `{known}`?");
            let fix = vec![Splice::new(key.span.clone(), *known)];
            Some(
                Fault::new("unknown-key", key.span.clone(), message)
                    .about(name)
                    .fixed_by(format!("Rename to {known}"), fix),
            )
        })
        .collect()
}

pub(super) fn kinds(draft: &Draft<'_>) -> Vec<Fault> {
    KNOWN
        .iter()
        .filter_map(|(name, kinds)| {
            let value = draft.frontmatter.get(name).filter(|value| !value.is_null())?;
            if kinds.is_empty() || kinds.iter().any(|kind| kind.fits(value)) {
                return None;
            }
            let expected = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
            let who = match *name {
                "metadata" => " Codex ignores the skill.",
                "argument-hint" | "allowed-tools" => " Copilot ignores the skill.",
                _ => "",
            };
            let message = format!("`{name}` should be {expected}.{who}");
            Some(Fault::new("key-type", value.span.clone(), message).about(*name))
        })
        .collect()
}

/// Whether two names differ in letter case, in `_` for `-`, or by one edit.
fn is_nearly(name: &str, known: &str) -> bool {
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "-");
    plain(name) == plain(known) || is_one_edit_away(name.as_bytes(), known.as_bytes())
}

/// Whether inserting, removing, replacing one byte or swapping two neighbours makes them equal.
fn is_one_edit_away(a: &[u8], b: &[u8]) -> bool {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([_], []) | ([], [_]) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_of_the_finger_is_near() {
        for slip in ["descripton", "desciption", "descriptoin", "Description", "descriptions", "allowed_tools"] {
            assert!(KNOWN.iter().any(|(known, _)| is_nearly(slip, known)), "{slip}");
        }
        for own in ["version", "author", "tags", "triggers", "license-file", "names-of-things"] {
            assert!(!KNOWN.iter().any(|(known, _)| is_nearly(own, known)), "{own}");
        }
    }
}
