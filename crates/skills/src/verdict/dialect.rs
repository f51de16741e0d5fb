//! The YAML that a client accepts, as differences from the strict reader of `crate::yaml`.

use serde_json::Value;

use super::lenient;
use crate::{
    problem::Fault,
    yaml::{self, Content, Node, Tree, quotes},
};

/// What a client's YAML reader accepts, and how it reads values.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Whether control characters are allowed.
    pub(super) controls: bool,
    pub(super) duplicates: Duplicates,
    pub(super) tags: Tags,
    /// Whether lists `[...]`, mappings `{...}`, anchors and tabs are accepted.
    pub(super) flow: bool,
    /// Whether values nested or repeated beyond this crate's limits are accepted.
    pub(super) beyond_limits: bool,
    /// Whether two escapes may encode one character: `"\uD83E\uDDEC"`.
    pub(super) surrogates: bool,
    /// Whether the line ends that only YAML 1.1 knows end a line.
    pub(super) old_line_ends: bool,
    /// Whether tabs at the start of a line are skipped.
    pub(super) leading_tabs: bool,
    /// Whether the later lines of a quoted text may be unindented.
    pub(super) loose_quotes: bool,
    /// Whether the reader adds a missing last line end, which a block of text keeps.
    pub(super) last_line_end: bool,
    /// Whether `<<` merges the entries of another mapping.
    pub(super) merges: bool,
    /// Words that are not text, in addition to those of the core schema.
    pub(super) words: &'static [fn(&str) -> bool],
    /// Words that are text although the core schema reads them differently.
    pub(super) texts: &'static [fn(&str) -> bool],
    /// The kinds that the reader demands of these fields, by path.
    pub(super) typed: &'static [(&'static str, Kind)],
}

/// How a duplicate key is handled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Duplicates {
    Refused,
    /// Refused for a typed field.
    RefusedWhereTyped,
    /// The last value wins.
    LastHolds,
}

/// How a tag (`!name`) is handled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tags {
    /// It is ignored.
    Ignored,
    /// A tag outside the core schema is refused.
    UnknownRefused,
    /// Every tag is refused.
    Refused,
}

/// The kind of a typed field. A missing value, or `key:` without one, always fits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Single,
    Mapping,
}

impl Dialect {
    /// The root of the document; `None` when it is empty.
    ///
    /// # Errors
    /// The fault that makes the client's reader refuse the text.
    pub(super) fn read(&self, text: &str) -> Result<Option<Node>, Fault> {
        let mut text = if self.controls { lenient::controls_hidden(text) } else { text.to_owned() };
        if self.old_line_ends {
            text = text.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
        }
        if self.last_line_end && !text.ends_with('\n') {
            text.push('\n');
        }
        let Tree { root, faults, anchors, tags } = self.tree(&text)?;
        let is_plain = || root.as_ref().is_none_or(|root| is_plain(root, &text)) && !text.contains('\t') && !anchors;
        let minded = faults.into_iter().find(|fault| match fault.rule {
            "duplicate-key" => self.minds_duplicate(fault, root.as_ref()),
            "yaml-tag" => !matches!(self.tags, Tags::Ignored),
            _ => false,
        });
        let refused = |rule| Err(Fault::new(rule, 0..0, String::new()));
        match minded {
            Some(fault) => Err(fault),
            None if tags && matches!(self.tags, Tags::Refused) => refused("yaml-tag"),
            None if !self.flow && !is_plain() => refused("yaml-plain"),
            None if !self.surrogates && lenient::holds_surrogates(&text) => refused("yaml-surrogate"),
            None => {
                self.with_types(root.map(|root| if self.last_line_end { root } else { without_line_end(root, &text) }))
            }
        }
    }

    /// The value of a top-level key.
    pub(super) fn get<'n>(&self, root: &'n Node, key: &str) -> Option<&'n Node> {
        let merged = || root.get("<<").filter(|_| self.merges)?.get(key);
        root.get(key).or_else(merged)
    }

    /// Whether a value is null.
    pub(super) fn is_nothing(&self, node: &Node) -> bool {
        node.is_null() && !self.is_text(node)
    }

    /// The text of a value; `None` for a list, a mapping or nothing.
    pub(super) fn text(&self, node: &Node) -> Option<String> {
        let text = node.text().filter(|_| !self.is_nothing(node))?;
        Some(if self.controls { lenient::controls_shown(text) } else { text.to_owned() })
    }

    /// Whether a value is text and not a number, a switch, or a date.
    pub(super) fn is_text(&self, node: &Node) -> bool {
        let Some(text) = node.text() else { return false };
        let is_plain = node.span.len() == text.len();
        let is_one_of = |words: &[fn(&str) -> bool]| is_plain && words.iter().any(|word| word(text));
        match &node.content {
            Content::Scalar(_, Value::String(_)) => !is_one_of(self.words),
            _ => is_one_of(self.texts),
        }
    }

    fn tree(&self, text: &str) -> Result<Tree, Fault> {
        let read = |text: &str| yaml::read(text, &|offset| offset);
        let refused = match read(text) {
            Err(fault) if fault.rule == "yaml-limit" && self.beyond_limits => return Ok(lenient::within_limits(text)),
            Err(fault) => fault,
            tree => return tree,
        };
        let tabs = || self.leading_tabs.then(|| read(&lenient::without_leading_tabs(text)).ok())?;
        let quotes = || self.loose_quotes.then(|| read(&quotes::indented(text)).ok())?;
        tabs().or_else(quotes).ok_or(refused)
    }

    fn minds_duplicate(&self, fault: &Fault, root: Option<&Node>) -> bool {
        match self.duplicates {
            Duplicates::Refused => true,
            Duplicates::LastHolds => false,
            Duplicates::RefusedWhereTyped => {
                let same = |key: &Node| key.span == fault.span;
                let typed = |(path, _): &(&str, Kind)| {
                    let (parent, key) = path
                        .rsplit_once('.')
                        .map_or((root, *path), |(parent, key)| (root.and_then(|root| root.get(parent)), key));
                    let mut keys = parent.into_iter().flat_map(Node::entries).map(|(name, _)| name);
                    keys.any(|name| same(name) && name.text() == Some(key))
                };
                self.typed.iter().any(typed)
            }
        }
    }

    fn with_types(&self, root: Option<Node>) -> Result<Option<Node>, Fault> {
        for (path, kind) in self.typed {
            let value = root.as_ref().and_then(|root| path.split('.').try_fold(root, |node, key| node.get(key)));
            let fits = |value: &Node| match kind {
                Kind::Single => value.text().is_some(),
                Kind::Mapping => value.is_mapping() || value.is_null(),
            };
            if let Some(value) = value.filter(|value| !fits(value)) {
                let kind = match kind {
                    Kind::Single => "a single value",
                    Kind::Mapping => "a mapping",
                };
                return Err(Fault::new("type", value.span.clone(), format!("`{path}` is not {kind}")));
            }
        }
        Ok(root)
    }
}

/// The mapping without the line end of its last value. The strict reader adds one to a block of text even when the
/// text ends within its last line.
fn without_line_end(mut root: Node, text: &str) -> Node {
    if let Content::Map(entries) = &mut root.content
        && let Some((_, Node { content: Content::Scalar(value, _), .. })) = entries.last_mut()
        && value.ends_with('\n')
        && !text.ends_with('\n')
    {
        value.pop();
    }
    root
}

/// Whether its lists and mappings are in block style.
fn is_plain(node: &Node, text: &str) -> bool {
    let starts_with = |sign| text.get(node.span.start..).is_some_and(|rest| rest.starts_with(sign));
    match &node.content {
        Content::Scalar(..) => true,
        Content::List(items) => !starts_with('[') && items.iter().all(|item| is_plain(item, text)),
        Content::Map(entries) => {
            !starts_with('{') && entries.iter().all(|(key, value)| is_plain(key, text) && is_plain(value, text))
        }
    }
}
