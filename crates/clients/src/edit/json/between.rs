//! The text between the values of a parsed file: blanks, comments, commas.

use std::ops::Range;

/// The first byte at or after `at` that is neither blank nor part of a comment.
pub(super) fn next_token(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let blanks = blanks_end(text, end);
        match comment_end(text, blanks) {
            Some(comment) => end = comment,
            None => return blanks,
        }
    }
}

/// The comma that follows a value ending at `at`.
pub(super) fn comma_behind(text: &str, at: usize) -> Option<usize> {
    let next = next_token(text, at);
    text[next..].starts_with(',').then_some(next)
}

/// The end of the comments that follow `at` on its line, or `at` if none do.
pub(super) fn line_comments_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let next = end + text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        match comment_end(text, next) {
            Some(comment) if !has_line_end(&text[next..comment]) => end = comment,
            _ => return end,
        }
    }
}

/// The end of the last comment in a range between two values, including the line end that a `//` comment requires.
pub(super) fn last_comment_end(text: &str, range: Range<usize>) -> Option<usize> {
    let mut at = range.start;
    let mut last = None;
    while at < range.end {
        at = match comment_end(text, at) {
            Some(end) => {
                last = Some(at..end);
                end
            }
            None => at + text[at..].chars().next().map_or(1, char::len_utf8),
        };
    }
    last.map(|comment| comment.end)
}

/// The end of the blanks at `at`.
pub(super) fn blanks_end(text: &str, at: usize) -> usize {
    at + text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\n', '\r']).len()
}

/// The end of the first line end among the blanks at `at`.
pub(super) fn line_end_behind(text: &str, at: usize) -> Option<usize> {
    let blanks = &text[at..blanks_end(text, at)];
    let end = at + blanks.find(['\n', '\r'])?;
    Some(end + if text[end..].starts_with("\r\n") { 2 } else { 1 })
}

pub(super) fn has_line_end(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        return Some(at + rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or(text.len(), |end| at + end + 4))
}
