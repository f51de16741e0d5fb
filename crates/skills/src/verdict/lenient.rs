//! Rewrites texts so that the strict reader reads them as a more lenient one would.

use crate::{
    repair,
    yaml::{self, Content, Node, Tree},
};

/// Start of the private-use range that replaces control characters while a text is read for a client that accepts
/// them.
const HIDDEN: u32 = 0xF000;

/// The most entries that are read separately.
const MOST_ENTRIES: usize = 5_000;

pub(super) fn controls_hidden(text: &str) -> String {
    let hide = |c: char| if is_control(c) { char::from_u32(HIDDEN + u32::from(c)).unwrap_or(c) } else { c };
    text.chars().map(hide).collect()
}

pub(super) fn controls_shown(text: &str) -> String {
    let control = |c: char| u32::from(c).checked_sub(HIDDEN).and_then(char::from_u32).filter(|&c| is_control(c));
    text.chars().map(|c| control(c).unwrap_or(c)).collect()
}

/// Whether it is a control character other than NUL, which no YAML reader accepts.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\0' | '\t' | '\n' | '\r' | '\u{85}')
}

pub(super) fn without_leading_tabs(text: &str) -> String {
    text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}

/// Whether the text has an escape `\uD800` to `\uDFFF`, which alone is not a character.
pub(super) fn holds_surrogates(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.as_bytes().get(at + 2..at + 4).unwrap_or_default();
        matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'])
    })
}

/// The top-level entries that are each within this crate's limits.
pub(super) fn within_limits(text: &str) -> Tree {
    let entries = repair::top_level_entries(text)
        .into_iter()
        .take(MOST_ENTRIES)
        .filter_map(|range| yaml::read(&text[range], &|offset| offset).ok()?.root)
        .flat_map(|root| root.entries().to_vec())
        .collect();
    let root = Node { span: 0..text.len(), content: Content::Map(entries) };
    Tree { root: Some(root), faults: Vec::new(), anchors: false, tags: false }
}
