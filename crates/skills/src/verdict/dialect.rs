//! The YAML that a client takes, said by how it differs from the strict reader of `crate::yaml`.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    problem::Fault,
    yaml::{self, Content, Node},
};

/// What a client's YAML reader takes and means.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Whether control characters may stand in the text.
    pub(super) controls: bool,
    pub(super) duplicates: Duplicates,
    /// Whether tags that mean nothing to it are passed over.
    pub(super) tags: bool,
    /// Whether values that repeat each other beyond our limits are taken.
    pub(super) repetition: bool,
    /// Whether `2026-01-01` is a point in time and not text.
    pub(super) dates: bool,
    /// Whether it takes lists `[...]`, mappings `{...}`, anchors, and tabs in front of values.
    pub(super) flow: bool,
}

/// What becomes of a key that stands in its mapping twice.
#[derive(Debug, Clone, Copy)]
pub(super) enum Duplicates {
    Refused,
    /// Refused where it is one of these top-level keys.
    RefusedOf(&'static [&'static str]),
    /// The last one holds.
    LastHolds,
}

/// Where control characters hide while a text is read for a client that takes them: the first
/// plane of private use. (U+F000 and up, so that few fonts' signs are in the way.)
const HIDDEN: u32 = 0xF000;

impl Dialect {
    /// The root of the document; `None` when it is empty.
    ///
    /// # Errors
    /// The fault for which the client's reader refuses the text.
    pub(super) fn read(&self, text: &str) -> Result<Option<Node>, Fault> {
        let text = if self.controls { hidden(text) } else { Cow::Borrowed(text) };
        let tree = match yaml::read(&text, &|offset| offset) {
            Err(fault) if fault.rule == "yaml-limit" && self.repetition => return Ok(None),
            read => read?,
        };
        let minded = tree.faults.into_iter().find(|fault| match fault.rule {
            "duplicate-key" => self.minds_duplicate(fault, tree.root.as_ref()),
            "yaml-tag" => !self.tags,
            _ => false,
        });
        if let Some(fault) = minded {
            return Err(fault);
        }
        if !self.flow && (tree.anchors || tree.root.as_ref().is_some_and(|root| !is_plain(root, &text))) {
            return Err(Fault::new("yaml-plain", 0..0, String::new()));
        }
        Ok(tree.root)
    }

    /// The text of a value; `None` for a list, a mapping or nothing.
    pub(super) fn text(&self, node: &Node) -> Option<String> {
        let text = node.text().filter(|_| !node.is_null())?;
        Some(if self.controls { shown(text) } else { text.to_owned() })
    }

    /// Whether a value is text and not a number, a switch, or a date.
    pub(super) fn is_text(&self, node: &Node) -> bool {
        match &node.content {
            Content::Scalar(text, Value::String(_)) => !self.dates || !is_date(text) || is_quoted(node, text),
            _ => false,
        }
    }

    fn minds_duplicate(&self, fault: &Fault, root: Option<&Node>) -> bool {
        let top = |key: &str| {
            let same = |(name, _): &&(Node, Node)| name.text() == Some(key);
            root.is_some_and(|root| root.entries().iter().filter(same).count() > 1)
        };
        match self.duplicates {
            Duplicates::Refused => true,
            Duplicates::LastHolds => false,
            Duplicates::RefusedOf(keys) => fault.field.as_deref().is_some_and(|key| keys.contains(&key) && top(key)),
        }
    }
}

/// Whether lists and mappings are written in lines, and no tab stands in front of a value.
fn is_plain(node: &Node, text: &str) -> bool {
    let starts_with = |sign| text.get(node.span.start..).is_some_and(|rest| rest.starts_with(sign));
    let entry = |(key, value): &(Node, Node)| {
        let between = text.get(key.span.end..value.span.start).unwrap_or_default();
        !between.contains('\t') && is_plain(key, text) && is_plain(value, text)
    };
    match &node.content {
        Content::Scalar(..) => true,
        Content::List(items) => !starts_with('[') && items.iter().all(|item| is_plain(item, text)),
        Content::Map(entries) => !starts_with('{') && entries.iter().all(entry),
    }
}

fn is_quoted(node: &Node, text: &str) -> bool {
    node.span.len() > text.len()
}

/// `2026-01-31`, with or without a time behind it.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let digits = |part: Option<&str>, least: usize, most: usize| {
        part.is_some_and(|part| (least..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, month) = (digits(parts.next(), 4, 4), digits(parts.next(), 1, 2));
    let day = parts.next().map(|rest| rest.split(['T', 't', ' ', '\t']).next().unwrap_or_default());
    year && month && digits(day, 1, 2)
}

fn hidden(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let hide = |c: char| if is_control(c) { char::from_u32(HIDDEN + u32::from(c)).unwrap_or(c) } else { c };
    Cow::Owned(text.chars().map(hide).collect())
}

fn shown(text: &str) -> String {
    let show =
        |c: char| u32::from(c).checked_sub(HIDDEN).and_then(char::from_u32).filter(|c| is_control(*c)).unwrap_or(c);
    text.chars().map(show).collect()
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}
