//! Texts rewritten so that our strict reader reads them as a more lenient one would.

use crate::{
    repair,
    yaml::{self, Content, Node, Tree},
};

/// Where control characters hide while a text is read for a client that takes them: from here on,
/// in a corner of Unicode that belongs to nobody.
const HIDDEN: u32 = 0xF000;

/// The most entries that are looked at one by one.
const MOST_ENTRIES: usize = 5_000;

pub(super) fn controls_hidden(text: &str) -> String {
    let hide = |c: char| if is_control(c) { char::from_u32(HIDDEN + u32::from(c)).unwrap_or(c) } else { c };
    text.chars().map(hide).collect()
}

pub(super) fn controls_shown(text: &str) -> String {
    let control = |c: char| u32::from(c).checked_sub(HIDDEN).and_then(char::from_u32).filter(|&c| is_control(c));
    text.chars().map(|c| control(c).unwrap_or(c)).collect()
}

/// NUL is none of them: nobody's YAML takes it.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\0' | '\t' | '\n' | '\r' | '\u{85}')
}

pub(super) fn without_leading_tabs(text: &str) -> String {
    text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}

/// Whether an escape `\uD800` to `\uDFFF` stands in the text, which is no character by itself.
pub(super) fn holds_surrogates(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.as_bytes().get(at + 2..at + 4).unwrap_or_default();
        matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'])
    })
}

/// The top-level entries that keep to our limits each by itself.
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
