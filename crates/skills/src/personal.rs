//! The block `x-personal-mcp` of a frontmatter (seed 000): what the catalog and the
//! `resource://` addresses know of a skill beyond its name.
//!
//! The block is optional. Where it is there it holds as a whole or not at all; every field that
//! breaks the contract is a problem of its own. Capabilities that nobody serves and odd tags
//! cost the block nothing.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};
use text::Lines;

use crate::{
    Address, SkillPath, is_kebab_case,
    problem::{Fault, Spot},
    skill::said,
    typed,
    yaml::Node,
};

const BLOCK: &str = "x-personal-mcp";

/// A valid `x-personal-mcp` block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Personal {
    /// The skill's id; equal to its name and its folder.
    pub id: String,
    /// A semantic version.
    pub version: String,
    /// Kebab-case labels.
    pub tags: Vec<String>,
    /// The URIs that the skill says it publishes.
    pub capabilities: Vec<String>,
    /// Ids of other skills.
    pub depends_on: Vec<String>,
    /// Reference documents by their public id.
    pub references: BTreeMap<String, Reference>,
    /// Where each of `depends_on` stands, for what only the library knows.
    #[serde(skip)]
    pub(crate) depends_on_spots: Vec<Spot>,
}

impl Personal {
    /// Whether a URI is one that the skill publishes, or one of the library's.
    fn serves(&self, uri: &str) -> bool {
        match Address::parse(uri) {
            Some(Address::Document(id) | Address::Record(id)) => id == self.id,
            Some(Address::Reference(id, reference)) => id == self.id && self.references.contains_key(&reference),
            other => other.is_some(),
        }
    }
}

/// One reference document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// Where it stands in the skill, below `references/`.
    pub path: SkillPath,
    /// Its type; `text/markdown` unless the author says otherwise.
    pub mime_type: String,
    /// A label for people.
    pub title: Option<String>,
    /// The bytes of SKILL.md that say its path.
    #[serde(skip)]
    pub(crate) span: Range<usize>,
}

/// The block as written, before its rules are checked.
#[derive(Debug, Deserialize)]
struct Written {
    id: Option<String>,
    version: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    capabilities: Vec<String>,
    #[serde(default)]
    depends_on: Vec<String>,
    #[serde(default)]
    references: BTreeMap<String, WrittenReference>,
}

#[derive(Debug, Deserialize)]
struct WrittenReference {
    path: Option<String>,
    mime_type: Option<String>,
    title: Option<String>,
}

/// Reads the block of the skill in the folder `id`, and says what is wrong with it.
pub(crate) fn read(id: &str, file: &[u8], frontmatter: &Node, faults: &mut Vec<Fault>) -> Option<Personal> {
    let (key, block) = frontmatter.entry(BLOCK).filter(|(_, block)| !block.is_null())?;
    let written = match typed::read::<Written>("personal-block", file, block, BLOCK) {
        Ok(written) => written,
        Err(fault) => {
            faults.push(fault);
            return None;
        }
    };
    let mut contract = Contract { file, key, block, faults, holds: true };
    let personal = contract.personal(id, said(frontmatter, "name"), written);
    contract.holds.then_some(personal)
}

struct Contract<'n, 'f> {
    file: &'n [u8],
    key: &'n Node,
    block: &'n Node,
    faults: &'f mut Vec<Fault>,
    holds: bool,
}

impl Contract<'_, '_> {
    fn personal(&mut self, folder: &str, name: Option<&str>, written: Written) -> Personal {
        let id = self.required("id", written.id);
        if !id.is_empty() && !is_id(&id) {
            self.wrong(&["id"], "must be lowercase letters, digits and single hyphens, and start with a letter");
        } else if !id.is_empty() && (id != folder || name.is_some_and(|name| name.trim() != id)) {
            self.wrong(&["id"], "must equal the skill's name and its folder's name");
        }
        let version = self.required("version", written.version);
        if !version.is_empty() && !is_semantic_version(&version) {
            self.wrong(&["version"], "must be a semantic version such as `1.2.0`");
        }
        let (tags, depends_on) = (trimmed(written.tags), trimmed(written.depends_on));
        if tags.iter().any(|tag| !is_kebab_case(tag)) {
            self.odd("personal-tags", &["tags"], "should be lowercase words joined by hyphens");
        }
        if depends_on.iter().any(|skill| !is_id(skill)) {
            self.wrong(&["depends_on"], "must hold the ids of skills, which are lowercase words joined by hyphens");
        }
        let references = written.references.into_iter();
        let references = references.filter_map(|(id, written)| self.reference(id, written)).collect();
        let depends_on_spots = self.spots("depends_on");
        let capabilities = trimmed(written.capabilities);
        let personal = Personal { id, version, tags, capabilities, depends_on, references, depends_on_spots };
        self.capabilities(&personal);
        personal
    }

    fn required(&mut self, field: &str, value: Option<String>) -> String {
        let value = value.unwrap_or_default().trim().to_owned();
        if value.is_empty() {
            self.wrong(&[field], "is required");
        }
        value
    }

    fn reference(&mut self, id: String, written: WrittenReference) -> Option<(String, Reference)> {
        if !is_id(&id) {
            self.wrong(&["references", &id], "must have a key of lowercase words joined by hyphens");
        }
        let path = written.path.unwrap_or_default();
        let markdown = |path: &SkillPath| path.as_str().to_ascii_lowercase().ends_with(".md");
        let below = |path: &SkillPath| path.as_str().starts_with("references/") && markdown(path);
        let Some(path) = SkillPath::new(path.trim()).filter(below) else {
            self.wrong(
                &["references", &id, "path"],
                "must be the path of a Markdown file below `references/` in the skill's folder",
            );
            return None;
        };
        let text = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let mime_type = text(written.mime_type).unwrap_or_else(|| "text/markdown".to_owned());
        let written_path = self.block.get("references").and_then(|all| all.get(&id)).and_then(|one| one.get("path"));
        let span = written_path.map_or(&self.key.span, |path| &path.span).clone();
        Some((id, Reference { path, mime_type, title: text(written.title), span }))
    }

    /// Where the items of a list stand.
    fn spots(&self, field: &str) -> Vec<Spot> {
        let items = self.block.get(field).map(Node::items).unwrap_or_default();
        if items.is_empty() {
            return Vec::new();
        }
        let lines = Lines::new(self.file);
        items.iter().map(|item| Spot { span: item.span.clone(), place: lines.place(item.span.start) }).collect()
    }

    fn capabilities(&mut self, personal: &Personal) {
        let document = Address::Document(personal.id.clone());
        if !personal.id.is_empty() && !personal.capabilities.contains(&document.to_string()) {
            self.wrong(&["capabilities"], &format!("must include `{document}`"));
        }
        if !self.holds {
            return;
        }
        for uri in personal.capabilities.iter().filter(|uri| !personal.serves(uri)) {
            self.odd("personal-capability", &["capabilities"], &format!("names `{uri}`, which is not served"));
        }
    }

    fn wrong(&mut self, path: &[&str], what: &str) {
        self.holds = false;
        self.odd("personal-block", path, what);
    }

    /// Says what is wrong with the field at `path`, at the deepest place of it that is there.
    fn odd(&mut self, rule: &'static str, path: &[&str], what: &str) {
        let mut span = &self.key.span;
        let mut node = Some(self.block);
        for name in path {
            let entry = node.and_then(|node| node.entry(name));
            span = entry.map_or(span, |(key, value)| if value.entries().is_empty() { &value.span } else { &key.span });
            node = entry.map(|(_, value)| value);
        }
        let field = format!("{BLOCK}.{}", path.join("."));
        self.faults.push(Fault::new(rule, span.clone(), format!("`{field}` {what}.")).about(field));
    }
}

fn trimmed(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| text.trim().to_owned()).collect()
}

/// An id that both seed 000 and the specification take.
fn is_id(text: &str) -> bool {
    is_kebab_case(text) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

/// `major.minor.patch` without leading zeros, then anything after a `-` or `+`.
fn is_semantic_version(text: &str) -> bool {
    let (numbers, rest) = text.find(['-', '+']).map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    let number = |text: &str| {
        text == "0" || !text.is_empty() && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit())
    };
    let numbers: Vec<_> = numbers.split('.').collect();
    numbers.len() == 3
        && numbers.iter().all(|text| number(text))
        && rest.is_none_or(|rest| {
            !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+'))
        })
}

#[cfg(test)]
mod tests {
    use crate::{Skill, read};

    const GOOD: &str = "  id: tea
  version: 1.2.0
  tags: [hot-drinks]
  capabilities:
    - resource://skills/tea/document
    - resource://skills/tea/references/guide
  depends_on: [kettle]
  references:
    guide:
      path: references/guide.md
      title: The guide
";

    fn tea(block: &str) -> Skill {
        read("tea", format!("---\nname: tea\ndescription: Makes tea.\nx-personal-mcp:\n{block}---\n").as_bytes())
    }

    /// The fields and messages of the problems after one change of the good block.
    fn after(from: &str, to: &str) -> Vec<String> {
        assert!(GOOD.contains(from));
        let skill = tea(&GOOD.replace(from, to));
        let errors = skill.problems.iter().any(|problem| problem.rule == "personal-block");
        assert_eq!(skill.personal.is_none(), errors, "{:?}", skill.problems);
        skill.problems.iter().map(|problem| format!("{} {}", problem.place, problem.message)).collect()
    }

    #[test]
    fn a_good_block_is_read_whole() {
        let skill = tea(GOOD);
        assert_eq!(skill.problems, []);
        let personal = skill.personal.unwrap();
        assert_eq!((personal.version.as_str(), personal.tags.len()), ("1.2.0", 1));
        let guide = &personal.references["guide"];
        assert_eq!((guide.path.as_str(), guide.mime_type.as_str()), ("references/guide.md", "text/markdown"));
    }

    #[test]
    fn every_field_is_held_to_the_contract_at_its_place() {
        let said = |from, to| after(from, to).join("\n");
        assert_eq!(said("  id: tea\n", ""), "4:1 `x-personal-mcp.id` is required.");
        assert!(said("id: tea", "id: coffee").starts_with("5:7 `x-personal-mcp.id` must equal"));
        assert!(said("id: tea", "id: 3tea").starts_with("5:7 `x-personal-mcp.id` must be lowercase letters"));
        assert!(said("1.2.0", "1.2").starts_with("6:12 `x-personal-mcp.version` must be a semantic version"));
        assert!(said("hot-drinks", "Hot Drinks").starts_with("7:9 `x-personal-mcp.tags` should be"));
        assert!(
            said("skills/tea/document", "skills/tea/doc").contains("must include `resource://skills/tea/document`")
        );
        assert!(said("references/guide\n", "references/map\n").contains("which is not served"));
        assert!(said("[kettle]", "[The Kettle]").starts_with("11:15 `x-personal-mcp.depends_on` must hold the ids"));
    }

    #[test]
    fn rejects_a_reference_that_leaves_the_skill_folder() {
        for path in
            ["../guide.md", "references/../../guide.md", "/references/guide.md", "guide.md", "references/guide.txt"]
        {
            let said = after("references/guide.md", path);
            assert!(said[0].starts_with("14:13 `x-personal-mcp.references.guide.path` must be the path"), "{said:?}");
        }
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_named() {
        let said = after("tags: [hot-drinks]", "tags: {a: b}");
        assert!(
            said[0].starts_with("7:9 `x-personal-mcp.tags") && said[0].contains("does not belong there"),
            "{said:?}"
        );
        assert!(after("1.2.0", "&v 1.2.0")[0].contains("anchors"));
        assert!(after("  id: tea", "  id: tea\n  id: tea").iter().any(|said| said.contains("no key twice")));
    }

    #[test]
    fn versions_are_semantic() {
        for version in ["0.0.0", "1.2.3-rc.1", "10.20.30+build.5", "1.0.0-a+b"] {
            assert!(super::is_semantic_version(version), "{version}");
        }
        for version in ["1", "1.2", "01.2.3", "1.2.3.4", "v1.2.3", "1.2.3-", "1.2.x", ""] {
            assert!(!super::is_semantic_version(version), "{version}");
        }
    }
}
