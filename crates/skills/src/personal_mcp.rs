//! The block `x-personal-mcp` of a frontmatter (the frontmatter contract): what the catalog and the `resource://`
//! addresses say about a skill besides its name.
//!
//! The block is optional, and valid as a whole or not at all; every field that breaks the contract is a separate
//! problem. Capabilities that are not served and odd tags do not invalidate the block.

mod contract;

use std::{collections::BTreeMap, ops::Range};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::contract::Contract;
use crate::{
    Address, SkillPath,
    problem::{Fault, Spot},
    said::said,
    schema::{Capabilities, ID, Id, Label, ReferencePath, Text, Version},
    typed,
    yaml::Node,
};

const BLOCK: &str = "x-personal-mcp";

/// The keys of the block.
const KEYS: &[&str] = &["id", "version", "tags", "capabilities", "depends_on", "references"];

/// The keys of a reference.
const REFERENCE_KEYS: &[&str] = &["path", "mime_type", "title"];

/// A valid `x-personal-mcp` block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonalMcp {
    /// The skill's id; equal to its name and its folder.
    pub id: String,
    /// A semantic version.
    pub version: String,
    /// Kebab-case labels.
    pub tags: Vec<String>,
    /// The URIs that the skill declares.
    pub capabilities: Vec<String>,
    /// Ids of other skills.
    pub depends_on: Vec<String>,
    /// Reference documents by their public id.
    pub references: BTreeMap<String, Reference>,
    /// The place of each item of `depends_on`, for problems that only the library can find.
    #[serde(skip)]
    pub(crate) depends_on_spots: Vec<Spot>,
}

impl PersonalMcp {
    /// Whether a URI is served: the skill's own, or one of the library's.
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
    /// Its path in the skill, below `references/`.
    pub path: SkillPath,
    /// Its MIME type; `text/markdown` by default.
    pub mime_type: String,
    /// A label for people.
    pub title: Option<String>,
    /// The bytes of SKILL.md that hold its path.
    #[serde(skip)]
    pub(crate) span: Range<usize>,
}

/// The block as written, before its rules are checked.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Written {
    /// The skill's id: its name and its folder's name.
    #[schemars(with = "Id")]
    id: Option<String>,
    /// The skill's version, a semantic one.
    #[schemars(with = "Version")]
    version: Option<String>,
    /// Labels: lowercase words joined by hyphens.
    #[serde(default)]
    #[schemars(with = "Option<Vec<Label>>", !default)]
    tags: Vec<String>,
    /// The addresses that the skill publishes, that of its document among them.
    #[serde(default)]
    #[schemars(with = "Capabilities", !default)]
    capabilities: Vec<String>,
    /// The ids of other skills that this one builds on.
    #[serde(default)]
    #[schemars(with = "Option<Vec<Id>>", !default)]
    depends_on: Vec<String>,
    /// Reference documents, by their public ids.
    #[serde(default)]
    #[schemars(with = "Option<BTreeMap<String, WrittenReference>>",
        !default, extend("propertyNames" = { "pattern": ID, "maxLength": 64 }))]
    references: BTreeMap<String, WrittenReference>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct WrittenReference {
    /// A Markdown file below `references/` in the skill's folder.
    #[schemars(with = "ReferencePath")]
    path: Option<String>,
    /// Its type; `text/markdown` where nothing is said.
    #[schemars(with = "Option<Text>")]
    mime_type: Option<String>,
    /// Its title, for people.
    #[schemars(with = "Option<Text>")]
    title: Option<String>,
}

/// Reads the block of the skill in the folder `id`, and reports its faults.
pub(crate) fn read(id: &str, file: &[u8], frontmatter: &Node, faults: &mut Vec<Fault>) -> Option<PersonalMcp> {
    let (key, block) = frontmatter.entry(BLOCK).filter(|(_, block)| !block.is_null())?;
    let written = match typed::read::<Written>("personal-block", file, block, BLOCK) {
        Ok(written) => written,
        Err(fault) => {
            faults.push(contract::listed(block, fault));
            return None;
        }
    };
    faults.extend(typed::unknown_keys("personal-key", block, KEYS, BLOCK));
    for (id, reference) in block.get("references").map(Node::entries).unwrap_or_default() {
        let field = format!("{BLOCK}.references.{}", id.text().unwrap_or_default());
        faults.extend(typed::unknown_keys("personal-key", reference, REFERENCE_KEYS, &field));
    }
    let name = said(frontmatter, "name").map(str::trim);
    Contract { file, folder: id, name, key, block, faults, holds: true }.personal(written)
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
    fn a_key_that_nobody_reads_is_said() {
        assert_eq!(after("  tags:", "  tag:")[0], "7:3 `x-personal-mcp` has no key `tag`. Did you mean `tags`?");
        let said = after("      title: The guide", "      title: The guide\n      owner: zoe").remove(0);
        assert!(said.contains("`x-personal-mcp.references.guide` has no key `owner`, so it is ignored"), "{said}");
        assert!(after("  version: 1.2.0", "  version: 1.2.0\n  license: MIT")[0].contains("has no key `license`"));
    }

    #[test]
    fn every_field_is_held_to_the_contract_at_its_place() {
        let said = |from, to| after(from, to).join("\n");
        assert_eq!(said("  id: tea\n", ""), "4:1 `x-personal-mcp.id` is required.");
        assert!(said("id: tea", "id: coffee").starts_with("5:7 `x-personal-mcp.id` must equal"));
        assert!(said("id: tea", "id: 3tea").starts_with("5:7 `x-personal-mcp.id` must be lowercase letters"));
        assert!(said("1.2.0", "1.2").starts_with("6:12 `x-personal-mcp.version` must be a semantic version"));
        assert!(said("hot-drinks", "Hot Drinks").starts_with("7:10 `x-personal-mcp.tags[0]` should be"));
        assert!(
            said("skills/tea/document", "skills/tea/doc").contains("must include `resource://skills/tea/document`")
        );
        assert!(said("references/guide\n", "references/map\n").contains("which is not served"));
        assert!(said("[kettle]", "[The Kettle]").starts_with("11:16 `x-personal-mcp.depends_on[0]` must be the id"));
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
        assert!(after("  id: tea", "  id: tea\n  id: tea").iter().any(|said| said.contains("no duplicate keys")));
    }

    #[test]
    fn a_field_without_a_value_may_end_the_block() {
        let skill = tea(&format!("{}  tags:\n", GOOD.replace("  tags: [hot-drinks]\n", "")));
        assert_eq!(skill.problems, []);
        assert_eq!(skill.personal.map(|personal| personal.tags), Some(Vec::new()));
    }

    #[test]
    fn versions_are_semantic() {
        for version in ["0.0.0", "1.2.3-rc.1", "10.20.30+build.5", "1.0.0-a+b"] {
            assert!(super::contract::is_semantic_version(version), "{version}");
        }
        for version in ["1", "1.2", "01.2.3", "1.2.3.4", "v1.2.3", "1.2.3-", "1.2.x", ""] {
            assert!(!super::contract::is_semantic_version(version), "{version}");
        }
    }
}
