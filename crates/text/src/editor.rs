//! Converts between a file's bytes and the text of an editor in a window.
//!
//! An editor counts UTF-16 code units, shows no byte order mark and counts every line end as one character. Its
//! changes arrive in those units ([`EditorSplice`]) and are applied to the file's bytes here. An unchanged line keeps
//! its bytes, including its line end, and a new line ends like the line before it.

use std::{cell::Cell, cmp::Ordering};

use serde::{Deserialize, Serialize};

use crate::{Splice, SpliceError};

/// One change in editor units: UTF-16 code units, with every line end as one unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorSplice {
    /// First unit that is removed.
    pub from: usize,
    /// First unit after the removed ones.
    pub to: usize,
    /// The new text, with `\n` as its line end.
    pub insert: String,
}

/// A file's bytes and the text that an editor shows for them.
#[derive(Debug)]
pub struct EditorText<'a> {
    text: &'a str,
    bom: usize,
    /// The last counted offset, and the units before it: many questions in ascending order count the text only once.
    last: Cell<(usize, usize)>,
}

const BOM: char = '\u{feff}';

impl<'a> EditorText<'a> {
    /// The text of a file; `None` when its bytes are not UTF-8. Such a file opens read-only.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        Some(Self { text, bom, last: Cell::new((bom, 0)) })
    }

    /// The text as the editor shows it: no byte order mark, and `\n` for every line end.
    pub fn shown(&self) -> String {
        self.text[self.bom..].replace("\r\n", "\n").replace('\r', "\n")
    }

    /// The editor's unit for a byte offset of the file.
    pub fn unit(&self, offset: usize) -> usize {
        let (known, before) = self.last.get();
        let (from, mut units) = if known <= offset { (known, before) } else { (self.bom, 0) };
        for (at, width) in self.characters(from) {
            if at >= offset {
                self.last.set((at, units));
                break;
            }
            units += width;
        }
        units
    }

    /// The editor's changes as changes of the file's bytes. Inserted line ends become that of the line in which the
    /// change starts, or the file's first line end when that line has none.
    ///
    /// # Errors
    /// A change begins or ends within a character, or past the end of the text.
    pub fn splices(&self, changes: &[EditorSplice]) -> Result<Vec<Splice>, SpliceError> {
        let splice = |change: &EditorSplice| {
            let (start, end) = (self.offset(change.from)?, self.offset(change.to)?);
            Ok(Splice::new(start..end, change.insert.replace('\n', self.line_end_at(start))))
        };
        changes.iter().map(splice).collect()
    }

    /// The byte offset of a unit at which a character begins, or the text ends.
    fn offset(&self, unit: usize) -> Result<usize, SpliceError> {
        let mut units = 0;
        for (at, width) in self.characters(self.bom) {
            match units.cmp(&unit) {
                Ordering::Less => units += width,
                Ordering::Equal => return Ok(at),
                Ordering::Greater => return Err(SpliceError::WithinCharacter),
            }
        }
        match units.cmp(&unit) {
            Ordering::Less => Err(SpliceError::OutOfRange),
            Ordering::Equal => Ok(self.text.len()),
            Ordering::Greater => Err(SpliceError::WithinCharacter),
        }
    }

    fn line_end_at(&self, offset: usize) -> &'static str {
        let before = line_ends(&self.text[..offset]).last();
        let after = line_ends(&self.text[offset..]).next();
        after.or(before).unwrap_or("\n")
    }

    /// The byte offset and the width in units of every character that the editor shows, starting at `from`; CRLF is
    /// one character.
    fn characters(&self, from: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut rest = self.text[from..].char_indices().peekable();
        std::iter::from_fn(move || {
            let (at, c) = rest.next()?;
            if c == '\r' {
                rest.next_if(|&(_, next)| next == '\n');
            }
            Some((at + from, c.len_utf16()))
        })
    }
}

fn line_ends(text: &str) -> impl Iterator<Item = &'static str> + '_ {
    text.match_indices(['\n', '\r']).filter_map(|(at, c)| match c {
        "\n" if text[..at].ends_with('\r') => None,
        "\n" => Some("\n"),
        _ if text[at + 1..].starts_with('\n') => Some("\r\n"),
        _ => Some("\r"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;
    use proptest::prelude::*;

    fn edit(bytes: &str, from: usize, to: usize, insert: &str) -> String {
        let text = EditorText::new(bytes.as_bytes()).unwrap();
        let change = EditorSplice { from, to, insert: insert.into() };
        String::from_utf8(apply(bytes.as_bytes(), &text.splices(&[change]).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn untouched_lines_keep_their_bytes() {
        assert_eq!(edit("\u{feff}a\r\nb\nc\r\n", 2, 3, "B"), "\u{feff}a\r\nB\nc\r\n");
    }

    #[test]
    fn a_new_line_ends_like_the_line_it_is_typed_in() {
        assert_eq!(edit("a\r\nb\nc", 1, 1, "\nx"), "a\r\nx\r\nb\nc");
        assert_eq!(edit("a\r\nb\nc", 3, 3, "\nx"), "a\r\nb\nx\nc");
        assert_eq!(edit("a\r\nb", 3, 3, "\nx"), "a\r\nb\r\nx");
    }

    #[test]
    fn counts_in_utf_16_like_the_editor() {
        assert_eq!(edit("🌱a", 2, 3, "b"), "🌱b");
        assert_eq!(EditorText::new("🌱\r\na".as_bytes()).unwrap().unit(6), 3);
    }

    #[test]
    fn bytes_that_are_not_utf_8_have_no_editor_text() {
        assert!(EditorText::new(b"a\xffb").is_none());
    }

    #[test]
    fn a_change_within_a_character_or_past_the_end_is_refused() {
        let text = EditorText::new("\u{feff}a🌱\r\n".as_bytes()).unwrap();
        let splices = |from, to| text.splices(&[EditorSplice { from, to, insert: String::new() }]);
        assert_eq!(splices(2, 3), Err(SpliceError::WithinCharacter));
        assert_eq!(splices(1, 2), Err(SpliceError::WithinCharacter));
        assert_eq!(splices(4, 5), Err(SpliceError::OutOfRange));
        assert_eq!(splices(1, 4), Ok(vec![Splice::new(4..10, "")]));
        let text = EditorText::new("🌱".as_bytes()).unwrap();
        let change = EditorSplice { from: 1, to: 1, insert: String::new() };
        assert_eq!(text.splices(&[change]), Err(SpliceError::WithinCharacter), "its last character too");
    }

    proptest! {
        /// Editing the file's bytes gives the same shown text as editing the shown text.
        #[test]
        fn bytes_follow_the_editor(file in "(\u{feff})?([a-é🌱]|\r\n|\n|\r){0,24}", from in 0usize..30, length in 0usize..6, insert in "[a-c\n]{0,4}") {
            let text = EditorText::new(file.as_bytes()).unwrap();
            let shown: Vec<u16> = text.shown().encode_utf16().collect();
            let (from, to) = (from.min(shown.len()), (from + length).min(shown.len()));
            // A typed LF directly after a lone CR would form one CRLF; editors never show that place.
            prop_assume!(!file.contains('\r') || !insert.contains('\n') && length == 0 || file.matches('\r').count() == file.matches("\r\n").count());
            let change = EditorSplice { from, to, insert: insert.clone() };
            let is_whole = String::from_utf16(&shown[..from]).is_ok() && String::from_utf16(&shown[to..]).is_ok();
            let splices = text.splices(&[change]);
            prop_assert_eq!(splices.is_ok(), is_whole);
            let Ok(splices) = splices else { return Ok(()) };
            let after = apply(file.as_bytes(), &splices).unwrap();
            let expected = [&shown[..from], &insert.encode_utf16().collect::<Vec<_>>(), &shown[to..]].concat();
            let got = EditorText::new(&after).unwrap().shown();
            prop_assert_eq!(got, String::from_utf16(&expected).unwrap());
        }
    }
}
