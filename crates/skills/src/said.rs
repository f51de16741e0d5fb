//! The value of a key as its author wrote it.

use crate::yaml::Node;

/// The value of `key` as authored: any scalar that is not empty.
pub(crate) fn said<'n>(frontmatter: &'n Node, key: &str) -> Option<&'n str> {
    let value = frontmatter.get(key).filter(|value| !value.is_null())?;
    value.text().filter(|text| !text.trim().is_empty())
}
