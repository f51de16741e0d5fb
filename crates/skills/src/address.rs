//! The URIs by which a catalog's skills and their files are reached: `skill://` (the MCP Skills
//! extension, SEP-2640) and `resource://` (seed 004).

use std::{fmt::Write as _, sync::Arc};

use crate::{Catalog, Entry, SkillPath};

const SKILL: &str = "skill://";

/// The URI of one file of a skill: `skill://<skill path>/<file>`, every segment percent-encoded.
pub fn skill_uri(entry: &Entry, path: &SkillPath) -> String {
    let mut uri = SKILL.to_owned();
    for byte in entry.skill_path().bytes().chain(*b"/").chain(path.as_str().bytes()) {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// The published file that a `skill://` URI names, in the innermost skill that holds it. The URI is
/// decoded once; one that leads anywhere else names nothing.
pub fn find_skill_file<'a>(catalog: &'a Catalog, uri: &str) -> Option<(&'a Arc<Entry>, SkillPath)> {
    let segments: Vec<String> = uri.strip_prefix(SKILL)?.split('/').map(decode).collect::<Option<_>>()?;
    (1..segments.len()).rev().find_map(|split| {
        let (skill, file) = segments.split_at(split);
        let entry = catalog.at(&skill.join("/"))?;
        let path = SkillPath::new(&file.join("/"))?;
        entry.files.iter().any(|file| file.path == path).then_some((entry, path))
    })
}

/// One segment without its percent-encoding; `None` where it is malformed, is not UTF-8, or hides a
/// slash.
fn decode(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let digits = after.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{File, Reading};

    fn catalog(skills: &[(&str, &[&str])]) -> Catalog {
        let entries = skills.iter().map(|(place, files)| {
            let id = place.rsplit('/').next().unwrap();
            let mut skill = crate::read(id, b"");
            skill.reading = Reading::Strict;
            skill.frontmatter = json!({"name": id, "description": "Something."}).as_object().unwrap().clone();
            let file = |path: &&str| File { path: SkillPath::new(path).unwrap(), size: 1, modified: 0 };
            Arc::new(Entry {
                skill: Arc::new(skill),
                folder: "one".into(),
                path: (*place).to_owned(),
                location: "/skills".into(),
                digest: String::new(),
                files: files.iter().map(file).collect(),
                enabled: true,
                shadowed_by: None,
            })
        });
        Catalog::new(entries.collect())
    }

    #[test]
    fn every_file_is_found_again_by_its_own_uri() {
        let names =
            ["SKILL.md", "references/a b.md", "50%.txt", "what?#.md", "r\u{e9}f\u{e9}rence.md", "a+b&c=d.md", "..x"];
        let catalog = catalog(&[("team/tea", &names)]);
        let entry = catalog.at("team/tea").unwrap();
        for file in entry.files.iter() {
            let uri = skill_uri(entry, &file.path);
            assert!(uri.is_ascii() && !uri.contains([' ', '?', '#']), "{uri}");
            assert_eq!(find_skill_file(&catalog, &uri).map(|(_, path)| path).as_ref(), Some(&file.path), "{uri}");
        }
    }

    #[test]
    fn a_file_of_a_nested_skill_belongs_to_the_innermost_one() {
        let catalog =
            catalog(&[("tea", &["SKILL.md", "green/SKILL.md", "green/only-outer.md"]), ("tea/green", &["SKILL.md"])]);
        let found = |uri| find_skill_file(&catalog, uri).map(|(entry, path)| (entry.skill_path(), path.to_string()));
        assert_eq!(found("skill://tea/green/SKILL.md"), Some(("tea/green", "SKILL.md".into())));
        assert_eq!(found("skill://tea/green/only-outer.md"), Some(("tea", "green/only-outer.md".into())));
    }

    #[test]
    fn a_uri_that_leads_out_or_is_malformed_names_nothing() {
        let catalog = catalog(&[("tea", &["SKILL.md", "a/b.md"])]);
        for uri in [
            "skill://tea",
            "skill://tea/",
            "skill://tea/a",
            "skill://tea/a%2Fb.md",
            "skill://tea/../tea/SKILL.md",
            "skill://tea/%2e%2e/tea/SKILL.md",
            "skill://tea/./SKILL.md",
            "skill://tea//SKILL.md",
            "skill://tea/SKILL.md/",
            "skill://tea/SKILL.md?x",
            "skill://tea/%",
            "skill://tea/%4",
            "skill://tea/%+4",
            "skill://tea/%ff",
            "skill://tea/%2553KILL.md",
            "skill:///SKILL.md",
            "SKILL://tea/SKILL.md",
            "resource://tea/SKILL.md",
            "",
        ] {
            assert!(find_skill_file(&catalog, uri).is_none(), "{uri}");
        }
        assert!(find_skill_file(&catalog, "skill://tea/%53KILL.md").is_some());
    }
}
