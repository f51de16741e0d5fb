//! The lines of a text that TOML and YAML are laid out in: where they begin and end, how they are indented.

/// The first byte of the line that `at` stands on. A byte order mark is before it.
pub(super) fn start(text: &str, at: usize) -> usize {
    let first = if text.starts_with(super::BOM) { super::BOM.len() } else { 0 };
    text[..at].rfind(['\n', '\r']).map_or(first, |end| end + 1)
}

/// Where the line that `at` stands on ends: the first byte of its line end, or the end of the text.
pub(super) fn end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |line| at + line)
}

/// Where the next line begins.
pub(super) fn next(text: &str, at: usize) -> usize {
    let end = end(text, at);
    end + line_end_at(text, end).len()
}

/// How a line ends that is added behind the one that `at` stands on: as that one does, or the one before it,
/// or the first one of the text.
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

/// The line end that stands at `at`.
pub(super) fn line_end_at(text: &str, at: usize) -> &str {
    match &text[at..] {
        rest if rest.starts_with("\r\n") => &rest[..2],
        rest if rest.starts_with(['\n', '\r']) => &rest[..1],
        rest => &rest[..0],
    }
}

/// The line end that stands before `at`.
pub(super) fn line_end_before(text: &str, at: usize) -> &str {
    match &text[..at] {
        before if before.ends_with("\r\n") => &before[at - 2..],
        before if before.ends_with(['\n', '\r']) => &before[at - 1..],
        before => &before[at..],
    }
}

/// What stands before `at` on its line, if that is nothing but blanks.
pub(super) fn indent_before(text: &str, at: usize) -> Option<&str> {
    let before = &text[start(text, at)..at];
    is_blank(before).then_some(before)
}

/// The blanks at the start of the line that `at` stands on.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[start(text, at)..end(text, at)];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The text of the line that `at` stands on, without the blanks around it and its line end.
pub(super) fn content(text: &str, at: usize) -> &str {
    text[start(text, at)..end(text, at)].trim_matches([' ', '\t'])
}

/// Whether there is nothing but blanks in it.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether a line end stands in it.
pub(super) fn has_end(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
