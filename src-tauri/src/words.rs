//! The texts of the tray and of messages outside the page, from the page's text file.

use serde_json::Value;

/// A language's texts by key.
pub(crate) struct Words(Value);

impl Words {
    /// The English texts.
    pub(crate) fn english() -> Self {
        Self(serde_json::from_str(include_str!("../../ui/text/en.json")).expect("our own text file is JSON"))
    }

    /// The text of a key. A missing key is returned unchanged, so that it is noticed.
    pub(crate) fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.0[key].as_str().unwrap_or(key)
    }

    /// The text of a key with `{name}` replaced by `value`.
    pub(crate) fn with(&self, key: &str, name: &str, value: &str) -> String {
        self.say(key).replace(&format!("{{{name}}}"), value)
    }

    /// The text of a key for `{n}` things: `key.one` or `key.other`.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let form = if count == 1 { "one" } else { "other" };
        self.with(&format!("{key}.{form}"), "n", &count.to_string())
    }
}
