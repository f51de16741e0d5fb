//! Where something is: byte offsets for programs, line and column for people.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

/// A position as people count it: both numbers start at 1, and a column is one character (Unicode scalar value), as
/// in editors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The line starts of a text. Lines end at LF, CRLF or a lone CR; a byte order mark at the start has no column.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a [u8],
    starts: Vec<usize>,
    /// The last offset, and its column minus one: many questions in ascending order count a long line only once.
    last: Cell<(usize, usize)>,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

impl<'a> Lines<'a> {
    /// Finds the lines of `text`, which may hold invalid UTF-8.
    pub fn new(text: &'a [u8]) -> Self {
        let mut starts = vec![if text.starts_with(BOM) { BOM.len() } else { 0 }];
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at += match byte {
                b'\r' if text.get(at + 1) == Some(&b'\n') => 2,
                b'\r' | b'\n' => 1,
                _ => {
                    at += 1;
                    continue;
                }
            };
            starts.push(at);
        }
        Self { text, starts, last: Cell::default() }
    }

    /// The number of lines; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The byte offset at which `line` (from 1) starts, or the end of the text past the last line.
    pub fn start(&self, line: u32) -> usize {
        let index = (line.max(1) - 1) as usize;
        self.starts.get(index).copied().unwrap_or(self.text.len())
    }

    /// The place of a byte offset; an offset past the end counts as the end.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts[line - 1].min(offset);
        let (known, before) = self.last.get();
        let (from, before) = if (start..=offset).contains(&known) { (known, before) } else { (start, 0) };
        let before = before + characters(&self.text[from..offset]);
        self.last.set((offset, before));
        let column = before + 1;
        Place { line: saturate(line), column: saturate(column) }
    }

    /// The byte offset of a place; a column past the end of its line counts as the end of that line.
    pub fn offset(&self, place: Place) -> usize {
        let start = self.start(place.line);
        let end = self.start(place.line + 1);
        let mut left = place.column.max(1) - 1;
        let mut at = start;
        while left > 0 && at < end && !matches!(self.text[at], b'\r' | b'\n') {
            at += 1;
            while at < end && is_continuation(self.text[at]) {
                at += 1;
            }
            left -= 1;
        }
        at
    }
}

fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| !is_continuation(byte)).count()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_not_bytes_and_skips_the_byte_order_mark() {
        let lines = Lines::new("\u{feff}né: x\r\nb".as_bytes());
        assert_eq!(lines.place(3).to_string(), "1:1");
        assert_eq!(lines.place(6).to_string(), "1:3");
        assert_eq!(lines.place(11).to_string(), "2:1");
        assert_eq!(lines.place(999).to_string(), "2:2");
    }

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        let lines = Lines::new(b"a\nb\r\nc\rd");
        assert_eq!(lines.count(), 4);
        assert_eq!([1, 2, 3, 4].map(|line| lines.start(line)), [0, 2, 5, 7]);
    }

    #[test]
    fn a_place_and_its_offset_lead_to_each_other() {
        let text = "né: x\r\n\nzwölf\r";
        let lines = Lines::new(text.as_bytes());
        for (offset, _) in text.char_indices().filter(|&(_, c)| c != '\n' && c != '\r') {
            assert_eq!(lines.offset(lines.place(offset)), offset);
        }
    }
}
