//! The frontmatter keys that clients know (decision 13): their values and their purpose. The checks and the JSON
//! Schema both use this table. Other keys are the author's own.

use serde_json::Value;

use crate::yaml::{Content, Node};

/// A key that at least one client knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// The kinds of value it may hold; empty when another reader checks them.
    pub(crate) kinds: &'static [Kind],
    /// Its purpose, as a sentence.
    pub(crate) purpose: &'static str,
}

/// Every known key, in the order in which authors write them.
pub(crate) const KNOWN: &[Key] = &[
    // The Agent Skills specification. The first two have their own rules.
    key("name", &[], "The skill's name: that of its folder, in lowercase words joined by hyphens."),
    key("description", &[], "What the skill does and when to use it: all that a model knows of it beforehand."),
    key("license", &[Kind::Text], "The licence of the skill, or the file that holds it."),
    key("compatibility", &[Kind::Text], "What the skill needs around it: a client, a program, a network."),
    key("metadata", &[Kind::Mapping], "Further facts, as a mapping from text to text."),
    key("allowed-tools", &[Kind::Text, Kind::Texts], "Tools that the skill may use without asking."),
    // Claude Code.
    key("when_to_use", &[Kind::Text], "Claude Code: when to use the skill, beside its description."),
    key("argument-hint", &[Kind::Text], "Claude Code: what to type behind the skill's name, as a hint."),
    key("arguments", &[Kind::Text, Kind::Texts], "Claude Code: the names of the skill's arguments."),
    key("disable-model-invocation", &[Kind::Flag], "Claude Code: whether only people start the skill."),
    key("user-invocable", &[Kind::Flag], "Claude Code: whether people can start the skill by its name."),
    key("disallowed-tools", &[Kind::Text, Kind::Texts], "Claude Code: tools that the skill may not use."),
    key("model", &[], "Claude Code: the model that runs the skill."),
    key("effort", &[], "Claude Code: how much the model should think."),
    key("context", &[], "Claude Code: `fork` runs the skill in a context of its own."),
    key("agent", &[], "Claude Code: the agent that runs the skill."),
    key("hooks", &[], "Claude Code: commands that run at certain moments."),
    key("paths", &[], "Claude Code: the files for which the skill is offered."),
    key("shell", &[], "Claude Code: the shell that runs the skill's commands."),
    // Skilltender's own keys; their readers check the values.
    key("x-personal-mcp", &[], "What the catalog and the addresses of a Skilltender library know of the skill."),
    key("requires-mcp-servers", &[], "The MCP servers that the skill needs, and how they are started."),
];

const fn key(name: &'static str, kinds: &'static [Kind], purpose: &'static str) -> Key {
    Key { name, kinds, purpose }
}

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Flag,
    /// A list of texts.
    Texts,
    Mapping,
}

impl Kind {
    pub(crate) fn fits(self, value: &Node) -> bool {
        match &value.content {
            Content::Scalar(_, Value::Bool(_)) if self == Self::Flag => true,
            Content::Scalar(..) => self == Self::Text,
            Content::List(items) => self == Self::Texts && items.iter().all(|item| item.text().is_some()),
            Content::Map(_) => self == Self::Mapping,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flag => "`true` or `false`",
            Self::Texts => "a list of texts",
            Self::Mapping => "a mapping",
        }
    }
}
