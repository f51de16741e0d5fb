//! How clients treat a name or a description, and what they refuse or complain about in a skill.
//!
//! A fault is worded as the end of a sentence: "Codex refuses it: the name *has 71 characters, the limit is 64*."

use serde_json::Value;

use crate::yaml::{Content, Node};

// How a text is tidied.

pub(super) fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn line_ends_as_blanks(text: &str) -> String {
    let lines: Vec<_> = text.split(['\r', '\n']).filter(|line| !line.is_empty()).collect();
    lines.join(" ").trim().to_owned()
}

/// Replaces each row of blanks by one hyphen.
pub(super) fn hyphens_for_blanks(text: &str) -> String {
    let words: Vec<_> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.join("-")
}

pub(super) fn no_control_characters(text: &str) -> String {
    text.replace(|c: char| c.is_control() && !matches!(c, '\t' | '\r' | '\n'), "")
}

pub(super) fn no_path_characters(text: &str) -> String {
    text.replace([':', '\\', '/', '<', '>', '*', '?', '"', '|'], "-")
}

// What of the body replaces a missing description.

/// The first non-blank line, without heading marks, at most 100 characters.
pub(super) fn first_line(body: &str) -> String {
    let Some(line) = body.split('\n').map(trim_all).find(|line| !line.is_empty()) else {
        return "Skill".to_owned();
    };
    let text = line.trim_start_matches('#');
    let line = if text.len() < line.len() && text.starts_with(char::is_whitespace) { text.trim_start() } else { line };
    let units: Vec<_> = line.encode_utf16().collect();
    match units.get(..97).filter(|_| units.len() > 100) {
        Some(start) => String::from_utf16_lossy(start) + "...",
        None => line.to_owned(),
    }
}

/// As JavaScript trims: a byte order mark counts as a blank.
fn trim_all(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The first three non-blank lines, up to the next heading.
pub(super) fn first_lines(body: &str) -> String {
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.skip_while(|line| line.starts_with('#')).take_while(|line| !line.starts_with('#'));
    lines.take(3).collect::<Vec<_>>().join(" ")
}

// What a name or a description must be.

pub(super) fn at_most_64(text: &str) -> Option<String> {
    longer_than(text, 64)
}

pub(super) fn at_most_1024(text: &str) -> Option<String> {
    longer_than(text, 1024)
}

/// As JavaScript counts: a character beyond the first 65,536 is two.
pub(super) fn at_most_1024_units(text: &str) -> Option<String> {
    let count = text.encode_utf16().count();
    (count > 1024).then(|| format!("has {count} characters (UTF-16 units), the limit is 1024"))
}

pub(super) fn ascii_name(text: &str) -> Option<String> {
    let fits = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b' '));
    (!fits).then(|| "has other characters than ASCII letters, digits, `-`, `_`, `.`, `:` and blanks".to_owned())
}

fn longer_than(text: &str, most: usize) -> Option<String> {
    let count = text.chars().count();
    (count > most).then(|| format!("has {count} characters, the limit is {most}"))
}

// What the other fields must be.

pub(super) fn argument_hint_is_text(root: &Node) -> Option<String> {
    let hint = root.get("argument-hint")?;
    (hint.string().is_none() && !hint.is_null()).then(|| "`argument-hint` is not text".to_owned())
}

pub(super) fn switches_are_on_or_off(root: &Node) -> Option<String> {
    let is_switch = |node: &Node| matches!(node.content, Content::Scalar(_, Value::Bool(_)));
    let wrong = |key: &&str| root.get(key).is_some_and(|node| !is_switch(node));
    let key = ["disable-model-invocation", "user-invocable"].into_iter().find(wrong)?;
    Some(format!("`{key}` is neither `true` nor `false`"))
}

pub(super) fn allowed_tools_are_text(root: &Node) -> Option<String> {
    let tools = root.get("allowed-tools")?;
    let fits = tools.string().is_some()
        || matches!(tools.content, Content::List(_)) && tools.items().iter().all(|tool| tool.string().is_some());
    (!fits).then(|| "`allowed-tools` is neither text nor a list of texts".to_owned())
}

pub(super) fn not_internal(root: &Node) -> Option<String> {
    let internal = root.get("metadata")?.get("internal")?;
    (internal.value() == Value::Bool(true)).then(|| "`metadata.internal` hides it".to_owned())
}

// Complaints about a skill that loads. `folder` is the name of the skill's folder.

pub(super) fn not_for_the_model(_: &str, root: &Node) -> Option<String> {
    is_on(root.get("disable-model-invocation")?)
        .then(|| "does not tell the model of it: `disable-model-invocation` is set".to_owned())
}

pub(super) fn not_for_the_person(folder: &str, root: &Node) -> Option<String> {
    (!is_on(root.get("user-invocable")?)).then(|| format!("does not offer it as /{folder}: `user-invocable` is off"))
}

fn is_on(value: &Node) -> bool {
    value.text() == Some("true")
}

pub(super) fn six_keys(_: &str, root: &Node) -> Option<String> {
    const KNOWN: &[&str] = &["name", "description", "license", "allowed-tools", "metadata", "compatibility"];
    let others = root.entries().iter().filter_map(|(key, _)| key.text()).filter(|key| !KNOWN.contains(key));
    let others: Vec<_> = others.map(|key| format!("`{key}`")).collect();
    (!others.is_empty()).then(|| format!("finds keys that the specification does not have: {}", others.join(", ")))
}

pub(super) fn short_name(_: &str, root: &Node) -> Option<String> {
    let wrong = at_most_64(name(root)?)?;
    Some(format!("says that the name {wrong}"))
}

pub(super) fn lowercase_name(_: &str, root: &Node) -> Option<String> {
    let name = name(root)?;
    (name != name.to_lowercase()).then(|| "says that the name is not lowercase".to_owned())
}

pub(super) fn hyphenated_name(_: &str, root: &Node) -> Option<String> {
    let name = name(root)?;
    let wrong = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    wrong.then(|| "says that the name has a hyphen at an end or two in a row".to_owned())
}

pub(super) fn word_name(_: &str, root: &Node) -> Option<String> {
    let fits = name(root)?.chars().all(|c| c.is_alphanumeric() || c == '-');
    (!fits).then(|| "says that the name has other characters than letters, digits and hyphens".to_owned())
}

pub(super) fn folder_name(folder: &str, root: &Node) -> Option<String> {
    (name(root)? != folder).then(|| "says that the name is not that of the folder".to_owned())
}

pub(super) fn short_description(_: &str, root: &Node) -> Option<String> {
    let wrong = at_most_1024(root.get("description")?.text()?)?;
    Some(format!("says that the description {wrong}"))
}

pub(super) fn compatibility_is_short_text(_: &str, root: &Node) -> Option<String> {
    let compatibility = root.get("compatibility")?;
    match compatibility.text() {
        None => Some("says that `compatibility` is not text".to_owned()),
        Some(text) => Some(format!("says that `compatibility` {}", longer_than(text, 500)?)),
    }
}

fn name(root: &Node) -> Option<&str> {
    root.get("name")?.text().map(str::trim)
}
