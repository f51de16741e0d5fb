//! The parts of a source that come from outside: paths and names of branches, made harmless.

use percent_encoding::percent_decode_str;

use super::SourceError;

/// A text without its percent-encoding; as it is if it does not decode to UTF-8.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Into::into)
}

/// A folder in a repository, without needless parts. The file SKILL.md stands for its folder, the list of a marketplace for
/// the folder that it is about.
pub(crate) fn cleaned_path(path: &str) -> Result<String, SourceError> {
    let path = decoded(path).replace('\\', "/");
    let mut parts: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") || path.contains(char::is_control) {
        return Err(SourceError::LeadsOut(path.escape_default().to_string()));
    }
    if parts.last().is_some_and(|last| last.eq_ignore_ascii_case("SKILL.md")) {
        parts.pop();
    }
    if parts.ends_with(&[".claude-plugin", "marketplace.json"]) {
        parts.truncate(parts.len() - 2);
    }
    Ok(parts.join("/"))
}

/// The name of a branch, a tag or a commit, as git allows it (`git check-ref-format`), without the folder that git keeps
/// it in.
pub(crate) fn checked_reference(name: &str) -> Result<String, SourceError> {
    let short = ["refs/heads/", "refs/tags/"].iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let part_is_odd = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    let refused = short.contains(odd)
        || short.starts_with('-')
        || short.contains("..")
        || short.contains("@{")
        || short.ends_with('.')
        || short == "@"
        || short.split('/').any(part_is_odd);
    if refused { Err(SourceError::Reference(name.escape_default().to_string())) } else { Ok(short.to_owned()) }
}
