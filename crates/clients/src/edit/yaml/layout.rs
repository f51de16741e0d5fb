//! The layout of a YAML file, so that additions look as if its author had written them.

use text::Splice;

use super::{
    tail::Tail,
    tree::{Item, Node as Branch, Tree},
    write,
};
use crate::{
    Key,
    edit::{flow::Flow, lines},
    node::Node,
};

/// The parts of a file that determine its layout.
#[derive(Clone, Copy)]
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    /// The name of our entry.
    pub(super) name: &'t str,
    pub(super) key: Key,
    pub(super) tree: &'t Tree,
}

/// How much of the path to the servers exists in a file.
pub(super) struct Way<'t> {
    /// The last value on it; `None` in an empty file.
    pub(super) node: Option<&'t Branch>,
    /// The item with that value.
    pub(super) item: Option<&'t Item>,
    /// The names that are still missing.
    pub(super) rest: &'static [&'static str],
    /// The ids of the anchors on it.
    pub(super) anchors: Vec<usize>,
}

/// The layout conventions of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// How much deeper than its own name the names of a map are indented.
    step: usize,
    /// How much deeper than the name of their list dashes are indented.
    dashes: usize,
    /// The distance from a dash to the text after it.
    dash: usize,
    /// Whether lists of texts are written as blocks.
    blocks: bool,
}

impl<'t> Layout<'t> {
    pub(super) fn way(&self) -> Way<'t> {
        let node = self.tree.root.as_ref().filter(|root| !root.is_absent());
        let mut way = Way { node, item: None, rest: self.key.path, anchors: Vec::new() };
        while let Some(node) = way.node {
            way.anchors.extend(Some(node.anchor).filter(|anchor| *anchor != 0));
            let Some((item, rest)) = way.rest.split_first().and_then(|(step, rest)| Some((node.get(step)?, rest)))
            else {
                break;
            };
            (way.node, way.item, way.rest) = (Some(&item.value), Some(item), rest);
        }
        way
    }

    /// The list or map of servers.
    pub(super) fn servers(&self) -> Option<&'t Branch> {
        let way = self.way();
        way.node.filter(|_| way.rest.is_empty())
    }

    /// The insertion that adds our entry to a file without one.
    pub(super) fn insertion(&self, ours: &Node) -> Splice {
        let way = self.way();
        let style = self.style();
        match (way.node, way.item) {
            (Some(node), _) if node.is_flow() => self.flow(node).insertion(&self.member(way.rest, ours)),
            (Some(node), _) if !node.is_absent() => self.among(node, &self.entry(way.rest, ours, style), way.item),
            (Some(_), Some(item)) if lines::indent_before(self.text, item.start).is_none() => {
                let colon = if self.text[..item.end].ends_with(':') { "" } else { ":" };
                Splice::insert(item.end, format!("{colon} {}", write::value(&self.nested(way.rest, ours))))
            }
            (Some(_), Some(item)) => {
                self.below(item, &self.entry(way.rest, ours, style), style, self.key.list && way.rest.is_empty())
            }
            _ => {
                let end = self.end();
                let commented = lines::above(self.text, end).unwrap_or(end);
                let apart = self.tree.end.is_none() && lines::content(self.text, commented).starts_with('#');
                lines::insertion(self.text, end, &self.entry(way.rest, ours, style), apart)
            }
        }
    }

    /// Our entry below the names `rest`, as lines.
    pub(super) fn entry(&self, rest: &[&str], ours: &Node, style: Style) -> Vec<String> {
        let (depth, mut written) = (rest.len(), Vec::new());
        for (level, name) in rest.iter().enumerate() {
            written.push(format!("{}{}:", " ".repeat(level * style.step), write::text(name)));
        }
        let indent = " ".repeat(match (depth, self.key.list) {
            (0, _) => 0,
            (depth, true) => (depth - 1) * style.step + style.dashes,
            (depth, false) => depth * style.step,
        });
        let entry = match self.key.list {
            true => dashed(&block(ours, style), style),
            false => block(&Node::Map(vec![(self.name.to_owned(), ours.clone())]), style),
        };
        written.extend(entry.into_iter().map(|line| indent.clone() + &line));
        written
    }

    /// Our entry below the names `rest`, as an item in brackets.
    pub(super) fn member(&self, rest: &[&str], ours: &Node) -> String {
        match self.nested(rest, ours) {
            Node::Map(members) => members.iter().map(|(name, value)| write::pair(name, value)).collect(),
            Node::List(items) => items.iter().map(write::value).collect(),
            _ => String::new(),
        }
    }

    /// The map or list of servers with only our entry, below the names `rest`.
    fn nested(&self, rest: &[&str], ours: &Node) -> Node {
        let servers = match self.key.list {
            true => Node::List(vec![ours.clone()]),
            false => Node::Map(vec![(self.name.to_owned(), ours.clone())]),
        };
        rest.iter().rev().fold(servers, |inner, name| Node::Map(vec![((*name).to_owned(), inner)]))
    }

    pub(super) fn flow(&self, node: &Branch) -> Flow<'t> {
        let items = node.items().iter().map(|item| item.start..item.end).collect();
        Flow { text: self.text, inside: node.range.start + 1..node.range.end - 1, items, pad: "" }
    }

    /// The blanks before an item that has its own line.
    pub(super) fn indent(&self, item: &Item) -> &'t str {
        lines::indent_before(self.text, item.start).unwrap_or_default()
    }

    /// Inserts lines after the last item of a block. `parent` is the item that the block is the value of; `None` for
    /// the file's own map.
    fn among(&self, node: &Branch, written: &[String], parent: Option<&Item>) -> Splice {
        let [.., last] = node.items() else { return Splice::insert(self.text.len(), "") };
        let indent = self.indent(last);
        let written: Vec<_> = written.iter().map(|line| format!("{indent}{line}")).collect();
        if self.is_open(last) {
            return lines::insertion(self.text, self.before_comments(node), &written, false);
        }
        let apart = node.items().len() > 1 && self.stands_apart(node) && self.tail(last) != Tail::Kept;
        let at = match parent {
            Some(parent) => self.behind_comments(lines::next(self.text, last.end), indent, self.indent(parent)),
            None => self.end(),
        };
        lines::insertion(self.text, at, &written, apart)
    }

    /// Inserts lines below a name without a value. Dashes may be indented differently from names.
    fn below(&self, item: &Item, written: &[String], style: Style, is_list: bool) -> Splice {
        let deeper = if is_list { style.dashes } else { style.step };
        let indent = self.indent(item).to_owned() + &" ".repeat(deeper);
        let written: Vec<_> = written.iter().map(|line| format!("{indent}{line}")).collect();
        lines::insertion(self.text, lines::next(self.text, item.end), &written, false)
    }

    /// The end of the document: before `...`, or at the end of the text.
    fn end(&self) -> usize {
        self.tree.end.unwrap_or(self.text.len())
    }

    /// Whether a blank line precedes the last item and its comments.
    fn stands_apart(&self, node: &Branch) -> bool {
        let above = lines::above(self.text, self.before_comments(node));
        above.is_some_and(|above| lines::is_empty(self.text, above))
    }

    /// The start of the last item's line, or of the first comment directly above it. The text at the end of the item
    /// before may look like a comment.
    fn before_comments(&self, node: &Branch) -> usize {
        let (floor, at) = match node.items() {
            [.., before, last] => (before.end, last.start),
            [last] => (0, last.start),
            [] => (0, node.start),
        };
        let mut line = lines::start(self.text, at);
        while let Some(above) = lines::above(self.text, line).filter(|above| *above > floor) {
            if !lines::content(self.text, above).starts_with('#') {
                break;
            }
            line = lines::start(self.text, above);
        }
        line
    }

    /// The position after the comments that follow without a blank line and are indented like the items, unless they
    /// may lead over to the next item.
    fn behind_comments(&self, at: usize, indent: &str, outer: &str) -> usize {
        let (mut behind, end) = (at, self.text.len());
        while behind < end
            && lines::content(self.text, behind).starts_with('#')
            && lines::indent(self.text, behind).len() >= indent.len()
        {
            behind = lines::next(self.text, behind);
        }
        let leads_over = indent.len() <= outer.len() && behind < end && !lines::is_empty(self.text, behind);
        if leads_over { at } else { behind }
    }

    pub(super) fn style(&self) -> Style {
        let first = |look: &dyn Fn(&Item) -> Option<usize>| {
            let places = [self.servers(), self.tree.root.as_ref()];
            places.into_iter().flatten().find_map(|place| self.find(place, look))
        };
        let column = |at| lines::indent_before(self.text, at).map(str::len);
        let deeper = |item: &Item, kind: fn(&Branch) -> bool| {
            let [inner, ..] = item.value.items() else { return None };
            let fits = kind(&item.value) && !item.value.is_flow() && item.key.is_some();
            column(inner.start)?.checked_sub(column(item.start)?).filter(|_| fits)
        };
        let step = first(&|item| deeper(item, Branch::is_map).filter(|step| *step > 0)).unwrap_or(2);
        let dashes = first(&|item| deeper(item, Branch::is_list));
        let dash = |item: &Item| match item.key {
            None if !lines::has_end(&self.text[item.start..item.value.start]) => {
                item.value.start.checked_sub(item.start).filter(|dash| *dash > 1)
            }
            _ => None,
        };
        let is_block_list = |item: &Item| {
            let scalars = item.value.is_list() && item.value.items().iter().all(|item| item.value.text().is_some());
            (scalars && !item.value.items().is_empty()).then_some(usize::from(!item.value.is_flow()))
        };
        let blocks = first(&is_block_list).is_some_and(|blocks| blocks == 1);
        Style { step, dashes: dashes.unwrap_or(step), dash: first(&dash).unwrap_or(2), blocks }
    }

    /// The first result of `look` for the items below a value.
    fn find(&self, node: &Branch, look: &dyn Fn(&Item) -> Option<usize>) -> Option<usize> {
        node.items().iter().find_map(|item| {
            let block = !node.is_flow();
            block.then(|| look(item)).flatten().or_else(|| self.find(&item.value, look))
        })
    }
}

/// A map as lines.
pub(super) fn block(map: &Node, style: Style) -> Vec<String> {
    let mut written = Vec::new();
    for (name, value) in map.members() {
        let (indent, inner) = match value {
            Node::Map(members) if !members.is_empty() => (style.step, block(value, style)),
            Node::List(items) if style.blocks && !items.is_empty() => {
                let pad = " ".repeat(style.dash - 1);
                (style.dashes, items.iter().map(|item| format!("-{pad}{}", write::value(item))).collect())
            }
            _ => {
                written.push(write::pair(name, value));
                continue;
            }
        };
        written.push(format!("{}:", write::text(name)));
        written.extend(inner.iter().map(|line| " ".repeat(indent) + line));
    }
    written
}

/// The lines of an item of a list.
fn dashed(lines: &[String], style: Style) -> Vec<String> {
    let first = format!("-{}", " ".repeat(style.dash - 1));
    let other = " ".repeat(style.dash);
    lines
        .iter()
        .enumerate()
        .map(|(index, line)| format!("{}{line}", if index == 0 { &first } else { &other }))
        .collect()
}
