//! Who updates this program, where that is neither the app itself nor a person with our own package.
//!
//! A packer says so at run time, by a file beside the starter skills (`lib/Skilltender/updated-by`), or when they build
//! it. And a deb or an rpm that was unpacked on a system of another kind is that system's packer's work, whatever the
//! program says it was packed as.

#[cfg(feature = "updater")]
use std::{fs, path::Path};

/// The name of a packer's mark, in the folder that our own packages call `lib/Skilltender`.
const MARK: &str = "updated-by";

/// The longest text of a mark that is shown.
const LONGEST: usize = 200;

/// What a packer's mark says, as a sentence.
pub(super) fn said() -> Option<String> {
    let programs = std::env::current_exe().ok()?;
    let text = std::fs::read_to_string(programs.parent()?.parent()?.join("lib/Skilltender").join(MARK)).ok()?;
    sentence(&text)
}

/// The sentence of a mark: its first line, which names who or what updates this program.
fn sentence(mark: &str) -> Option<String> {
    let line = mark.lines().next()?.trim().trim_end_matches('.');
    let line: String = line.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    (!line.is_empty()).then(|| format!("This Skilltender is updated by {line}."))
}

/// The system that packages are installed into, by what it says of itself.
#[cfg(feature = "updater")]
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct System {
    /// Its name for people.
    pub(super) name: String,
    /// Its own id, and those of the systems that it is like (`ID` and `ID_LIKE` of os-release).
    ids: Vec<String>,
    /// Whether the system is an image that is replaced as a whole, by OSTree.
    pub(super) is_image: bool,
}

#[cfg(feature = "updater")]
impl System {
    /// This one.
    pub(super) fn here() -> Self {
        let said = ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| fs::read_to_string(path).ok());
        Self::of(&said.unwrap_or_default(), Path::new("/run/ostree-booted").exists())
    }

    /// The one with this text in its os-release.
    pub(super) fn of(os_release: &str, is_image: bool) -> Self {
        let value = |name: &str| {
            let mut pairs = os_release.lines().filter_map(|line| line.trim().split_once('='));
            let found = pairs.find(|(key, _)| *key == name).map(|(_, value)| value.trim_matches(['"', '\'']));
            found.unwrap_or_default().to_owned()
        };
        let ids = format!("{} {}", value("ID"), value("ID_LIKE")).to_lowercase();
        let ids: Vec<_> = ids.split_whitespace().map(str::to_owned).collect();
        let names = [value("PRETTY_NAME"), value("NAME"), "this system".to_owned()];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        Self { name, ids, is_image }
    }

    /// Whether it is one of these, or like one.
    pub(super) fn is_like(&self, known: &[&str]) -> bool {
        self.ids.iter().any(|id| known.contains(&id.as_str()))
    }

    /// Whether it says nothing of itself.
    pub(super) fn is_unknown(&self) -> bool {
        self.ids.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packers_mark_is_one_line_that_says_who_updates_it() {
        let said = |mark: &str| sentence(mark);
        let arch = "your package manager, with the AUR's other packages: `yay -Syu`\n";
        assert_eq!(
            said(arch).unwrap(),
            "This Skilltender is updated by your package manager, with the AUR's other packages: `yay -Syu`."
        );
        assert_eq!(said("Ada.\nAnd more"), Some("This Skilltender is updated by Ada.".to_owned()));
        assert_eq!(said("a\u{1b}[31mb"), Some("This Skilltender is updated by a[31mb.".to_owned()));
        assert_eq!((said(""), said(" \n x")), (None, None));
        assert!(said(&"x".repeat(10_000)).unwrap().len() < 300);
    }
}
