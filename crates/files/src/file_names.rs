//! Which file names mean the same on every supported system, and can be told apart there.

/// Names that Windows reserves for devices, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];
/// Names that it reserves when a digit follows.
const NUMBERED: &[&str] = &["com", "lpt"];
/// The maximum length of a file name, in bytes.
const LONGEST: usize = 255;

/// Whether Windows reserves this name for a device.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let numbered = |prefix: &str| {
        let number = stem.strip_prefix(prefix).map(|rest| rest.chars().collect::<Vec<_>>());
        number.is_some_and(|number| matches!(number[..], ['0'..='9' | '¹' | '²' | '³']))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(|prefix| numbered(prefix))
}

/// Why a file or folder cannot have this name everywhere, as the rest of a sentence.
pub fn trouble(name: &str) -> Option<&'static str> {
    // They make one name look like another.
    let turns_text = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if matches!(name, "" | "." | "..") {
        Some("leads out of the skill")
    } else if name.contains(['\\', ':']) {
        Some("holds a character that leads elsewhere on Windows")
    } else if name.contains(['<', '>', '"', '|', '?', '*']) {
        Some("holds a character that Windows does not allow")
    } else if name.contains(char::is_control) || name.contains(turns_text) {
        Some("holds an invisible character")
    } else if name.ends_with(['.', ' ']) {
        Some("ends with a dot or a blank, which Windows takes away")
    } else if is_device(name) {
        Some("is one that Windows keeps for a device")
    } else if name.len() > LONGEST {
        Some("is too long")
    } else {
        None
    }
}

/// The form that is equal for two names that differ only in case.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_something_else_somewhere_are_known() {
        for name in [
            "",
            ".",
            "..",
            "a\\b",
            "C:",
            "a:b",
            "a?",
            "a*",
            "a|b",
            "a<b",
            "\"",
            "a\n",
            "a\0",
            "a\u{202e}b",
            "a.",
            "a ",
            "con",
            "CON",
            "Con.txt",
            "nul .md",
            "com1",
            "COM9.tar.gz",
            "lpt\u{b9}",
            "aux.",
            "conin$",
        ] {
            assert!(trouble(name).is_some(), "{name:?}");
        }
        assert!(trouble(&"a".repeat(256)).is_some());
    }

    #[test]
    fn usual_names_are_fine() {
        for name in ["SKILL.md", ".hidden", "...a", "résumé.md", "console", "com", "com10", "nullable", "技能", "a b"]
        {
            assert_eq!(trouble(name), None, "{name}");
        }
    }
}
