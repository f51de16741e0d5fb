//! Lists and maps in brackets, with commas between and comments after `#`: inline tables and arrays of TOML,
//! flow collections of YAML. A new item looks like its neighbours; a removed one takes one comma with it.

use std::ops::Range;

use text::Splice;

use super::lines;

/// A bracketed list or map in a text.
#[derive(Debug, Clone)]
pub(super) struct Flow<'t> {
    pub(super) text: &'t str,
    /// From after the opening bracket to before the closing one.
    pub(super) inside: Range<usize>,
    /// The items, without commas and comments.
    pub(super) items: Vec<Range<usize>>,
    /// The text between the brackets and a lone item on one line.
    pub(super) pad: &'static str,
}

/// The text between an item and the next one or the bracket.
struct Gap {
    /// The end of the item, including the colon of a name without a value.
    start: usize,
    comma: Option<usize>,
    comment: bool,
}

impl Flow<'_> {
    /// The insertion that adds the one-line `item` after the others.
    pub(super) fn insertion(&self, item: &str) -> Splice {
        let Some(last) = self.items.last() else { return self.first(item) };
        let eol = lines::ending(self.text, last.start);
        let gap = self.gap(last.end..self.inside.end);
        match (lines::indent_before(self.text, last.start), gap.comma) {
            (Some(indent), Some(comma)) => Splice::insert(self.behind(comma + 1), format!("{eol}{indent}{item},")),
            // A comment after the last item describes that item. A comma and a line between them would separate the
            // two, so the new item goes before the last one.
            (Some(indent), None) if gap.comment && !self.is_under_comment(last.start) => {
                Splice::insert(last.start, format!("{item},{eol}{indent}"))
            }
            (Some(indent), None) => Splice::insert(gap.start, format!(",{eol}{indent}{item}")),
            (None, Some(comma)) => {
                Splice::insert(comma + 1, format!("{}{item},", self.between().trim_start_matches(',')))
            }
            (None, None) => Splice::insert(gap.start, format!("{}{item}", self.between())),
        }
    }

    /// The splice that removes the consecutive `items`.
    pub(super) fn removal(&self, items: Range<usize>) -> Option<Splice> {
        let (first, last) = (self.items.get(items.start)?.start, self.items.get(items.end.checked_sub(1)?)?.end);
        let after = self.gap(last..self.items.get(items.end).map_or(self.inside.end, |next| next.start));
        if let Some(comma) = after.comma {
            return Some(Splice::new(self.with_its_line(first, comma + 1), ""));
        }
        let Some(before) = items.start.checked_sub(1).map(|before| &self.items[before]) else {
            let alone = !self.gap(self.inside.start..first).comment && !after.comment;
            let range = if alone { self.inside.clone() } else { self.with_its_line(first, after.start) };
            return Some(Splice::new(range, ""));
        };
        let gap = self.gap(before.end..first);
        let comma = gap.comma?;
        let kept = if gap.comment {
            [&self.text[gap.start..comma], &self.text[comma + 1..first]].concat()
        } else {
            String::new()
        };
        let mut kept = kept.trim_end_matches([' ', '\t', '\n', '\r']).to_owned();
        let rest = self.text[after.start..].trim_start_matches([' ', '\t']);
        if kept.rsplit('\n').next().is_some_and(|line| line.contains('#')) && !rest.starts_with(['\n', '\r']) {
            // A bracket after a comment on the same line would become part of the comment.
            kept.push_str(lines::ending(self.text, after.start));
        }
        Some(Splice::new(gap.start..after.start, kept))
    }

    /// The insertion of the first item.
    fn first(&self, item: &str) -> Splice {
        let blank = &self.text[self.inside.clone()];
        if !lines::has_end(blank) {
            let (before, after) = if blank.is_empty() { (self.pad, self.pad) } else { (blank, "") };
            return Splice::insert(self.inside.start, format!("{before}{item}{after}"));
        }
        // The closing bracket has a line of its own, because a comment could not precede it on a shared line.
        let eol = lines::ending(self.text, self.inside.start);
        let indent = lines::indent(self.text, self.inside.end);
        Splice::insert(lines::start(self.text, self.inside.end), format!("{indent}  {item}{eol}"))
    }

    /// The range from `first` to `end` with the blanks after it, or the whole line if it holds nothing else.
    fn with_its_line(&self, first: usize, end: usize) -> Range<usize> {
        let rest = &self.text[end..self.inside.end];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let ends_line = lines::has_end(&rest[blanks..]) && !lines::line_end_at(self.text, end + blanks).is_empty();
        let indent = lines::indent_before(self.text, first).map_or(0, str::len);
        let starts_line = lines::indent_before(self.text, first).is_some() && first - indent >= self.inside.start;
        if starts_line && ends_line { first - indent..lines::next(self.text, end) } else { first..end + blanks }
    }

    /// The text between two items on one line, as the file writes it.
    fn between(&self) -> &str {
        let example = match &self.items[..] {
            [.., one, two] => Some(&self.text[one.end..two.start]),
            _ => None,
        };
        example.filter(|between| !lines::has_end(between) && between.starts_with(',')).unwrap_or(", ")
    }

    /// The end of the line if only a comment follows on it, or `at`.
    fn behind(&self, at: usize) -> usize {
        let end = lines::end(self.text, at).min(self.inside.end);
        let rest = self.text[at..end].trim_start_matches([' ', '\t']);
        if rest.is_empty() || rest.starts_with('#') { end } else { at }
    }

    /// Whether the line above is a comment about the item at `at`.
    fn is_under_comment(&self, at: usize) -> bool {
        let above = lines::above(self.text, at).filter(|&above| above >= self.inside.start);
        above.is_some_and(|above| lines::content(self.text, above).starts_with('#'))
    }

    fn gap(&self, range: Range<usize>) -> Gap {
        let mut gap = Gap { start: range.start, comma: None, comment: false };
        let mut at = range.start;
        while at < range.end {
            match self.text.as_bytes()[at] {
                b'#' => {
                    gap.comment = true;
                    at = lines::end(self.text, at);
                    continue;
                }
                b',' => gap.comma = gap.comma.or(Some(at)),
                b' ' | b'\t' | b'\n' | b'\r' => {}
                _ if gap.comma.is_none() => gap.start = at + 1,
                _ => {}
            }
            at += 1;
        }
        gap
    }
}
