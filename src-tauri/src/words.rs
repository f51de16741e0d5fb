//! The texts of the tray and of messages outside the page, from the page's text files. What the engine says is English here.

use std::sync::LazyLock;

use api::Language;
use engine::{Engine, Machine};
use serde_json::Value;
use tauri::{AppHandle, Manager as _};

use crate::remembered::Remembered;

/// A language's texts by key.
pub(crate) struct Words(Value);

impl Words {
    /// The texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::read(include_str!("../../ui/text/en.json")));
        static CHINESE: LazyLock<Words> = LazyLock::new(|| Words::read(include_str!("../../ui/text/zh-CN.json")));
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    /// The texts that are shown now. Before the engine runs, those of the last run, or of the desktop's language.
    pub(crate) fn now(app: &AppHandle) -> &'static Self {
        let shown = app.try_state::<Engine>().map(|engine| engine.snapshot().settings.language.shown);
        let last = || Language::of_tag(&app.state::<Remembered>().get().language?);
        let desktop = || Language::of_desktop(app.state::<Machine>().languages.iter().map(String::as_str));
        Self::of(shown.or_else(last).unwrap_or_else(desktop))
    }

    fn read(text: &str) -> Self {
        Self(serde_json::from_str(text).expect("our own text file is JSON"))
    }

    /// The text of a key. A missing key is returned unchanged, so that it is noticed.
    pub(crate) fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.0[key].as_str().unwrap_or(key)
    }

    /// The text of a key with `{name}` replaced by `value`.
    pub(crate) fn with(&self, key: &str, name: &str, value: &str) -> String {
        self.say(key).replace(&format!("{{{name}}}"), value)
    }

    /// The text of a key for `{n}` things: `key.one` where the language tells one from many, else `key.other`.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let one = format!("{key}.one");
        let form = if count == 1 && self.0.get(&one).is_some() { one } else { format!("{key}.other") };
        self.with(&form, "n", &count.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_counted_in_a_language_that_does_not_tell_it_from_many() {
        let chinese = Words::of(Language::Chinese);
        assert_eq!(chinese.count("tray.clients", 1), chinese.count("tray.clients", 2).replace('2', "1"));
        assert_eq!(Words::of(Language::English).count("tray.clients", 1), "1 client");
    }

    #[test]
    fn every_language_has_the_words_of_the_tray_and_of_notifications() {
        let is_ours = |key: &str| key.starts_with("tray.") || key.starts_with("notify.");
        let english = Words::of(Language::English).0.as_object().unwrap();
        for language in Language::ALL {
            for key in english.keys().filter(|key| is_ours(key) && !key.ends_with(".one")) {
                assert_ne!(Words::of(language).say(key), key, "{}", language.tag());
            }
        }
    }
}
