//! What an item ends with: blocks of text mind what stands behind them.

use granit_parser::ScalarStyle;

use super::{
    layout::Layout,
    tree::{Content, Item},
};
use crate::edit::lines;

/// What an item ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// Something that ends by itself.
    Closed,
    /// A block of text (`|`), which a line end behind it belongs to.
    Text,
    /// A block of text (`|+`), which every blank line behind it belongs to.
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

    /// Whether the text ends within a block of text: a line end behind it would become a part of that.
    pub(super) fn is_open(&self, item: &Item) -> bool {
        self.tail(item) != Tail::Closed && lines::next(self.text, item.end) == lines::end(self.text, item.end)
    }
}
