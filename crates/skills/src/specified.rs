//! What the specification says of the optional keys.

use crate::yaml::Node;

/// The most characters of `compatibility`.
pub(crate) const MOST_CHARACTERS: usize = 500;

/// The optional values of another kind than the specification says, each with its field name.
pub(crate) fn unspecified(frontmatter: &Node) -> Vec<(String, &Node)> {
    let text = |value: &Node| value.string().is_some();
    let fits = |text: &str| (1..=MOST_CHARACTERS).contains(&text.chars().count());
    let mut others = Vec::new();
    for key in ["license", "allowed-tools", "compatibility"] {
        let is_short = |value: &Node| key != "compatibility" || value.string().is_some_and(fits);
        others.extend(
            frontmatter.get(key).filter(|value| !text(value) || !is_short(value)).map(|value| (key.to_owned(), value)),
        );
    }
    let Some(metadata) = frontmatter.get("metadata") else { return others };
    if !metadata.is_mapping() {
        others.push(("metadata".to_owned(), metadata));
    }
    let entries = metadata.entries().iter().filter(|(_, value)| !text(value));
    others.extend(entries.map(|(key, value)| (format!("metadata.{}", key.text().unwrap_or_default()), value)));
    others
}
