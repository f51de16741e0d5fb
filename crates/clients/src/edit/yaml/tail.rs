//! How an item ends: the text after a block scalar may become part of it.

use granit_parser::ScalarStyle;

use super::{
    layout::Layout,
    tree::{Content, Item},
};
use crate::edit::lines;

/// How an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// The item ends by itself.
    Closed,
    /// A block scalar (`|`), to which a line end after it belongs.
    Text,
    /// A block scalar (`|+`), to which every blank line after it belongs.
    Kept,
}

impl Layout<'_> {
    pub(super) fn tail(&self, item: &Item) -> Tail {
        match (&*item.value.content, item.value.items().last()) {
            (Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }, _) => {
                let from = item.key.as_ref().map_or(item.start, |key| key.range.end);
                let header = &self.text[from..item.value.range.start.max(from)];
                let sign = header.split(['|', '>']).nth(1).unwrap_or_default();
                match sign.split([' ', '\t', '\n', '\r']).next() {
                    Some(sign) if sign.contains('+') => Tail::Kept,
                    Some(sign) if sign.contains('-') => Tail::Closed,
                    _ => Tail::Text,
                }
            }
            (_, Some(last)) if !item.value.is_flow() => self.tail(last),
            _ => Tail::Closed,
        }
    }

    /// Whether the text ends within a block scalar: a line end added there would become part of it.
    pub(super) fn is_open(&self, item: &Item) -> bool {
        self.tail(item) != Tail::Closed && lines::next(self.text, item.end) == lines::end(self.text, item.end)
    }
}
