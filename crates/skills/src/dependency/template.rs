//! Text with placeholders: `--path=${WORKSPACE}`.

use crate::yaml::{Content, Node};

/// The home folder, which needs no declaration.
pub(super) const HOME: &str = "HOME";

/// One piece of a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// The name in `${NAME}`.
    Placeholder(&'t str),
}

/// The pieces of a template.
///
/// # Errors
/// The text after a `${` that is never closed or holds no name.
pub(super) fn pieces(template: &str) -> Result<Vec<Piece<'_>>, &str> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find("${") {
        let (text, open) = rest.split_at(at);
        let (name, after) = open[2..].split_once('}').ok_or(open)?;
        if !is_name(name) {
            return Err(open);
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces.push(Piece::Placeholder(name));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// The name when the template is one placeholder and nothing else.
pub(super) fn only_placeholder(template: &str) -> Option<&str> {
    match pieces(template).ok()?[..] {
        [Piece::Placeholder(name)] => Some(name),
        _ => None,
    }
}

/// The text before the placeholder, and its name, when the template is a placeholder alone or one after text that
/// ends in a blank: `Bearer ${TOKEN}`.
pub(super) fn after_literal(template: &str) -> Option<(&str, &str)> {
    match pieces(template).ok()?[..] {
        [Piece::Placeholder(name)] => Some(("", name)),
        [Piece::Text(before), Piece::Placeholder(name)] if before.ends_with(' ') => Some((before, name)),
        _ => None,
    }
}

/// Whether a text below a node, at any depth, uses a value.
pub(super) fn uses(node: &Node, name: &str) -> bool {
    match &node.content {
        Content::Scalar(text, _) => pieces(text).is_ok_and(|pieces| pieces.contains(&Piece::Placeholder(name))),
        Content::List(items) => items.iter().any(|item| uses(item, name)),
        Content::Map(entries) => entries.iter().any(|(_, value)| uses(value, name)),
    }
}

/// Whether the text is a parameter name: a letter or `_`, then letters, digits and `_`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a text holds a password: `user:password@`, alone or in an address, or `password=...`. A placeholder in its
/// place does not count; the filled text is checked later.
pub fn holds_password(text: &str) -> bool {
    let addresses = text.split_once("://").map_or(text, |(_, rest)| rest);
    addresses.split("://").any(before_host) || named_password(text)
}

/// Schemes without a host, after which an `@` means something else.
const NO_USERS: &[&str] = &["mailto", "npm", "jsr", "pypi"];

fn before_host(address: &str) -> bool {
    let Some((before, host)) = address.rsplit_once('@') else { return false };
    let Some((user, word)) = before.split_once(':') else { return false };
    // In `host:8080/@scope` it is a port; some passwords hold an unescaped `/`.
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_port = digits.len() < word.len() && digits.starts_with(['/', '?', '#']);
    let is_user = !user.is_empty() && !user.contains(['/', '?', '#', ' ']) && !NO_USERS.contains(&user);
    // `image:tag@sha256:...` holds no password.
    is_user && !word.is_empty() && !is_port && only_placeholder(word).is_none() && !host.starts_with("sha256:")
}

/// Whether a parameter of an address or a word of a connection string names a password.
fn named_password(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["password=", "passwd=", "pwd="].iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let starts = lower[..at].ends_with(['?', '&', ';', ' ', ',']) || at == 0;
            let value = &text[at + name.len()..];
            starts && !value.is_empty() && !value.starts_with(['&', ';', ' ', ',']) && !value.starts_with("${")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_text_and_placeholders() {
        let pieces = pieces("a${B}$c${D_1}").unwrap();
        assert_eq!(pieces, [Piece::Text("a"), Piece::Placeholder("B"), Piece::Text("$c"), Piece::Placeholder("D_1")]);
        assert_eq!(super::pieces(""), Ok(vec![]));
    }

    #[test]
    fn an_open_or_nameless_placeholder_is_an_error() {
        for (template, rest) in [("a${B", "${B"), ("${}", "${}"), ("${a-b}", "${a-b}"), ("x${1}", "${1}")] {
            assert_eq!(pieces(template), Err(rest));
        }
    }

    #[test]
    fn a_whole_placeholder_is_told_from_a_part() {
        assert_eq!(only_placeholder("${TOKEN}"), Some("TOKEN"));
        assert_eq!(only_placeholder("Bearer ${TOKEN}"), None);
    }

    #[test]
    fn a_placeholder_may_follow_text_that_ends_in_a_blank() {
        assert_eq!(after_literal("${TOKEN}"), Some(("", "TOKEN")));
        assert_eq!(after_literal("Bearer ${TOKEN}"), Some(("Bearer ", "TOKEN")));
        for template in ["Bearer${TOKEN}", "Bearer ${TOKEN} ", "${A} ${B}", "Bearer", ""] {
            assert_eq!(after_literal(template), None, "{template}");
        }
    }

    #[test]
    fn a_password_is_found_in_addresses_and_connection_strings() {
        for text in [
            "postgresql://u:pw@h/x",
            "postgresql://u:p/w@h/x",
            "jdbc:postgresql://u:pw@h/x",
            "redis://:@h redis://u:1234@h",
            "zoe:hunter2@localhost",
            "postgresql://h/x?user=u&password=pw",
            "host=h user=u password=pw",
            "Server=h;Pwd=pw",
            "https://u:${P}x@h",
        ] {
            assert!(holds_password(text), "{text}");
        }
        for text in [
            "postgresql://u@h:5432/x",
            "postgresql://u:${PASSWORD}@h/x",
            "https://h:8080/@scope/name",
            "https://h/x?at=10:30&to=ada@h",
            "git@github.com:org/name.git",
            "tea:1@sha256:abc",
            "mailto:ada@tea.example",
            "npm:tea@1.0.0",
            "host=h password=${PASSWORD}",
            "https://h/?password=",
            "/srv/tea",
        ] {
            assert!(!holds_password(text), "{text}");
        }
    }
}
