//! Makes a recorded value the same on every computer and at every time: the home folder is `/home/mei`, every moment
//! is [`MOMENT`], and digests, tokens and names made of a moment are numbered in the order in which they appear. Commits
//! are the same everywhere, and stay. Repositories of the test's own host are named as those of GitHub are.

use std::collections::BTreeMap;

use regex::{Captures, Regex};
use serde_json::{Value, json};

/// The moment of the recording; the page takes it for its own start.
pub(super) const MOMENT: u64 = 1_767_225_600_000;
/// Milliseconds since 1970 from which on a number is a moment: no other number is that large.
const FIRST_MOMENT: u64 = 1_500_000_000_000;

pub(super) struct Steady {
    home: String,
    folder: String,
    digest: Regex,
    named_by_moment: Regex,
    token: Regex,
    port: Regex,
    repository: Regex,
    watches: Regex,
    seen: BTreeMap<String, usize>,
}

impl Steady {
    pub(super) fn new(home: &str) -> Self {
        let folder = home.strip_suffix("/home").expect("a home below the test's folder").to_owned();
        let pattern = |text| Regex::new(text).expect("a pattern");
        Self {
            home: home.to_owned(),
            folder,
            digest: pattern(r"\b(?:[0-9a-f]{32,39}|[0-9a-f]{41,})\b"),
            named_by_moment: pattern(r"\b1[5-9]\d{11}\b"),
            token: pattern(r"Bearer [A-Za-z0-9_-]{20,}"),
            port: pattern(r"127\.0\.0\.1:\d+"),
            repository: pattern(r"http://127\.0\.0\.1:\d+/(acme|beta|old)/([a-z-]+)(?:\.git)?"),
            watches: pattern(r"has \d+ folders, and \d+ may"),
            seen: BTreeMap::new(),
        }
    }

    pub(super) fn value(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(all) => Value::Array(all.into_iter().map(|one| self.value(one)).collect()),
            Value::Object(all) => Value::Object(all.into_iter().map(|(key, one)| self.field(&key, one)).collect()),
            Value::Number(number) if number.as_u64().is_some_and(|number| number >= FIRST_MOMENT) => MOMENT.into(),
            other => other,
        }
    }

    fn field(&mut self, key: &str, value: Value) -> (String, Value) {
        let value = match key {
            "process" if value.is_u64() => 4_213.into(),
            "port" if value.is_u64() => 8_363.into(),
            // What servers inherit depends on the environment of the test.
            "inherited" if value.as_array().is_some_and(|names| !names.is_empty()) => json!(["HOME", "LANG", "PATH"]),
            _ => self.value(value),
        };
        (self.text(key), value)
    }

    pub(super) fn text(&mut self, text: &str) -> String {
        let text = text.replace(&self.home, "/home/mei").replace(&self.folder, "");
        let text = self.token.replace_all(&text, "Bearer not-a-real-token").into_owned();
        let text = self.repository.replace_all(&text, "$1/$2").into_owned();
        let text = self.port.replace_all(&text, "127.0.0.1:8363");
        let text = self.watches.replace_all(&text, "has 31 folders, and 65536 may");
        let Self { digest, named_by_moment, seen, .. } = self;
        let mut numbered = |kind: &str, found: &Captures<'_>| {
            let next = seen.len() + 1;
            format!("{kind}-{}", seen.entry(found[0].to_owned()).or_insert(next))
        };
        let text = digest.replace_all(&text, |found: &Captures<'_>| numbered("digest", found)).into_owned();
        named_by_moment.replace_all(&text, |found: &Captures<'_>| numbered("moment", found)).into_owned()
    }
}
