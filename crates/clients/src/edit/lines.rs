//! The lines of a TOML or YAML text: where they begin and end, how they are indented, and how lines are inserted or
//! removed.

use std::ops::Range;

use text::Splice;

/// The first byte of the line that contains `at`. A byte order mark is not part of it.
pub(super) fn start(text: &str, at: usize) -> usize {
    let first = if text.starts_with(super::BOM) { super::BOM.len() } else { 0 };
    text[..at].rfind(['\n', '\r']).map_or(first, |end| end + 1)
}

/// The end of the line that contains `at`: the first byte of its line end, or the end of the text.
pub(super) fn end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |line| at + line)
}

/// The start of the next line.
pub(super) fn next(text: &str, at: usize) -> usize {
    let end = end(text, at);
    end + line_end_at(text, end).len()
}

/// The line end for a line added after the one that contains `at`: that line's own, or that of the line before it, or
/// that of the text's first line.
pub(super) fn ending(text: &str, at: usize) -> &'static str {
    let known = |end: &str| match end {
        "" => None,
        "\r\n" => Some("\r\n"),
        "\r" => Some("\r"),
        _ => Some("\n"),
    };
    let here = known(line_end_at(text, end(text, at)));
    let before = || known(line_end_before(text, start(text, at)));
    let first = || known(line_end_at(text, end(text, 0)));
    here.or_else(before).or_else(first).unwrap_or("\n")
}

/// The line end that starts at `at`.
pub(super) fn line_end_at(text: &str, at: usize) -> &str {
    match &text[at..] {
        rest if rest.starts_with("\r\n") => &rest[..2],
        rest if rest.starts_with(['\n', '\r']) => &rest[..1],
        rest => &rest[..0],
    }
}

/// The line end that ends at `at`.
pub(super) fn line_end_before(text: &str, at: usize) -> &str {
    match &text[..at] {
        before if before.ends_with("\r\n") => &before[at - 2..],
        before if before.ends_with(['\n', '\r']) => &before[at - 1..],
        before => &before[at..],
    }
}

/// The text before `at` on its line, if it is only blanks.
pub(super) fn indent_before(text: &str, at: usize) -> Option<&str> {
    let before = &text[start(text, at)..at];
    is_blank(before).then_some(before)
}

/// The indentation of the line that contains `at`.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[start(text, at)..end(text, at)];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The text of the line that contains `at`, without the blanks around it and its line end.
pub(super) fn content(text: &str, at: usize) -> &str {
    text[start(text, at)..end(text, at)].trim_matches([' ', '\t'])
}

/// Whether the text holds only blanks.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether the text contains a line end.
pub(super) fn has_end(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Whether the line that contains `at` is blank.
pub(super) fn is_empty(text: &str, at: usize) -> bool {
    content(text, at).is_empty()
}

/// The end of the line above the one that contains `at`, if any.
pub(super) fn above(text: &str, at: usize) -> Option<usize> {
    let start = start(text, at);
    let above = start - line_end_before(text, start).len();
    (above < start).then_some(above)
}

/// Inserts lines at the start of a line or at the end of the text, with a blank line around them if `apart`. A text
/// without a final line end still has none afterwards.
pub(super) fn insertion(text: &str, at: usize, written: &[String], apart: bool) -> Splice {
    let open = at > start(text, at);
    let before = if open { Some(at) } else { above(text, at) };
    let eol = ending(text, before.unwrap_or(at));
    let is_there = |line| !is_empty(text, line);
    let mut insert = String::new();
    if open {
        insert.push_str(eol);
    }
    if apart && before.is_some_and(is_there) {
        insert.push_str(eol);
    }
    insert.push_str(&written.join(eol));
    if !open {
        insert.push_str(eol);
    }
    if apart && at < text.len() && is_there(at) {
        insert.push_str(eol);
    }
    Splice::insert(at, insert)
}

/// The lines of a range, with their line end or, at the end of the text, the one before.
pub(super) fn whole(text: &str, range: Range<usize>) -> Range<usize> {
    let (start, next) = (start(text, range.start), next(text, range.end));
    let ended = next > end(text, range.end);
    if ended { start..next } else { start - line_end_before(text, start).len()..next }
}

/// The lines of a range, and one of the blank lines around it if it has one on either side.
pub(super) fn whole_with_blank(text: &str, range: Range<usize>) -> Range<usize> {
    let below = next(text, range.end);
    if below < text.len() && !is_empty(text, below) {
        return start(text, range.start)..below;
    }
    match above(text, range.start) {
        None => start(text, range.start)..next(text, below),
        Some(above) if is_empty(text, above) => whole(text, start(text, above)..range.end),
        Some(_) => whole(text, range),
    }
}

/// Joins several splices into one that writes back the text between them.
pub(super) fn in_one(text: &str, mut splices: Vec<Splice>) -> Option<Splice> {
    splices.sort_by_key(|splice| (splice.start, splice.end));
    splices.into_iter().map(Some).reduce(|all, next| {
        let (mut all, next) = (all?, next?);
        all.insert.push_str(text.get(all.end..next.start)?);
        all.insert.push_str(&next.insert);
        all.end = next.end;
        Some(all)
    })?
}
