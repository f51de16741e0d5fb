//! How clients repair a frontmatter that is not valid YAML before a second try.

/// Rewrites a frontmatter.
pub(super) type Repair = fn(&str) -> String;

/// Codex quotes one-line values, at any depth, that hold a colon and a blank, or that start like a list, a mapping or
/// a reserved word but are not one. Comments stay.
pub(super) fn quote_colons_and_openers(yaml: &str) -> String {
    let mut block = None;
    each_line(&yaml.replace("\r\n", "\n"), |line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if block.is_some_and(|block| line.trim().is_empty() || indent > block) {
            return None;
        }
        block = None;
        let (key, rest) = line.split_once(':')?;
        if key.trim().is_empty() || !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            return None;
        }
        let start = line.len() - rest.trim_start().len();
        let value = &line[start..];
        let (value, comment) = value.split_at(comment(value).unwrap_or(value.len()));
        let (value, blanks) = value.split_at(value.trim_end().len());
        match value.chars().next()? {
            '|' | '>' => block = Some(indent),
            '\'' | '"' => {}
            first => {
                let opens = matches!(first, '[' | '{' | '@' | '`') && !is_yaml(value);
                if opens || holds_colon(value) {
                    return Some([&line[..start], &single_quoted(value), blanks, comment].concat());
                }
            }
        }
        None
    })
}

/// Claude Code quotes top-level one-line values that hold a character with a meaning in YAML.
pub(super) fn quote_special(yaml: &str) -> String {
    let special = |value: &str| value.contains(['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`']);
    let inside = |value: &str, quote: char| value.starts_with(quote) && value.ends_with(quote);
    let quoted = each_line(yaml, |line| {
        // Its pattern for a line does not match a carriage return.
        let line = Some(line).filter(|line| !line.contains('\r'))?;
        let (key, rest) = line.split_once(':')?;
        let value = rest.trim_start();
        let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
        if !is_key || value.len() == rest.len() || value.is_empty() || inside(value, '"') || inside(value, '\'') {
            return None;
        }
        if value.starts_with('[') && value.ends_with(']') && is_yaml(value) {
            return None;
        }
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        (special(value) || value.contains(": ")).then(|| format!("{key}: \"{escaped}\""))
    });
    // Tabs in the indentation become blanks.
    each_line(&quoted, |line| {
        let rest = line.trim_start_matches('\t');
        (rest.len() < line.len()).then(|| "  ".repeat(line.len() - rest.len()) + rest)
    })
}

/// opencode rewrites top-level one-line values with a colon as blocks of text; it ignores keys with a hyphen.
pub(super) fn block_colons(yaml: &str) -> String {
    each_line(&yaml.replace("\r\n", "\n"), |line| {
        let (key, value) = line.split_once(':')?;
        let (key, value) = (key.trim_end(), value.trim());
        let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let is_plain = !value.starts_with(['"', '\'']) && value.contains(':');
        (is_key && is_plain).then(|| format!("{key}: |-\n  {value}"))
    })
}

/// Every line, or its replacement.
fn each_line(yaml: &str, mut replaced: impl FnMut(&str) -> Option<String>) -> String {
    let lines = yaml.split('\n').map(|line| replaced(line).unwrap_or_else(|| line.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Where a comment starts, its leading blanks not counted.
fn comment(value: &str) -> Option<usize> {
    value.match_indices('#').map(|(at, _)| at).find(|&at| at == 0 || value[..at].ends_with(char::is_whitespace))
}

fn holds_colon(value: &str) -> bool {
    value.match_indices(':').any(|(at, _)| value[at + 1..].starts_with(char::is_whitespace))
}

fn is_yaml(value: &str) -> bool {
    crate::yaml::read(value, &|offset| offset).is_ok()
}

fn single_quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}
