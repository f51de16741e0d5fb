//! Adds and removes tags, in the notation that the file uses: only the bytes of the tags change.
//!
//! The result is read again, and taken only if it has exactly the wanted tags and differs in nothing else.

use text::Splice;

use crate::{
    document::Document,
    frontmatter::Frontmatter,
    name::is_kebab_case,
    read,
    repair::quoted,
    skill::{Reading, Skill},
    yaml::{Node, grow},
};

/// The most characters of a tag.
const LONGEST: usize = 64;

const BLOCK: &str = "x-personal-mcp";

/// Why the tags of a skill are not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Untagged {
    /// This is no tag.
    #[error("A tag is one line of at most 64 characters without a comma.")]
    NoTag,
    /// The block `x-personal-mcp` takes only lowercase words joined by hyphens.
    #[error("A tag of this skill is lowercase words joined by hyphens, such as `to-read`.")]
    NotKebab,
    /// The frontmatter has a fault.
    #[error("Its frontmatter has a fault. Put that right first.")]
    Broken,
    /// The tags are not written as a list.
    #[error("Its tags are not written as a list, so they are left as they are.")]
    Unclear,
}

/// The SKILL.md in the folder `id` with these tags added and those removed. What it has or lacks already is left alone;
/// without any change, the bytes are the same.
///
/// # Errors
/// When the tags cannot be changed by themselves.
pub fn tag(id: &str, file: &[u8], add: &[String], remove: &[String]) -> Result<Vec<u8>, Untagged> {
    let is_tag = |tag: &String| {
        let clean = !tag.is_empty() && tag.trim() == tag && tag.chars().count() <= LONGEST;
        clean && !tag.contains(|c: char| c == ',' || c.is_control())
    };
    if !add.iter().chain(remove).all(is_tag) {
        return Err(Untagged::NoTag);
    }
    let before = read(id, file);
    if before.reading != Reading::Strict {
        return Err(Untagged::Broken);
    }
    if before.personal.is_some() && !add.iter().all(|tag| is_kebab_case(tag)) {
        return Err(Untagged::NotKebab);
    }
    let mut bytes = file.to_vec();
    for tag in remove {
        while let Some(splice) = without(&bytes, &read(id, &bytes), tag)? {
            bytes = text::apply(&bytes, &[splice]).map_err(|_| Untagged::Unclear)?;
        }
    }
    for tag in add {
        let now = read(id, &bytes);
        if now.tags().contains(&tag.as_str()) {
            continue;
        }
        let splice = with(&bytes, &now, tag).ok_or(Untagged::Unclear)?;
        bytes = text::apply(&bytes, &[splice]).map_err(|_| Untagged::Unclear)?;
    }
    let mut wanted: Vec<&str> =
        before.tags().into_iter().filter(|tag| !remove.iter().any(|gone| gone == tag)).collect();
    for tag in add {
        if !wanted.contains(&tag.as_str()) {
            wanted.push(tag);
        }
    }
    let after = read(id, &bytes);
    let holds = after.tags() == wanted && after.reading == Reading::Strict && rest(&after) == rest(&before);
    if holds { Ok(bytes) } else { Err(Untagged::Unclear) }
}

/// The frontmatter without the tags.
fn rest(skill: &Skill) -> serde_json::Map<String, serde_json::Value> {
    let mut all = skill.frontmatter();
    if skill.personal.is_none() {
        all.remove("tags");
    } else if let Some(block) = all.get_mut(BLOCK).and_then(serde_json::Value::as_object_mut) {
        block.remove("tags");
    }
    all
}

/// The mapping that holds the tags.
fn holder(file: &[u8], skill: &Skill) -> Node {
    let root = Frontmatter::read(&Document::new(file)).root;
    let block = skill.personal.is_some().then(|| root.get(BLOCK).cloned()).flatten();
    block.unwrap_or(root)
}

/// Removes one tag, with its comma or its line; `None` when it is not there.
fn without(file: &[u8], skill: &Skill, tag: &str) -> Result<Option<Splice>, Untagged> {
    if !skill.tags().contains(&tag) {
        return Ok(None);
    }
    let holder = holder(file, skill);
    let (key, list) = holder.entry("tags").ok_or(Untagged::Unclear)?;
    let is_it = |item: &&Node| item.text().map(str::trim) == Some(tag);
    let item = list.items().iter().find(is_it).ok_or(Untagged::Unclear)?;
    // With its last tag, a list of lines goes as a whole.
    let whole = list.items().len() == 1 && !is_flow(file, list);
    let part = if whole { key.span.start..list.span.end } else { item.span.clone() };
    grow::without(file, if whole { &holder } else { list }, part).map(Some).ok_or(Untagged::Unclear)
}

/// Adds one tag behind the others; `None` when the tags are written in no way that can be added to.
fn with(file: &[u8], skill: &Skill, tag: &str) -> Option<Splice> {
    let holder = holder(file, skill);
    let tag = if is_kebab_case(tag) && reads_as_itself(tag) { tag.to_owned() } else { quoted(tag) };
    match holder.entry("tags") {
        // In front of the last key, whose value may be longer than its line.
        None => grow::before(file, &holder, &holder.entries().last()?.0, "tags", &format!("[{tag}]")),
        Some((key, empty)) if empty.is_null() => {
            let colon = key.span.end + file[key.span.end..].iter().position(|byte| *byte == b':')? + 1;
            Some(Splice::insert(colon, format!(" [{tag}]")))
        }
        Some((_, list)) => grow::last_item(file, list, &tag),
    }
}

fn is_flow(file: &[u8], list: &Node) -> bool {
    file.get(list.span.start) == Some(&b'[')
}

/// Whether YAML reads a word as text.
fn reads_as_itself(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && !crate::rename::NO_TEXT.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(frontmatter: &str, add: &[&str], remove: &[&str]) -> Result<String, Untagged> {
        let file = format!("---\nname: tea\ndescription: Makes tea. Use for tea.\n{frontmatter}---\ntags: body\n");
        let owned = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let after = tag("tea", file.as_bytes(), &owned(add), &owned(remove))?;
        let after = String::from_utf8(after).unwrap();
        let (head, tail) = ("---\nname: tea\n", "---\ntags: body\n");
        Ok(after.strip_prefix(head).unwrap().strip_suffix(tail).unwrap().to_owned())
    }

    fn changed(frontmatter: &str, add: &[&str], remove: &[&str]) -> String {
        let after = tagged(frontmatter, add, remove).unwrap();
        after.replacen("description: Makes tea. Use for tea.\n", "", 1)
    }

    #[test]
    fn tags_are_added_and_removed_in_the_notation_of_the_file() {
        for (before, add, remove, after) in [
            ("tags: [a, b]  # mine\n", &["c"][..], &[][..], "tags: [a, b, c]  # mine\n"),
            ("tags: [a, b]\n", &["a"], &[], "tags: [a, b]\n"),
            ("tags: [a, b]\n", &[], &["a"], "tags: [b]\n"),
            ("tags: [a, b]\n", &[], &["b", "x"], "tags: [a]\n"),
            ("tags: [a]\n", &[], &["a"], "tags: []\n"),
            ("tags: []\n", &["a"], &[], "tags: [a]\n"),
            ("tags:\nlicense: MIT\n", &["a"], &[], "tags: [a]\nlicense: MIT\n"),
            ("tags:\n  - a  # first\n  - \"b\"\n", &["c"], &[], "tags:\n  - a  # first\n  - \"b\"\n  - c\n"),
            ("tags:\n- a\n- b\nlicense: MIT\n", &[], &["a"], "tags:\n- b\nlicense: MIT\n"),
            ("tags:\n- a\nlicense: MIT\n", &["b"], &["a"], "license: MIT\n"),
            ("tags: [a]\n", &["on", "Zu lesen"], &[], "tags: [a, \"on\", \"Zu lesen\"]\n"),
        ] {
            // With the last tag of a block gone, a new one gets a new list.
            let after = if after == "license: MIT\n" { "tags: [b]\nlicense: MIT\n" } else { after };
            assert_eq!(changed(before, add, remove), after, "{before:?} +{add:?} -{remove:?}");
        }
    }

    #[test]
    fn a_skill_without_tags_gets_a_list_and_loses_it_again() {
        let with = tagged("", &["a"], &[]).unwrap();
        assert_eq!(with, "tags: [a]\ndescription: Makes tea. Use for tea.\n");
        assert_eq!(changed("metadata:\n  author: me\n", &["a"], &[]), "tags: [a]\nmetadata:\n  author: me\n");
        assert_eq!(changed("", &[], &["a"]), "");
    }

    #[test]
    fn the_tags_of_the_own_block_are_those_that_count() {
        let capabilities = "  capabilities: [resource://skills/tea/document]\n";
        let block = |tags: &str| format!("x-personal-mcp:\n  id: tea\n{capabilities}{tags}  version: 1.0.0\n");
        assert_eq!(changed(&block(""), &["a"], &[]), block("  tags: [a]\n"));
        assert_eq!(changed(&block("  tags: [a]\n"), &["b"], &["a"]), block("  tags: [b]\n"));
        assert_eq!(tagged(&block(""), &["Not Kebab"], &[]), Err(Untagged::NotKebab));
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        let file = "---\r\nname: tea\r\ndescription: Makes tea.\r\ntags:\r\n  - a\r\n---\r\nBoil.\r\n";
        let after = tag("tea", file.as_bytes(), &["b".to_owned()], &[]).unwrap();
        assert_eq!(String::from_utf8(after).unwrap(), file.replace("- a\r\n", "- a\r\n  - b\r\n"));
    }

    #[test]
    fn what_is_no_list_broken_or_no_tag_is_left_alone() {
        assert_eq!(tagged("tags: a, b\n", &["c"], &[]), Err(Untagged::Unclear));
        assert_eq!(tagged("tags: {a: b}\n", &["c"], &[]), Err(Untagged::Unclear));
        assert_eq!(tagged("tags: [a\n", &["c"], &[]), Err(Untagged::Broken));
        for odd in ["", " a", "a,b", "a\nb", &"x".repeat(65)] {
            assert_eq!(tagged("", &[odd], &[]), Err(Untagged::NoTag), "{odd:?}");
        }
    }
}
