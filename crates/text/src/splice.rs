//! Changes of a text: bytes to remove and bytes to insert.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One change of a text, by byte offsets into the text before the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// First byte that is removed.
    pub start: usize,
    /// First byte after the removed ones; equal to `start` for a pure insertion.
    pub end: usize,
    /// The new text.
    pub insert: String,
}

/// Why splices cannot be applied to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpliceError {
    /// A splice ends before it starts, or reaches past the end of the text.
    OutOfRange,
    /// A splice begins or ends within a character.
    WithinCharacter,
    /// Two splices touch the same bytes, or are not in order.
    Overlapping,
}

impl std::fmt::Display for SpliceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OutOfRange => "the change reaches past the end of the text",
            Self::WithinCharacter => "the change begins or ends within a character",
            Self::Overlapping => "two changes touch the same place",
        })
    }
}

impl std::error::Error for SpliceError {}

impl Splice {
    /// Replaces `range` by `insert`.
    pub fn new(range: Range<usize>, insert: impl Into<String>) -> Self {
        Self { start: range.start, end: range.end, insert: insert.into() }
    }

    /// Inserts at `offset`.
    pub fn insert(offset: usize, insert: impl Into<String>) -> Self {
        Self::new(offset..offset, insert)
    }
}

/// The text with all `splices` applied. They must be in order and must not overlap.
///
/// # Errors
/// A splice does not fit the text.
pub fn apply(text: &[u8], splices: &[Splice]) -> Result<Vec<u8>, SpliceError> {
    let mut result = Vec::with_capacity(text.len() + splices.iter().map(|s| s.insert.len()).sum::<usize>());
    let mut kept = 0;
    for splice in splices {
        if splice.end < splice.start || splice.end > text.len() {
            return Err(SpliceError::OutOfRange);
        }
        if splice.start < kept {
            return Err(SpliceError::Overlapping);
        }
        result.extend_from_slice(&text[kept..splice.start]);
        result.extend_from_slice(splice.insert.as_bytes());
        kept = splice.end;
    }
    result.extend_from_slice(&text[kept..]);
    Ok(result)
}

/// The text without `range`; the inverse of one insertion.
pub fn cut(text: &[u8], range: Range<usize>) -> Vec<u8> {
    [&text[..range.start], &text[range.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_only_the_bytes_it_names() {
        let splices = [Splice::new(0..1, "A"), Splice::insert(2, "-"), Splice::new(3..4, "")];
        assert_eq!(apply(b"abcd", &splices), Ok(b"Ab-c".to_vec()));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_eq!(apply(b"abc", &[Splice::new(2..9, "")]), Err(SpliceError::OutOfRange));
        let twice = [Splice::new(0..2, ""), Splice::new(1..3, "")];
        assert_eq!(apply(b"abc", &twice), Err(SpliceError::Overlapping));
    }

    #[test]
    fn cutting_an_insertion_gives_the_text_back() {
        let after = apply(b"abc", &[Splice::insert(1, "xyz")]).unwrap();
        assert_eq!(cut(&after, 1..4), b"abc");
    }
}
