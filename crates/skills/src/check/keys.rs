//! Rules about the other keys of the frontmatter: how they are spelt, and what they hold.

use std::ops::Range;

use text::Splice;

use super::Draft;
use crate::{
    known_keys::{KNOWN, Kind},
    nearest::is_nearly,
    nearest::nearest,
    problem::Fault,
    repair::quoted,
    yaml::{Content, Node, grow},
};

/// Unknown keys that are close to a known one. Others are the author's own.
pub(super) fn misspelt(draft: &Draft<'_>) -> Vec<Fault> {
    let entries = draft.frontmatter.entries().iter();
    entries
        .filter_map(|(key, value)| {
            let name = key.text()?;
            if KNOWN.iter().any(|known| known.name == name) {
                return None;
            }
            let known = nearest(name, KNOWN.iter().map(|known| known.name))?;
            if draft.frontmatter.get(known).is_some() {
                return None;
            }
            let message = format!("No client knows the key `{name}`. Did you mean `{known}`?");
            let fault = Fault::new("unknown-key", key.span.clone(), message).about(name);
            // A key with another kind of value means something else, and only one key can be the known one.
            let kinds = match known {
                "name" | "description" => &[Kind::Text],
                _ => KNOWN.iter().find(|row| row.name == known).map_or(&[][..], |row| row.kinds),
            };
            let fits = value.is_null() || kinds.is_empty() || kinds.iter().any(|kind| kind.fits(value));
            let mut before = draft.frontmatter.entries().iter().take_while(|(other, _)| other.span != key.span);
            let is_first = !before.any(|(other, _)| other.text().is_some_and(|other| is_nearly(other, known)));
            if !fits || !is_first {
                return Some(fault);
            }
            Some(fault.fixed_by(format!("Rename to {known}"), vec![Splice::new(key.span.clone(), known)]))
        })
        .collect()
}

pub(super) fn kinds(draft: &Draft<'_>) -> Vec<Fault> {
    KNOWN
        .iter()
        .filter_map(|known| {
            let (name, kinds) = (known.name, known.kinds);
            let value = draft.frontmatter.get(name).filter(|value| !value.is_null())?;
            if kinds.is_empty() || kinds.iter().any(|kind| kind.fits(value)) {
                return None;
            }
            let expected = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
            let who = match name {
                "metadata" => " Codex ignores the skill.",
                "argument-hint" | "allowed-tools" => " Copilot ignores the skill.",
                _ => "",
            };
            let message = format!("`{name}` should be {expected}.{who}");
            let fault = Fault::new("key-type", value.span.clone(), message).about(name);
            Some(match meant(draft, value, kinds) {
                Some((label, text)) => fault.fixed_by(label, vec![Splice::new(value.span.clone(), text)]),
                None => fault,
            })
        })
        .collect()
}

/// The value that the author meant: `[kind]` as text, `"yes"` as true.
fn meant(draft: &Draft<'_>, value: &Node, kinds: &[Kind]) -> Option<(&'static str, String)> {
    let source = std::str::from_utf8(draft.document.file().get(value.span.clone())?).ok()?;
    match &value.content {
        Content::List(_) if kinds == [Kind::Text] && source.starts_with('[') && !source.contains(['\n', '\r']) => {
            Some(("Quote the value", quoted(source)))
        }
        Content::Scalar(text, _) if kinds == [Kind::Flag] => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(("Write true", "true".to_owned())),
            "false" | "no" | "off" => Some(("Write false", "false".to_owned())),
            _ => None,
        },
        _ => None,
    }
}

/// Adds a fix to a duplicate key: removes the earlier entry, which has no effect.
pub(super) fn mend_duplicate(draft: &Draft<'_>, fault: Fault) -> Fault {
    let earlier = earlier(draft.frontmatter, &fault.span);
    let fix = earlier.and_then(|(map, part)| grow::without(draft.document.file(), map, part));
    match fix {
        Some(splice) => fault.fixed_by("Remove the earlier one", vec![splice]),
        None => fault,
    }
}

/// The earlier entry with the same key as the one at `later`, and the mapping of both.
fn earlier<'n>(node: &'n Node, later: &Range<usize>) -> Option<(&'n Node, Range<usize>)> {
    let entries = node.entries();
    if let Some(at) = entries.iter().position(|(key, _)| key.span == *later) {
        let before = entries[..at].iter().rfind(|(key, _)| key.text() == entries[at].0.text());
        return before.map(|(key, value)| (node, key.span.start..value.span.end));
    }
    let inner = entries.iter().map(|(_, value)| value).chain(node.items());
    inner.filter(|value| value.span.contains(&later.start)).find_map(|value| earlier(value, later))
}

/// Whether the frontmatter has `known` in another spelling: it is then misspelt, not missing.
pub(super) fn is_misspelt(draft: &Draft<'_>, known: &str) -> bool {
    draft.frontmatter.entries().iter().any(|(key, _)| key.text().is_some_and(|name| is_nearly(name, known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_of_the_finger_is_near() {
        for slip in ["descripton", "desciption", "descriptoin", "Description", "descriptions", "allowed_tools"] {
            assert!(KNOWN.iter().any(|known| is_nearly(slip, known.name)), "{slip}");
        }
        for own in ["version", "author", "tags", "triggers", "license-file", "names-of-things"] {
            assert!(!KNOWN.iter().any(|known| is_nearly(own, known.name)), "{own}");
        }
    }
}
