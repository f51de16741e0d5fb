//! Removes our entry, or writes it again in its place.

use std::ops::Range;

use text::Splice;

use super::{
    layout::Layout,
    place::Part,
    write::{self, EQUALS},
};
use crate::{edit::lines, node::Node};

impl Layout<'_> {
    /// The splice that removes these parts, which are all of our entry.
    pub(super) fn removal(&self, parts: &[Part]) -> Option<Splice> {
        let cuts = self.runs(parts).into_iter().map(|run| match (run.first, run.last) {
            (Part::Member(first), Part::Member(last)) => {
                self.servers.brackets.as_ref()?.flow(self.text).removal(first..last + 1)
            }
            (Part::Block(_), _) => Some(Splice::new(lines::whole_with_blank(self.text, run.range), "")),
            _ => Some(Splice::new(lines::whole(self.text, run.range), "")),
        });
        lines::in_one(self.text, cuts.collect::<Option<_>>()?)
    }

    /// The splice that changes these parts, which are all of our entry and equal `there`, into `ours`, within their
    /// bytes. Unchanged values keep theirs.
    pub(super) fn replacement(&self, parts: &[Part], there: &Node, ours: &Node) -> Option<Splice> {
        let steps = self.key.path.len() + usize::from(!self.key.list);
        let block = parts.iter().find_map(|part| match part {
            Part::Block(index) if self.blocks[*index].path().len() == steps => Some(*index),
            _ => None,
        });
        match block {
            Some(block) => self.edited(block, parts, there, ours),
            None => self.rewritten(parts, ours),
        }
    }

    /// Edits our entry below its own header, value by value.
    fn edited(&self, index: usize, parts: &[Part], there: &Node, ours: &Node) -> Option<Splice> {
        let block = &self.blocks[index];
        let header = &block.header.as_ref()?.range;
        let first = parts.iter().map(|part| self.range(*part).start).min()?;
        let last = parts.iter().map(|part| self.range(*part).end).max()?;
        let goes = |range: Range<usize>| {
            if range.start == first {
                return Splice::new(first..lines::next(self.text, range.end), "");
            }
            let line = lines::end(self.text, range.end).min(last);
            Splice::new(self.behind_the_line_before(range.start..line), "")
        };
        let stays = |name: &str| ours.get(name).is_some() && ours.get(name) == there.get(name);
        let (mut splices, mut kept) = (Vec::new(), Vec::new());
        for pair in &block.pairs {
            match (&pair.path[..], ours.get(&pair.path[0])) {
                ([name], Some(value)) => {
                    kept.push(name);
                    if !stays(name) {
                        splices.push(Splice::new(pair.value.range.clone(), write::value(value)));
                    }
                }
                ([name, ..], Some(_)) if stays(name) => kept.push(name),
                _ => splices.push(goes(pair.range())),
            }
        }
        for part in parts.iter().filter(|part| **part != Part::Block(index)) {
            let name = match part {
                Part::Block(below) => self.blocks[*below].path().get(block.path().len())?,
                Part::Line(..) | Part::Member(_) => return None,
            };
            if stays(name) {
                kept.push(name);
            } else {
                splices.push(goes(self.range(*part)));
            }
        }
        let behind = if block.pairs.is_empty() { header.end } else { lines::end(self.text, header.end) };
        let example = block.pairs.first();
        let start = self.line_start(example.map_or(header.start, |pair| pair.name.start));
        let equals = example.map_or(EQUALS, |pair| self.equals(pair));
        let new = ours.members().iter().filter(|(name, _)| !kept.contains(&name));
        let new: String =
            new.map(|(name, value)| start.clone() + &write::pair(&write::key([name]), value, equals)).collect();
        splices.push(Splice::insert(behind, new));
        lines::in_one(self.text, splices)
    }

    /// Writes our entry in the place of the first of these parts and removes the others.
    fn rewritten(&self, parts: &[Part], ours: &Node) -> Option<Splice> {
        let mut runs = self.runs(parts).into_iter();
        let first = runs.next()?;
        let written = match first.first {
            Part::Member(_) => self.member(ours),
            Part::Line(block, line) => {
                let (block, pair) = (&self.blocks[block], &self.blocks[block].pairs[line]);
                self.lines(block, pair, ours).join(&self.line_start(first.range.start))
            }
            Part::Block(_) => {
                let (header, pairs) = self.block(ours, EQUALS);
                [header].into_iter().chain(pairs).collect::<Vec<_>>().join(&self.line_start(first.range.start))
            }
        };
        let rest = runs.map(|run| match (run.first, run.last) {
            (Part::Member(first), Part::Member(last)) => {
                self.servers.brackets.as_ref()?.flow(self.text).removal(first..last + 1)
            }
            _ => Some(Splice::new(self.behind_the_line_before(run.range), "")),
        });
        lines::in_one(
            self.text,
            [Some(Splice::new(first.range, written))].into_iter().chain(rest).collect::<Option<_>>()?,
        )
    }

    /// The line end and the indentation of the line at `at`.
    fn line_start(&self, at: usize) -> String {
        lines::ending(self.text, at).to_owned() + lines::indent_before(self.text, at).unwrap_or_default()
    }

    /// Groups consecutive parts.
    fn runs(&self, parts: &[Part]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for &part in parts {
            let range = self.range(part);
            match runs.last_mut() {
                Some(run) if follows(run.last, part) => {
                    run.last = part;
                    run.range.end = range.end;
                }
                _ => runs.push(Run { first: part, last: part, range }),
            }
        }
        runs
    }

    /// A range extended to the end of the line before it, so that its own line end stays.
    fn behind_the_line_before(&self, range: Range<usize>) -> Range<usize> {
        let start = lines::start(self.text, range.start);
        start - lines::line_end_before(self.text, start).len()..range.end
    }
}

/// Parts of our entry with nothing else between them.
struct Run {
    first: Part,
    last: Part,
    range: Range<usize>,
}

fn follows(one: Part, two: Part) -> bool {
    match (one, two) {
        (Part::Member(one), Part::Member(two)) | (Part::Block(one), Part::Block(two)) => two == one + 1,
        (Part::Line(block, one), Part::Line(same, two)) => block == same && two == one + 1,
        _ => false,
    }
}
