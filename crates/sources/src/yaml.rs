//! Our own files of YAML as they are read and written: within limits, without anchors, and with the place of what does not
//! belong there.

use serde::de::DeserializeOwned;
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy};

/// What does not belong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Its line and column, from 1, where they are known.
    pub(crate) place: Option<(u64, u64)>,
    /// Why, as a part of a sentence.
    pub(crate) why: String,
}

/// Reads a text of at most so many bytes, with at most so many values and keys.
pub(crate) fn parsed<T: DeserializeOwned>(text: &str, most_bytes: usize, most_nodes: usize) -> Result<T, Fault> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: 12,
            max_nodes: most_nodes,
            max_events: 4 * most_nodes,
            max_total_scalar_bytes: most_bytes,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let place = error.location().map(|location| (location.line(), location.column()));
        Fault { place: place.filter(|(line, _)| *line > 0), why: why(&error) }
    })
}

/// What the parser says, as the part of a sentence, without what could break one.
fn why(error: &serde_yaml::Error) -> String {
    let said = match error.without_snippet() {
        serde_yaml::Error::SerdeUnknownField { field, .. } => format!("the key `{field}` is not known"),
        serde_yaml::Error::SerdeMissingField { field, .. } => format!("`{field}` is missing"),
        serde_yaml::Error::DuplicateMappingKey { .. } => "a key is there twice".to_owned(),
        serde_yaml::Error::Budget { .. } => "it holds too much, or an anchor or alias".to_owned(),
        _ => "it is not what belongs there".to_owned(),
    };
    said.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// A word that YAML reads as that text and nothing else, or a text in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(fits)
        // Words that a reader of YAML takes for something else.
        && !matches!(&*text.to_ascii_lowercase(), "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null");
    if is_word {
        return text.to_owned();
    }
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written += "\\n",
            '\t' => written += "\\t",
            c if c == ' ' || is_printed(c) => written.push(c),
            c if u32::from(c) <= 0xffff => written += &format!("\\u{:04x}", u32::from(c)),
            c => written += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    written + "\""
}

pub(crate) fn is_printed(c: char) -> bool {
    !c.is_control()
        && !c.is_whitespace()
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
