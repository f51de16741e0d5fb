//! The meaning of a tree: values by the core schema of YAML 1.2, and whether two trees are equal.

use granit_parser::ScalarStyle;

use super::tree::{Content, Item, Node as Branch, Tree};
use crate::{Key, node::Node};

impl Tree {
    /// The content of a value; for an alias, that of its target.
    pub(super) fn content<'t>(&'t self, branch: &'t Branch) -> &'t Content {
        let mut content = &*branch.content;
        while let Content::Alias(target) = content {
            match self.anchors.get(target) {
                Some(repeated) => content = repeated,
                None => break,
            }
        }
        content
    }
}

/// A value as data.
pub(super) fn node(tree: &Tree, branch: &Branch) -> Node {
    match tree.content(branch) {
        Content::Scalar { text, style } if *style == ScalarStyle::Plain && branch.tag.is_none() => meaning(text),
        Content::Scalar { text, .. } => Node::Text(text.clone()),
        Content::List { items, .. } => Node::List(items.iter().map(|item| node(tree, &item.value)).collect()),
        Content::Map { items, .. } => {
            let named = items.iter().filter_map(|item| Some((item.name()?.to_owned(), node(tree, &item.value))));
            Node::Map(named.collect())
        }
        Content::Alias(_) => Node::Other,
    }
}

/// The meaning of a plain scalar (section 10.3.2 of the specification). Scalars that readers disagree about are
/// `Node::Other`, because we never write them.
fn meaning(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Node::Other,
        "true" | "True" | "TRUE" => Node::Bool(true),
        "false" | "False" | "FALSE" => Node::Bool(false),
        _ if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) => {
            Node::Text(text.to_owned())
        }
        _ => {
            let number = text.parse().ok().filter(|number: &i64| number.to_string() == text);
            let odd = |c: char| !(c.is_ascii_hexdigit() || matches!(c, '-' | '+' | '.' | 'o' | 'x' | '_' | ':'));
            let is_text = text.contains(odd) || text.starts_with("--");
            number.map_or_else(|| if is_text { Node::Text(text.to_owned()) } else { Node::Other }, Node::Number)
        }
    }
}

/// Whether two files are equal except for our entry. An empty list or map of servers counts as absent.
pub(super) fn same(one: &Tree, two: &Tree, key: Key, name: &str) -> bool {
    let pair = Pair { one, two, list: key.list, name };
    let root = |tree: &Tree| tree.root.clone().filter(|root| !root.is_absent());
    match (root(one), root(two)) {
        (None, None) => true,
        (Some(one), Some(two)) => pair.are_same(&one, &two, Some(key.path)),
        (Some(some), None) => pair.said(one, &some, key.path).is_empty(),
        (None, Some(some)) => pair.said(two, &some, key.path).is_empty(),
    }
}

struct Pair<'t> {
    one: &'t Tree,
    two: &'t Tree,
    list: bool,
    name: &'t str,
}

impl Pair<'_> {
    /// Whether two values are equal; `path` leads from them to the servers, if those are below.
    fn are_same(&self, one: &Branch, two: &Branch, path: Option<&[&str]>) -> bool {
        if let Some(path) = path {
            let (some, others) = (self.said(self.one, one, path), self.said(self.two, two, path));
            return one.tag == two.tag
                && some.len() == others.len()
                && some.iter().zip(&others).all(|(some, other)| self.are_same_items(some, other, path));
        }
        if one.tag != two.tag {
            return false;
        }
        match (self.one.content(one), self.two.content(two)) {
            (Content::Scalar { text, style }, Content::Scalar { text: other, style: others }) => {
                text == other && (*style == ScalarStyle::Plain) == (*others == ScalarStyle::Plain)
            }
            (Content::List { items, .. }, Content::List { items: others, .. })
            | (Content::Map { items, .. }, Content::Map { items: others, .. }) => {
                items.len() == others.len()
                    && items.iter().zip(others).all(|(some, other)| self.are_same_items(some, other, &[]))
            }
            _ => false,
        }
    }

    fn are_same_items(&self, some: &Item, other: &Item, path: &[&str]) -> bool {
        let keys = match (&some.key, &other.key) {
            (Some(some), Some(other)) => self.are_same(some, other, None),
            (None, None) => true,
            _ => false,
        };
        let on = path.split_first().filter(|(step, _)| some.name() == Some(step)).map(|(_, rest)| rest);
        keys && self.are_same(&some.value, &other.value, on)
    }

    /// The items of a value on the way to the servers that remain without our entry.
    fn said<'b>(&self, tree: &'b Tree, branch: &'b Branch, path: &[&str]) -> Vec<&'b Item> {
        let is_ours = |item: &Item| match self.list {
            false => item.name() == Some(self.name),
            true => match tree.content(&item.value) {
                Content::Map { items, .. } => {
                    items.iter().any(|item| item.name() == Some("name") && item.value.text() == Some(self.name))
                }
                _ => false,
            },
        };
        let says = |item: &&Item| match path.split_first() {
            None => !is_ours(item),
            Some((step, rest)) => item.name() != Some(step) || !self.said(tree, &item.value, rest).is_empty(),
        };
        branch.items().iter().filter(says).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_readers_agree_on_is_data() {
        for text in ["yes", "mcp", "--client", "npx", "a.b", "2026-01-01T00:00:00Z", "1.2.3-rc", "Null-ish"] {
            assert_eq!(meaning(text), Node::Text(text.to_owned()));
        }
        assert_eq!(
            (meaning("300"), meaning("-7"), meaning("True")),
            (Node::Number(300), Node::Number(-7), Node::Bool(true))
        );
        for text in ["", "~", "NULL", "1.5", "012", "0x1F", "1_000", "1e3", ".5", "+1"] {
            assert_eq!(meaning(text), Node::Other, "{text}");
        }
    }
}
