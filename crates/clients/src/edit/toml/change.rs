//! Taking our entry out, and writing it anew in its place.

use std::ops::Range;

use text::Splice;

use super::{
    layout::{EQUALS, Layout},
    place::Part,
    write,
};
use crate::{edit::lines, node::Node};

impl Layout<'_> {
    /// The splice that takes these parts out, which are all of our entry.
    pub(super) fn removal(&self, parts: &[Part]) -> Option<Splice> {
        let cuts = self.runs(parts).into_iter().map(|run| match run.parts() {
            (Part::Member(first), Part::Member(last)) => {
                self.servers.brackets.as_ref()?.flow(self.text).removal(first..last + 1)
            }
            (Part::Block(_), _) => Some(Splice::new(self.block_with_its_blank_line(run.range), "")),
            _ => Some(Splice::new(self.whole_lines(run.range), "")),
        });
        self.in_one(cuts.collect::<Option<_>>()?)
    }

    /// The splice that makes these parts, which are all of our entry and say `there`, say `ours`, within their
    /// bytes. Values that stay keep theirs.
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

    /// Our entry below its own header, value by value.
    fn edited(&self, index: usize, parts: &[Part], there: &Node, ours: &Node) -> Option<Splice> {
        let block = &self.blocks[index];
        let header = &block.header.as_ref()?.range;
        let last = parts.iter().map(|part| self.range(*part).end).max()?;
        let goes = |range: Range<usize>| {
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
                        splices.push(Splice::new(pair.value.range.clone(), write::value(value, self.equals(pair))));
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
        splices.sort_by_key(|splice| (splice.start, splice.end));
        self.in_one(splices)
    }

    /// Our entry in the place of the first of these parts, the others taken out.
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
        let rest = runs.map(|run| match run.parts() {
            (Part::Member(first), Part::Member(last)) => {
                self.servers.brackets.as_ref()?.flow(self.text).removal(first..last + 1)
            }
            _ => Some(Splice::new(self.behind_the_line_before(run.range), "")),
        });
        self.in_one([Some(Splice::new(first.range, written))].into_iter().chain(rest).collect::<Option<_>>()?)
    }

    /// The line end and the indentation of a line like the one at `at`.
    fn line_start(&self, at: usize) -> String {
        lines::ending(self.text, at).to_owned() + lines::indent_before(self.text, at).unwrap_or_default()
    }

    /// Parts that stand one behind the other, together.
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

    /// Several splices as one, which puts back what stands between them.
    fn in_one(&self, splices: Vec<Splice>) -> Option<Splice> {
        let mut splices = splices.into_iter();
        let mut all = splices.next()?;
        for next in splices {
            all.insert.push_str(self.text.get(all.end..next.start)?);
            all.insert.push_str(&next.insert);
            all.end = next.end;
        }
        Some(all)
    }

    /// The lines of a range, with their line end or, at the end of the file, the one before.
    fn whole_lines(&self, range: Range<usize>) -> Range<usize> {
        self.lines_from(lines::start(self.text, range.start), range.end)
    }

    /// The lines of a block, and one of the blank lines that keep it apart.
    fn block_with_its_blank_line(&self, range: Range<usize>) -> Range<usize> {
        let is_blank = |line| lines::content(self.text, line).is_empty();
        let (top, below) = (lines::start(self.text, range.start), lines::next(self.text, range.end));
        let above = top - lines::line_end_before(self.text, top).len();
        if below < self.text.len() && !is_blank(below) {
            return top..below;
        }
        match above == top {
            true => top..lines::next(self.text, below),
            false if is_blank(above) => self.lines_from(lines::start(self.text, above), range.end),
            false => self.lines_from(top, range.end),
        }
    }

    fn lines_from(&self, start: usize, end: usize) -> Range<usize> {
        let next = lines::next(self.text, end);
        let ended = next > lines::end(self.text, end);
        if ended { start..next } else { start - lines::line_end_before(self.text, start).len()..next }
    }

    /// A range from the end of the line before it on, so that its own line end stays.
    fn behind_the_line_before(&self, range: Range<usize>) -> Range<usize> {
        let start = lines::start(self.text, range.start);
        start - lines::line_end_before(self.text, start).len()..range.end
    }
}

/// Parts of our entry with nothing of others between them.
struct Run {
    first: Part,
    last: Part,
    range: Range<usize>,
}

impl Run {
    fn parts(&self) -> (Part, Part) {
        (self.first, self.last)
    }
}

fn follows(one: Part, two: Part) -> bool {
    match (one, two) {
        (Part::Member(one), Part::Member(two)) | (Part::Block(one), Part::Block(two)) => two == one + 1,
        (Part::Line(block, one), Part::Line(same, two)) => block == same && two == one + 1,
        _ => false,
    }
}
