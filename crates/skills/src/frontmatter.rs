//! The frontmatter of a SKILL.md: strict YAML first, then the repairs that real clients make.

use crate::{
    document::Document,
    problem::Fault,
    repair,
    skill::Reading,
    yaml::{self, Content, Node},
};

/// A frontmatter as it was read.
#[derive(Debug)]
pub(crate) struct Frontmatter {
    pub(crate) reading: Reading,
    /// Always a mapping; empty when nothing could be read.
    pub(crate) root: Node,
    pub(crate) faults: Vec<Fault>,
}

impl Frontmatter {
    pub(crate) fn read(document: &Document<'_>) -> Self {
        let Some(yaml) = document.yaml() else {
            return Self { reading: Reading::Broken, root: mapping(Vec::new(), 0), faults: Vec::new() };
        };
        match yaml::read(&yaml.text, &|offset| yaml.place(offset)) {
            Ok(tree) => match tree.root {
                Some(root) if matches!(root.content, Content::Map(_)) => {
                    let reading = if tree.faults.is_empty() { Reading::Strict } else { Reading::Repaired };
                    Self { reading, root, faults: tree.faults }
                }
                other => Self::without_mapping(other, yaml.place(0)),
            },
            Err(refused) => repair::read(&yaml, refused),
        }
    }

    /// A frontmatter from entries that were read one by one, after strict YAML failed.
    pub(crate) fn repaired(entries: Vec<(Node, Node)>, start: usize, faults: Vec<Fault>) -> Self {
        Self { reading: Reading::Repaired, root: mapping(entries, start), faults }
    }

    /// A frontmatter that is not a mapping. Copilot loads that skill by its folder's name and the text of its body.
    fn without_mapping(root: Option<Node>, start: usize) -> Self {
        let what = match root.as_ref().map(|root| &root.content) {
            None => "is empty",
            Some(Content::List(_)) => "is a list",
            Some(_) => "is plain text",
        };
        let span = root.map_or(start..start, |root| root.span);
        let message = format!("The frontmatter {what}; it must contain `name: ...` and `description: ...`.");
        Self::repaired(Vec::new(), start, vec![Fault::new("frontmatter-not-mapping", span, message)])
    }
}

fn mapping(entries: Vec<(Node, Node)>, start: usize) -> Node {
    let end = entries.last().map_or(start, |(_, value)| value.span.end);
    Node { span: start..end, content: Content::Map(entries) }
}
