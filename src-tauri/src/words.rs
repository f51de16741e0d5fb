//! The words of the tray and of what is said outside the page, from the page's own text file.

use serde_json::Value;

/// A language's words by their key.
pub(crate) struct Words(Value);

impl Words {
    /// The English words.
    pub(crate) fn english() -> Self {
        Self(serde_json::from_str(include_str!("../../ui/text/en.json")).expect("our own text file is JSON"))
    }

    /// The words of a key. A key that is not there is said as it is, so that it is seen.
    pub(crate) fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.0[key].as_str().unwrap_or(key)
    }

    /// The words of a key with `{name}` replaced by the value given for it.
    pub(crate) fn with(&self, key: &str, name: &str, value: &str) -> String {
        self.say(key).replace(&format!("{{{name}}}"), value)
    }

    /// The words of a key for `{n}` things: `key.one` or `key.other`.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let form = if count == 1 { "one" } else { "other" };
        self.with(&format!("{key}.{form}"), "n", &count.to_string())
    }
}
