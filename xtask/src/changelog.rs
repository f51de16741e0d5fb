//! CHANGELOG.md as packages and releases tell it: the notes of a version, each an item of one line, and its day.

use std::{env, fs, process::Command};

use crate::{
    paths,
    step::{Done, Failed, output_of},
};

/// One version's section.
pub(crate) struct Section {
    /// `0.1.0`, or `Unreleased`.
    pub(crate) title: String,
    /// The day behind the title (`2026-12-01`); none while unreleased.
    pub(crate) day: Option<String>,
    /// The section's text, without its heading.
    pub(crate) text: String,
}

/// Every section, the newest first.
pub(crate) fn read() -> Done<Vec<Section>> {
    fs::read_to_string(paths::root().join("CHANGELOG.md")).map(|text| sections(&text)).map_err(Failed::because)
}

fn sections(text: &str) -> Vec<Section> {
    let text = format!("\n{text}");
    let section = |section: &str| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        let (title, day) = match heading.split_once(" - ") {
            Some((title, day)) => (title, Some(day.trim().to_owned())),
            None => (heading, None),
        };
        Section { title: title.trim().to_owned(), day, text: text.trim().to_owned() }
    };
    text.split("\n## ").skip(1).map(section).collect()
}

impl Section {
    /// The items of the section, each on one line and without marks of Markdown.
    pub(crate) fn items(&self) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for line in self.text.lines() {
            if let Some(item) = line.strip_prefix("- ") {
                items.push(item.to_owned());
            } else if let (Some(more), Some(last)) = (line.strip_prefix("  "), items.last_mut()) {
                *last = format!("{last} {}", more.trim());
            }
        }
        items.iter().map(|item| item.replace(['`', '*'], "")).collect()
    }
}

/// The section of a version, or of what is not released yet.
pub(crate) fn of(version: &str, sections: Vec<Section>) -> Done<Section> {
    let mut sections: Vec<_> =
        sections.into_iter().filter(|section| section.title != "Unreleased" || !section.text.is_empty()).collect();
    let place = sections
        .iter()
        .position(|section| section.title == version)
        .or_else(|| sections.iter().position(|section| section.title == "Unreleased"));
    let place = place.ok_or_else(|| Failed(format!("CHANGELOG.md says nothing of {version}.")))?;
    Ok(sections.swap_remove(place))
}

/// The day of this source, for a version that has none yet: so that a package built again is the same.
pub(crate) fn day_of_the_source() -> Done<String> {
    let told = env::var("SOURCE_DATE_EPOCH").ok();
    let told =
        told.and_then(|seconds| output_of(Command::new("date").args(["-u", "+%F", "-d", &format!("@{seconds}")])));
    let commit = || output_of(Command::new("git").args(["log", "-1", "--format=%cs"]).current_dir(paths::root()));
    told.or_else(commit)
        .ok_or_else(|| Failed("Neither SOURCE_DATE_EPOCH nor git says of which day this is.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Changelog\n\nWords.\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### New\n\n- One `thing`,\n  in two lines.\n- *Another*.\n\n## 0.1.0 - 2026-11-01\n\n- First.\n";

    #[test]
    fn a_version_has_its_day_and_its_items_in_one_line_each() {
        let section = of("0.2.0", sections(TEXT)).unwrap();
        assert_eq!(section.day.as_deref(), Some("2026-12-01"));
        assert_eq!(section.items(), ["One thing, in two lines.", "Another."]);
    }

    #[test]
    fn a_version_without_a_section_is_what_is_unreleased_or_nothing() {
        assert!(of("0.3.0", sections(TEXT)).is_err(), "the unreleased section is empty");
        let text = TEXT.replace("## Unreleased\n", "## Unreleased\n\n- Next.\n");
        assert_eq!(of("0.3.0", sections(&text)).unwrap().items(), ["Next."]);
    }

    #[test]
    fn our_own_changelog_has_a_section_for_this_version() {
        assert!(!of(env!("CARGO_PKG_VERSION"), read().unwrap()).unwrap().items().is_empty());
    }
}
