//! The lines of a change, as the user sees them.

use std::ops::Range;

use api::{DiffLine, DiffSign};
use similar::{ChangeTag, TextDiff};

/// How many unchanged lines are shown on either side of a change.
const AROUND: usize = 6;

/// Replaces a secret.
const MASK: &str = "•••";

/// The lines that differ and those around them, with their secrets [masked]. A line that differs only in a secret is
/// included. Texts that are not UTF-8 are shown lossily.
pub(super) fn lines(before: Masked<'_>, after: Masked<'_>) -> Vec<DiffLine> {
    let texts = [before.bytes, after.bytes].map(shown);
    let diff = TextDiff::from_lines(&texts[0], &texts[1]);
    let masks = [before.masked, after.masked].map(|masked| shown(&masked));
    let masks = [&masks[0], &masks[1]].map(|masked| TextDiff::from_lines(masked.as_str(), ""));
    let masked = |side: usize, index: Option<usize>| {
        let line = masks[side].old_slices().get(index?)?;
        Some(line.trim_end_matches(['\n', '\r']).to_owned())
    };
    let groups = diff.grouped_ops(AROUND);
    groups
        .iter()
        .flatten()
        .flat_map(|op| diff.iter_changes(op))
        .map(|change| {
            let (sign, side, index) = match change.tag() {
                ChangeTag::Equal => (DiffSign::Same, 1, change.new_index()),
                ChangeTag::Insert => (DiffSign::Added, 1, change.new_index()),
                ChangeTag::Delete => (DiffSign::Removed, 0, change.old_index()),
            };
            let number = u32::try_from(index.unwrap_or_default() + 1).unwrap_or(u32::MAX);
            DiffLine { sign, number, text: masked(side, index).unwrap_or_default() }
        })
        .collect()
}

/// The same for texts without secrets of ours: a skill's files.
pub fn plain_lines(before: &[u8], after: &[u8]) -> Vec<DiffLine> {
    lines(masked(before, &[], &[]), masked(after, &[], &[]))
}

/// A text, and the same text line for line with dots in place of secrets.
pub(super) struct Masked<'t> {
    bytes: &'t [u8],
    masked: Vec<u8>,
}

/// Puts dots in place of these ranges, and of these values wherever they occur.
pub(super) fn masked<'t>(bytes: &'t [u8], ranges: &[Range<usize>], values: &[&[u8]]) -> Masked<'t> {
    let mut hidden = vec![false; bytes.len()];
    let found = values.iter().flat_map(|value| {
        let starts = (0..bytes.len()).filter(|&at| !value.is_empty() && bytes[at..].starts_with(value));
        starts.map(|at| at..at + value.len())
    });
    for range in found.chain(ranges.iter().cloned()) {
        hidden[range].fill(true);
    }
    let mut shown = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        // Line breaks are kept, so that the lines still match.
        let goes = hidden[at] && !matches!(byte, b'\n' | b'\r');
        let first = at == 0 || !hidden[at - 1] || matches!(bytes[at - 1], b'\n' | b'\r');
        match (goes, first) {
            (false, _) => shown.push(byte),
            (true, true) => shown.extend_from_slice(MASK.as_bytes()),
            (true, false) => {}
        }
    }
    Masked { bytes, masked: shown }
}

/// Every token that follows the word `Bearer`, no matter whose it is.
pub(super) fn bearers(bytes: &[u8]) -> Vec<&[u8]> {
    const WORD: &[u8] = b"bearer";
    /// Shorter ones are words of a sentence.
    const SHORTEST: usize = 8;
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
    let starts = bytes.windows(WORD.len()).enumerate().filter(|(_, word)| word.eq_ignore_ascii_case(WORD));
    let token = |(at, _): (usize, _)| {
        let rest = &bytes[at + WORD.len()..];
        let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
        let length = rest.iter().take_while(|byte| is_token(byte)).count();
        (length >= SHORTEST).then_some(&rest[..length])
    };
    starts.filter_map(token).collect()
}

/// Without the byte order mark, which editors hide as well.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(before: &str, after: &str) -> Vec<String> {
        let sign = |line: &DiffLine| match line.sign {
            DiffSign::Same => ' ',
            DiffSign::Added => '+',
            DiffSign::Removed => '-',
        };
        let [before, after] = [before, after].map(|text| masked(text.as_bytes(), &[], &[]));
        let lines = lines(before, after);
        lines.iter().map(|line| format!("{}{} {}", sign(line), line.number, line.text)).collect()
    }

    #[test]
    fn removed_lines_have_their_old_number_and_all_others_the_new_one() {
        let drawn = drawn("{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n");
        assert_eq!(drawn, [" 1 {", "-2   \"a\": 1", "+2   \"a\": 1,", "+3   \"b\": 2", " 4 }"]);
    }

    #[test]
    fn shows_six_lines_around_a_change_in_a_long_file() {
        let before: String = (1..=100).map(|number| format!("{number}\n")).collect();
        let after = before.replace("50\n", "fifty\n");
        let drawn = drawn(&before, &after);
        assert_eq!(drawn.first().unwrap(), " 44 44");
        assert_eq!(drawn.last().unwrap(), " 56 56");
        assert_eq!(drawn.len(), 6 + 2 + 6);
    }

    #[test]
    fn what_is_not_to_be_seen_is_dots_wherever_it_stands() {
        let text = b"a: one\nb: two\nthree\nc: one two";
        let hidden = [10..13, 14..19];
        let masked = masked(text, &hidden, &[b"one"]).masked;
        assert_eq!(String::from_utf8_lossy(&masked), "a: •••\nb: •••\n•••\nc: ••• two");
    }

    #[test]
    fn a_line_in_which_only_a_secret_differs_is_shown() {
        let [before, after] = [&b"a: 1\r\nb: old\r\nc: 3\r\n"[..], b"a: 1\r\nb: new\r\nc: 3\r\n"]
            .map(|text| masked(text, &[], &[b"old", b"new"]));
        let lines = lines(before, after);
        let changed: Vec<_> = lines.iter().filter(|line| line.sign != DiffSign::Same).collect();
        assert!(changed.iter().all(|line| line.text == "b: •••" && line.number == 2), "{changed:?}");
        assert_eq!((changed.len(), lines.len()), (2, 4));
    }

    #[test]
    fn tokens_are_found_behind_their_word() {
        let text =
            b"{\"Authorization\": \"Bearer abc_DEF-123\", \"x\": \"bearer  0123456789\", \"y\": \"a bearer of news\"}";
        assert_eq!(bearers(text), [&b"abc_DEF-123"[..], b"0123456789"]);
        assert!(bearers(b"Bearer ${input:token}").is_empty() && bearers(b"Bearer").is_empty());
    }

    #[test]
    fn a_new_file_is_all_added() {
        assert_eq!(drawn("", "{\n}\n"), ["+1 {", "+2 }"]);
    }
}
