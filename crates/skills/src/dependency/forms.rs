//! Where in an entry a way may be described: in the entry itself, in its `config-template`, and
//! in a block `stdio` or `docker` of either (seed 002).

use crate::yaml::Node;

/// A part of an entry, and its path.
#[derive(Clone)]
pub(super) struct Block<'n> {
    pub(super) node: &'n Node,
    pub(super) field: String,
}

/// The parts of an entry.
pub(super) struct Forms<'n> {
    /// A `config-template` that says how to get at the server.
    pub(super) template: Option<Block<'n>>,
    /// A `config-template` that is nothing but parameters.
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
            other => (None, other),
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

    /// The entry itself and all in it that say how to get at the server.
    pub(super) fn parts(&self, node: &'n Node, field: &str) -> Vec<Block<'n>> {
        let entry = Some(Block { node, field: field.to_owned() });
        [&entry, &self.template, &self.stdio, &self.docker].into_iter().flatten().cloned().collect()
    }
}

/// Whether a `config-template` says how to get at the server. Its keys are free otherwise: they
/// name parameters.
fn says_how(template: &Node) -> bool {
    let has = |block: &str, key: &str| template.get(block).is_some_and(|block| block.get(key).is_some());
    template.get("command").is_some()
        || template.get("url").is_some()
        || has("stdio", "command")
        || has("docker", "image")
}
