//! The places in an entry that may describe a way: the entry itself, its `config-template`, and a block `stdio` or
//! `docker` of either (the dependency plan).

use crate::yaml::{Content, Node};

/// A part of an entry, and its path.
#[derive(Clone)]
pub(super) struct Block<'n> {
    pub(super) node: &'n Node,
    pub(super) field: String,
}

/// The parts of an entry.
pub(super) struct Forms<'n> {
    /// A `config-template` that describes how to start or reach the server.
    pub(super) template: Option<Block<'n>>,
    /// A `config-template` that consists of parameters only.
    pub(super) unplaced: Option<Block<'n>>,
    /// A block that describes a program.
    pub(super) stdio: Option<Block<'n>>,
    /// A block that describes a container.
    pub(super) docker: Option<Block<'n>>,
}

impl<'n> Forms<'n> {
    pub(super) fn of(node: &'n Node, field: &str) -> Self {
        let template =
            node.get("config-template").map(|node| Block { node, field: format!("{field}.config-template") });
        let (template, unplaced) = match template {
            Some(block) if says_how(block.node) => (Some(block), None),
            other => (None, other.map(bare)),
        };
        let block = |key: &str, is: fn(&Node) -> bool| {
            let inside = |node: &'n Node, field: &str| {
                let found = node.get(key).filter(|block| is(block))?;
                Some(Block { node: found, field: format!("{field}.{key}") })
            };
            let within = template.as_ref().and_then(|template| inside(template.node, &template.field));
            within.or_else(|| inside(node, field))
        };
        let stdio = block("stdio", |block| block.get("command").is_some());
        let docker = block("docker", |block| !block.is_null());
        Self { template, unplaced, stdio, docker }
    }

    /// The entry itself and its blocks that describe how to start or reach the server.
    pub(super) fn parts(&self, node: &'n Node, field: &str) -> Vec<Block<'n>> {
        let entry = Some(Block { node, field: field.to_owned() });
        [&entry, &self.template, &self.stdio, &self.docker].into_iter().flatten().cloned().collect()
    }
}

/// Whether a `config-template` describes how to start or reach the server. In any other case its keys name
/// parameters.
fn says_how(template: &Node) -> bool {
    let has = |block: &str, key: &str| template.get(block).is_some_and(|block| block.get(key).is_some());
    template.get("command").is_some()
        || template.get("url").is_some()
        || has("stdio", "command")
        || has("docker", "image")
}

/// The parameters of a `config-template` with nothing else; they may be in a block `parameters`, as next to a
/// command. The description of a parameter named `parameters` is not that block.
fn bare(block: Block<'_>) -> Block<'_> {
    let Content::Map(entries) = &block.node.content else { return block };
    let [(name, value)] = &entries[..] else { return block };
    let describe = |value: &Node| matches!(&value.content, Content::Map(of) if of.iter().all(|(_, one)| matches!(one.content, Content::Map(_))));
    if name.text() != Some("parameters") || !describe(value) {
        return block;
    }
    Block { node: value, field: format!("{}.parameters", block.field) }
}
