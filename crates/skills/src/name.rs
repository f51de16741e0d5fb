//! Names of skills, tags and references.

/// The most characters of a name.
pub(crate) const MOST_CHARACTERS: usize = 64;

/// Whether a name is valid by the Agent Skills specification: 1 to 64 of `a-z`, `0-9` and `-`, without a hyphen at an
/// end or two in a row.
pub fn is_kebab_case(name: &str) -> bool {
    name.len() <= MOST_CHARACTERS
        && name
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// `text` as a kebab-case name; `None` when no character of it can be kept.
pub(crate) fn kebab_case(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    is_kebab_case(&name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_lowercase_words_joined_by_single_hyphens() {
        for name in ["a", "3d-print", "release-notes", &"a".repeat(64)] {
            assert!(is_kebab_case(name), "{name}");
        }
        for name in ["", "A", "a_b", "a b", "-a", "a-", "a--b", "ä", &"a".repeat(65)] {
            assert!(!is_kebab_case(name), "{name}");
        }
    }

    #[test]
    fn a_name_for_people_becomes_one_for_programs() {
        assert_eq!(kebab_case("My Fancy_Skill!").as_deref(), Some("my-fancy-skill"));
        assert_eq!(kebab_case("навык"), None);
    }
}
