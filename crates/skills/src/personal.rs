//! The block `x-personal-mcp` of a frontmatter (seed 000): what the catalog and the
//! `resource://` addresses know of a skill beyond its name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::SkillPath;

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
}

/// The block as written, before its rules are checked.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "read by the checks of the next step")]
pub(crate) struct Written {
    pub(crate) id: String,
}
