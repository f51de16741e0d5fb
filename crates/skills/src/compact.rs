//! The compact form of a frontmatter. A library keeps thousands, so each is kept as JSON text, with separate fields
//! only for what every list needs.

use serde_json::{Map, Value};

use crate::yaml::Node;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compact {
    pub(crate) json: Box<str>,
    /// See [`Skill::for_people`](crate::Skill::for_people).
    pub(crate) for_people: bool,
    /// See [`Skill::for_models`](crate::Skill::for_models).
    pub(crate) for_models: bool,
    /// See [`Skill::has_specified_values`](crate::Skill::has_specified_values).
    pub(crate) specified: bool,
    /// The version, not counting that of `x-personal-mcp`.
    pub(crate) version: Option<Box<str>>,
    /// The tags, not counting those of `x-personal-mcp`.
    pub(crate) tags: Box<[Box<str>]>,
}

impl Compact {
    pub(crate) fn of(frontmatter: &Node) -> Self {
        let is_true = |key| frontmatter.get(key).map(|value| is_true(&value.value()));
        let tags = frontmatter.get("tags").map(Node::items).unwrap_or_default();
        Self {
            // All keys are text, so this cannot fail.
            json: serde_json::to_string(frontmatter).unwrap_or_default().into(),
            for_people: is_true("user-invocable").unwrap_or(true),
            for_models: !is_true("disable-model-invocation").unwrap_or(false),
            specified: crate::specified::unspecified(frontmatter).is_empty(),
            version: version(frontmatter),
            tags: tags.iter().filter_map(Node::string).map(Into::into).collect(),
        }
    }

    /// The whole frontmatter, in the author's order.
    pub(crate) fn frontmatter(&self) -> Map<String, Value> {
        serde_json::from_str(&self.json).unwrap_or_default()
    }
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true)) || value == "true"
}

fn version(frontmatter: &Node) -> Option<Box<str>> {
    let metadata = frontmatter.get("metadata").and_then(|metadata| metadata.get("version"));
    match metadata.or_else(|| frontmatter.get("version"))?.value() {
        Value::String(version) => Some(version.into()),
        Value::Number(version) => Some(version.to_string().into()),
        _ => None,
    }
}
