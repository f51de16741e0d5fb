//! Gives a SKILL.md another id, for a copy of a skill: its name, the id of `x-personal-mcp` and the addresses that it
//! publishes itself under change, and no other byte.

use text::Splice;

use crate::{document::Document, frontmatter::Frontmatter, said::said, yaml::Node};

/// Words that YAML 1.1 or 1.2 does not read as text.
pub(crate) const NO_TEXT: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// The file with the new name `id`, a kebab-case name. A file without a name is unchanged. `None` when its name
/// cannot be changed alone.
pub fn rename(file: &[u8], id: &str) -> Option<Vec<u8>> {
    let root = frontmatter(file);
    let named = root.entry("name").filter(|_| said(&root, "name").is_some());
    let mut splices: Vec<_> = named.map(|name| whole_value(file, name, id)).into_iter().collect();
    if let Some(block) = root.get("x-personal-mcp")
        && let Some(written @ (_, old)) = block.entry("id")
    {
        splices.push(whole_value(file, written, id));
        let addresses = block.get("capabilities").map_or(&[][..], Node::items);
        splices.extend(addresses.iter().filter_map(|address| moved(file, address, old.text()?, id)));
    }
    splices.sort_by_key(|splice| splice.start);
    let renamed = text::apply(file, &splices).ok()?;
    let holds = named.is_none() || said(&frontmatter(&renamed), "name") == Some(id);
    holds.then_some(renamed)
}

fn frontmatter(file: &[u8]) -> Node {
    Frontmatter::read(&Document::new(file)).root
}

/// Replaces a whole value, in any notation, by the id.
pub(crate) fn whole_value(file: &[u8], (key, value): &(Node, Node), id: &str) -> Splice {
    let plain = id.starts_with(|first: char| first.is_ascii_alphabetic()) && !NO_TEXT.contains(&id);
    let id = if plain { id.to_owned() } else { format!("\"{id}\"") };
    // A block of text starts with `>` or `|` before its own span, and ends with its last line.
    let mut between = file[key.span.end..value.span.start].iter().take_while(|byte| **byte != b'#');
    let header = between.position(|byte| matches!(byte, b'>' | b'|'));
    let start = header.map_or(value.span.start, |at| key.span.end + at);
    Splice::new(start..start + file[start..value.span.end].trim_ascii_end().len(), id)
}

/// Replaces the old id in an address.
fn moved(file: &[u8], address: &Node, old: &str, id: &str) -> Option<Splice> {
    let prefix = format!("resource://skills/{old}/");
    address.text()?.trim_start().strip_prefix(&prefix)?;
    let written = std::str::from_utf8(&file[address.span.clone()]).ok()?;
    let start = address.span.start + written.find(&prefix)? + "resource://skills/".len();
    Some(Splice::new(start..start + old.len(), id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    const TEA: &str = "---\r\n# mine\nname: 'tea'  # short\ndescription: Makes tea. Use for tea.\nx-personal-mcp:\n  \
        id: tea\n  version: 1.0.0\n  capabilities: [resource://skills/tea/document, \"resource://skills/tea/references/a\", \
        resource://catalog/skills]\n  references: {a: {path: references/tea.md}}\n---\ntea is tea\n";

    fn renamed(file: &str, id: &str) -> String {
        String::from_utf8(rename(file.as_bytes(), id).unwrap()).unwrap()
    }

    #[test]
    fn only_the_name_the_id_and_the_own_addresses_change() {
        let after = renamed(TEA, "coffee");
        let expected =
            TEA.replace("'tea'", "coffee").replace("id: tea", "id: coffee").replace("skills/tea/", "skills/coffee/");
        assert_eq!(after, expected);
        assert_eq!(read("coffee", after.as_bytes()).personal.unwrap().id, "coffee");
        assert_eq!(renamed(&after, "tea").replace("name: tea", "name: 'tea'"), TEA);
    }

    #[test]
    fn a_name_that_yaml_reads_otherwise_stands_in_quotes() {
        for id in ["null", "on", "2026-11-21", "7"] {
            let skill = read(id, renamed(TEA, id).as_bytes());
            assert_eq!(skill.name, id);
            assert!(!skill.problems.iter().any(|problem| problem.rule == "name-type"), "{id}");
        }
    }

    #[test]
    fn every_way_to_write_a_name_is_found() {
        for name in ["tea", "\"tea\"", ">-\n  tea", "|\n  tea", "&a tea", "My Tea", "a: b"] {
            let file = format!("---\nname: {name}\ndescription: Green.\n---\nBody\n");
            let after = renamed(&file, "coffee");
            assert_eq!(read("coffee", after.as_bytes()).name, "coffee", "{after}");
            assert!(after.ends_with("\ndescription: Green.\n---\nBody\n"), "{after}");
        }
    }

    #[test]
    fn a_file_without_a_name_keeps_its_bytes() {
        for file in ["", "# Tea\n", "---\ndescription: Green.\n---\n", "---\nname:\n---\n", "---\n- a\n---\n"] {
            assert_eq!(renamed(file, "coffee"), file);
        }
    }
}
