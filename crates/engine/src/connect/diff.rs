//! The lines of a change, as a person is shown them.

use std::ops::Range;

use similar::{ChangeTag, TextDiff};

use crate::view::{DiffLine, DiffSign};

/// How many unchanged lines are shown on either side of a change.
const AROUND: usize = 6;

/// What stands for a secret.
const MASK: &str = "•••";

/// The lines that differ and those around them. Texts that are no UTF-8 are shown as far as they are.
pub(super) fn lines(before: &[u8], after: &[u8]) -> Vec<DiffLine> {
    let (before, after) = (shown(before), shown(after));
    let diff = TextDiff::from_lines(&before, &after);
    let groups = diff.grouped_ops(AROUND);
    groups
        .iter()
        .flatten()
        .flat_map(|op| diff.iter_changes(op))
        .map(|change| {
            let (sign, index) = match change.tag() {
                ChangeTag::Equal => (DiffSign::Same, change.new_index()),
                ChangeTag::Insert => (DiffSign::Added, change.new_index()),
                ChangeTag::Delete => (DiffSign::Removed, change.old_index()),
            };
            let number = u32::try_from(index.unwrap_or_default() + 1).unwrap_or(u32::MAX);
            DiffLine { sign, number, text: change.value().trim_end_matches(['\n', '\r']).to_owned() }
        })
        .collect()
}

/// The same text with dots in place of what is not to be seen: these ranges, and these values wherever they stand.
pub(super) fn masked(bytes: &[u8], ranges: &[Range<usize>], values: &[&[u8]]) -> Vec<u8> {
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
        // A text of several lines stays one.
        let goes = hidden[at] && !matches!(byte, b'\n' | b'\r');
        let first = at == 0 || !hidden[at - 1] || matches!(bytes[at - 1], b'\n' | b'\r');
        match (goes, first) {
            (false, _) => shown.push(byte),
            (true, true) => shown.extend_from_slice(MASK.as_bytes()),
            (true, false) => {}
        }
    }
    shown
}

/// Without the byte order mark, which nobody sees in an editor either.
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
        let lines = lines(before.as_bytes(), after.as_bytes());
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
        let masked = masked(text, &hidden, &[b"one"]);
        assert_eq!(String::from_utf8_lossy(&masked), "a: •••\nb: •••\n•••\nc: ••• two");
    }

    #[test]
    fn a_new_file_is_all_added() {
        assert_eq!(drawn("", "{\n}\n"), ["+1 {", "+2 }"]);
    }
}
