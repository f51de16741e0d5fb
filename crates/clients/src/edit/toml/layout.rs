//! The layout of a TOML file, so that additions look as if its author had written them, and removals leave no gap.

use std::ops::Range;

use text::Splice;

use super::{
    place::{Part, Servers},
    scan::{Block, Pair},
    write::{self, EQUALS},
};
use crate::{Key, edit::lines, node::Node};

/// The parts of a file that determine its layout.
#[derive(Clone, Copy)]
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    /// The name of our entry.
    pub(super) name: &'t str,
    pub(super) key: Key,
    pub(super) blocks: &'t [Block],
    pub(super) servers: &'t Servers,
}

impl<'t> Layout<'t> {
    /// The bytes of a part, from first to last.
    pub(super) fn range(&self, part: Part) -> Range<usize> {
        match part {
            Part::Member(index) => {
                self.servers.brackets.as_ref().map_or_else(Range::default, |brackets| brackets.items[index].clone())
            }
            Part::Line(block, line) => self.blocks[block].pairs[line].range(),
            Part::Block(block) => self.blocks[block].range(),
        }
    }

    /// The insertion that adds our entry to a file without one.
    pub(super) fn insertion(&self, ours: &Node) -> Splice {
        if let Some(brackets) = &self.servers.brackets {
            return brackets.flow(self.text).insertion(&self.member(ours));
        }
        let parts = self.servers.entries.iter().flat_map(|entry| &entry.parts);
        match parts.max() {
            Some(&Part::Block(last)) => self.block_behind(last, ours),
            Some(&Part::Line(block, line)) => self.line_behind(block, line, ours),
            _ => match self.blocks.iter().position(|block| self.is_parent(block)) {
                Some(parent) => self.block_behind(parent, ours),
                None => self.block_at_the_end(ours),
            },
        }
    }

    /// Our entry as a member of the brackets that hold the servers.
    pub(super) fn member(&self, ours: &Node) -> String {
        let rest = self.servers.brackets.as_ref().map_or(&[][..], |brackets| brackets.rest);
        match (self.key.list, rest) {
            (true, []) => write::value(ours),
            (true, rest) => format!("{}{EQUALS}[{}]", write::key(rest), write::value(ours)),
            (false, rest) => write::pair(&write::key(rest.iter().chain(&[self.name])), ours, EQUALS),
        }
    }

    /// The lines of our block, without indentation.
    pub(super) fn block(&self, ours: &Node, equals: &str) -> (String, Vec<String>) {
        let key = self.key.path;
        let header = match self.key.list {
            true => format!("[[{}]]", write::key(key)),
            false => format!("[{}]", write::key(key.iter().chain(&[self.name]))),
        };
        let pair = |(name, value): &(String, Node)| write::pair(&write::key([name]), value, equals);
        (header, ours.members().iter().map(pair).collect())
    }

    /// The lines of our entry in the style of a pair of another server: all of it after one equals sign, or one line
    /// for each value.
    pub(super) fn lines(&self, block: &Block, example: &Pair, ours: &Node) -> Vec<String> {
        let steps = self.key.path.len() - block.path().len().min(self.key.path.len());
        let names: Vec<_> = example.path[..steps].iter().map(String::as_str).chain([self.name]).collect();
        let equals = self.equals(example);
        if example.path.len() == steps + 1 {
            return vec![write::pair(&write::key(names), ours, equals)];
        }
        let line = |(name, value): &(String, Node)| {
            write::pair(&write::key(names.iter().copied().chain([name.as_str()])), value, equals)
        };
        ours.members().iter().map(line).collect()
    }

    /// The text around the equals sign of a pair.
    pub(super) fn equals(&self, pair: &Pair) -> &'t str {
        &self.text[pair.name.end..pair.value.range.start]
    }

    fn is_parent(&self, block: &Block) -> bool {
        block.header.is_some() && block.path().iter().eq(self.key.path.iter())
    }

    /// Inserts our block after another one and after the comments that belong to it.
    fn block_behind(&self, index: usize, ours: &Node) -> Splice {
        let block = &self.blocks[index];
        let range = block.range();
        let at = self.behind_comments(lines::next(self.text, range.end));
        let header = lines::indent_before(self.text, range.start).unwrap_or_default();
        let pair = block.pairs.last();
        let inner = pair.and_then(|pair| lines::indent_before(self.text, pair.name.start)).unwrap_or(header);
        let (head, pairs) = self.block(ours, pair.map_or(EQUALS, |pair| self.equals(pair)));
        let written: Vec<_> =
            [format!("{header}{head}")].into_iter().chain(pairs.iter().map(|pair| format!("{inner}{pair}"))).collect();
        lines::insertion(self.text, at, &written, self.stands_apart(range.start))
    }

    fn block_at_the_end(&self, ours: &Node) -> Splice {
        let (head, pairs) = self.block(ours, EQUALS);
        let written: Vec<_> = [head].into_iter().chain(pairs).collect();
        lines::insertion(self.text, self.text.len(), &written, true)
    }

    /// Inserts our lines after the line of another server.
    fn line_behind(&self, block: usize, line: usize, ours: &Node) -> Splice {
        let pair = &self.blocks[block].pairs[line];
        let indent = lines::indent_before(self.text, pair.name.start).unwrap_or_default();
        let written: Vec<_> =
            self.lines(&self.blocks[block], pair, ours).iter().map(|line| format!("{indent}{line}")).collect();
        lines::insertion(self.text, lines::next(self.text, pair.value.range.end), &written, false)
    }

    /// Whether the header at `at` follows a blank line, or has nothing before it to be separated from.
    fn stands_apart(&self, at: usize) -> bool {
        let mut line = at;
        while let Some(above) = lines::above(self.text, line) {
            match lines::content(self.text, above) {
                comment if comment.starts_with('#') => line = above,
                content => return content.is_empty() || content.starts_with('['),
            }
        }
        true
    }

    /// The position after the comments that follow without a blank line, unless they lead over to a header.
    fn behind_comments(&self, at: usize) -> usize {
        let mut behind = at;
        let end = self.text.len();
        while behind < end && lines::content(self.text, behind).starts_with('#') {
            behind = lines::next(self.text, behind);
        }
        if behind == end || lines::content(self.text, behind).is_empty() { behind } else { at }
    }
}
