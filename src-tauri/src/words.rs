//! The texts of the tray and of messages outside the page, from the page's text files, and what the engine says in their
//! language.

mod form;
mod messages;

use std::sync::LazyLock;

use api::Language;
use engine::{Engine, Machine};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tauri::{AppHandle, Manager as _};

use crate::remembered::Remembered;
use messages::Messages;

/// A language's texts by key, and what the engine says in it; English needs none of that.
pub(crate) struct Words {
    texts: Value,
    engine: Option<LazyLock<Messages>>,
}

impl Words {
    /// The texts of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ENGLISH: LazyLock<Words> =
            LazyLock::new(|| Words { texts: read(include_str!("../../ui/text/en.json")), engine: None });
        static CHINESE: LazyLock<Words> = LazyLock::new(|| Words {
            texts: read(include_str!("../../ui/text/zh-CN.json")),
            engine: Some(LazyLock::new(|| Messages::new(&read(include_str!("../../ui/text/zh-CN.engine.json"))))),
        });
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

    /// The text of a key. A missing key is returned unchanged, so that it is noticed.
    pub(crate) fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts[key].as_str().unwrap_or(key)
    }

    /// The text of a key with `{name}` replaced by `value`.
    pub(crate) fn with(&self, key: &str, name: &str, value: &str) -> String {
        self.say(key).replace(&format!("{{{name}}}"), value)
    }

    /// The text of a key for `{n}` things: `key.one` where the language tells one from many, else `key.other`.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let one = format!("{key}.one");
        let form = if count == 1 && self.texts.get(&one).is_some() { one } else { format!("{key}.other") };
        self.with(&form, "n", &count.to_string())
    }

    /// What the engine says, in this language; in English what is not known.
    pub(crate) fn translated(&self, text: &str) -> String {
        self.engine.as_ref().map_or_else(|| text.to_owned(), |messages| messages.translated(text))
    }
}

fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("our own text file is JSON")
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
    fn what_the_engine_says_is_said_in_the_language_that_is_shown() {
        let text = "The running Skilltender (process 7) has not ended yet. End it yourself, then start again.";
        assert_eq!(Words::of(Language::English).translated(text), text);
        let chinese = "正在运行的 Skilltender（进程 7）尚未结束。请自行结束它，然后重新启动。";
        assert_eq!(Words::of(Language::Chinese).translated(text), chinese);
    }

    #[test]
    fn every_language_has_the_words_of_the_tray_of_notifications_and_of_dialogs() {
        let is_ours = |key: &str| ["tray.", "notify.", "engine.", "dialog."].iter().any(|head| key.starts_with(head));
        let english = Words::of(Language::English).texts.as_object().unwrap();
        for language in Language::ALL {
            for key in english.keys().filter(|key| is_ours(key) && !key.ends_with(".one")) {
                assert_ne!(Words::of(language).say(key), key, "{}", language.tag());
            }
        }
    }
}
