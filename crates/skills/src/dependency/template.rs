//! Text with placeholders: `--path=${WORKSPACE}`.

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
/// What follows a `${` that is never closed or holds no name.
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

/// The text before the placeholder and its name, when the template is a placeholder alone or one
/// that follows text that ends in a blank: `Bearer ${TOKEN}`.
pub(super) fn after_literal(template: &str) -> Option<(&str, &str)> {
    match pieces(template).ok()?[..] {
        [Piece::Placeholder(name)] => Some(("", name)),
        [Piece::Text(before), Piece::Placeholder(name)] if before.ends_with(' ') => Some((before, name)),
        _ => None,
    }
}

/// Whether a parameter may be called so: a letter or `_`, then letters, digits and `_`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
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
}
