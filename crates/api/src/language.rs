//! The languages of the window and the tray. Their texts are in `ui/text`; the command line is English, and
//! so are the engine's sentences, which the window translates (decision 78).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A language that the texts are written in, by its BCP 47 tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

/// The language that the person chose, and the one that is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
pub struct Languages {
    /// The chosen one; `null` follows the desktop.
    pub chosen: Option<Language>,
    /// The one of the window and the tray.
    pub shown: Language,
}

impl Language {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Its tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language of one of our tags.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }

    /// The language for a desktop with these languages, best first: the first that there are texts for, else English.
    pub fn of_desktop<'a>(tags: impl IntoIterator<Item = &'a str>) -> Self {
        tags.into_iter().find_map(Self::reads).unwrap_or_default()
    }

    /// The language that who reads this tag's language reads. Traditional Chinese is another script.
    fn reads(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        match parts.next()? {
            // Programs that were told to speak no language speak English.
            "en" | "c" | "posix" => Some(Self::English),
            "zh" if parts.clone().any(|part| part == "hans") => Some(Self::Chinese),
            "zh" => (!parts.any(|part| matches!(part, "hant" | "tw" | "hk" | "mo"))).then_some(Self::Chinese),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{
        Deserialize as _,
        de::value::{Error, StrDeserializer},
    };

    use super::Language::{self, Chinese, English};

    #[test]
    fn the_desktop_s_first_language_with_texts_is_shown() {
        let cases: &[(&[&str], Language)] = &[
            (&[], English),
            (&["de-DE", "fr"], English),
            (&["zh-CN"], Chinese),
            (&["zh"], Chinese),
            (&["zh-Hans-CN"], Chinese),
            (&["zh-Hans-HK"], Chinese),
            (&["zh_SG"], Chinese),
            (&["ZH-cn"], Chinese),
            (&["zh-TW"], English),
            (&["zh-Hant-CN"], English),
            (&["zh-TW", "zh"], Chinese),
            (&["en-GB", "zh-CN"], English),
            (&["C", "zh-CN"], English),
            (&["de", "zh-CN", "en"], Chinese),
            (&["zho", ""], English),
        ];
        for (tags, language) in cases {
            assert_eq!(Language::of_desktop(tags.iter().copied()), *language, "{tags:?}");
        }
    }

    #[test]
    fn a_tag_leads_back_to_its_language() {
        for language in Language::ALL {
            assert_eq!(Language::of_tag(language.tag()), Some(language));
            assert_eq!(Language::deserialize(StrDeserializer::<Error>::new(language.tag())), Ok(language));
        }
        assert_eq!(Language::of_tag("fr"), None);
    }
}
