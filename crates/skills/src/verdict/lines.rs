//! Clients that read a name and a description from their lines, without YAML.

/// Finds the value of a key.
pub(super) type ByLine = fn(text: &str, key: &str) -> Option<String>;

/// Gemini CLI: the last line `key: value`, however indented. Indented lines below a description
/// belong to it and are never keys.
pub(super) fn last_with_continuations(yaml: &str, key: &str) -> Option<String> {
    let mut lines = yaml.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    let mut found = None;
    while let Some(line) = lines.next() {
        if let Some(value) = value_of(line, "description") {
            let mut parts = vec![value];
            while let Some(more) = lines.next_if(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty()) {
                parts.push(more.trim());
            }
            parts.retain(|part| !part.is_empty());
            found = if key == "description" { Some(parts.join(" ")) } else { found };
        } else if let Some(value) = value_of(line, key) {
            found = Some(value.to_owned());
        }
    }
    found
}

fn value_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    Some(line.trim_start().strip_prefix(key)?.strip_prefix(':')?.trim())
}

/// The line ends of JavaScript's regular expressions.
const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// openskills: the text after the first `key:` at the start of a line anywhere in the file, on that line or on the
/// next non-blank one.
pub(super) fn first_in_file(file: &str, key: &str) -> Option<String> {
    let mut rest = file;
    loop {
        if let Some(value) = rest.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')) {
            return value.trim_start().split(LINE_ENDS).next().map(|value| value.trim_end().to_owned());
        }
        rest = rest.split_once(LINE_ENDS)?.1;
    }
}
