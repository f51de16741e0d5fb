//! Removes our entry, or writes it again in its place.

use granit_parser::ScalarStyle;
use text::Splice;

use super::{
    layout::{Layout, block},
    tail::Tail,
    tree::{Content, Item, Node as Branch},
    write,
};
use crate::{edit::lines, node::Node};

impl Layout<'_> {
    /// The splice that removes the server at `index`.
    pub(super) fn removal(&self, index: usize) -> Option<Splice> {
        let servers = self.servers()?;
        if servers.is_flow() {
            return self.flow(servers).removal(index..index + 1);
        }
        let item = servers.items().get(index)?;
        lines::indent_before(self.text, item.start)?;
        if servers.items().len() == 1 {
            return self.emptied(item, servers);
        }
        let before = index.checked_sub(1).map(|before| &servers.items()[before]);
        let whole = lines::start(self.text, item.start)..lines::next(self.text, item.end);
        let ended = whole.end > lines::end(self.text, item.end);
        let range = match before.map_or(Tail::Closed, |before| self.tail(before)) {
            Tail::Kept => whole.start..self.behind_blank_lines(whole.end),
            Tail::Text if !ended => whole,
            _ => lines::whole_with_blank(self.text, item.start..item.end),
        };
        Some(Splice::new(range, ""))
    }

    /// Skips the blank lines at `at`, which would become a part of the text before our entry.
    fn behind_blank_lines(&self, mut at: usize) -> usize {
        while at < self.text.len() && lines::is_empty(self.text, at) {
            at = lines::next(self.text, at);
        }
        at
    }

    /// Replaces the only server by empty brackets.
    fn emptied(&self, item: &Item, servers: &Branch) -> Option<Splice> {
        let parent = self.way().item?;
        let nothing = if self.key.list { "[]" } else { "{}" };
        let (start, end) = (lines::start(self.text, item.start), lines::end(self.text, item.end));
        let name = parent.key.as_ref()?.range.end;
        let between = &self.text[name..start];
        let alone = servers.start == servers.range.start && between.trim_end_matches([' ', '\t', '\n', '\r']) == ":";
        if alone {
            return Some(Splice::new(name + 1..end, format!(" {nothing}")));
        }
        let (indent, outer) = (self.indent(item), self.indent(parent));
        let deeper = if indent.len() > outer.len() { indent.to_owned() } else { format!("{outer}  ") };
        Some(Splice::new(start..end, deeper + nothing))
    }

    /// The splice that changes the server at `index`, which equals `there`, into `ours`. Unchanged values keep their
    /// bytes.
    pub(super) fn replacement(&self, index: usize, there: &Node, ours: &Node) -> Option<Splice> {
        let servers = self.servers()?;
        let item = servers.items().get(index)?;
        if item.value.is_map() && item.value.start == item.value.range.start && !item.value.items().is_empty() {
            if item.value.is_flow() {
                return Some(Splice::new(item.value.range.clone(), self.brackets(&item.value, there, ours)));
            }
            if let Some(splice) = self.edited(&item.value, there, ours) {
                return Some(splice);
            }
        }
        let written = match servers.is_flow() {
            true => self.member(&[], ours),
            false => self.entry(&[], ours, self.style()).join(&self.line_start(item.start)),
        };
        Some(Splice::new(item.start..item.end, written))
    }

    /// Edits a block of names, value by value. `None` if no value stays.
    fn edited(&self, map: &Branch, there: &Node, ours: &Node) -> Option<Splice> {
        let items = map.items();
        let goes: Vec<_> = items.iter().map(|item| item.name().is_none_or(|name| ours.get(name).is_none())).collect();
        let first = goes.iter().position(|goes| !goes)?;
        let start = " ".repeat(self.text[lines::start(self.text, items[0].start)..items[0].start].chars().count());
        let between = lines::ending(self.text, items[0].start).to_owned() + &start;
        let mut splices = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Some(value) = item.name().and_then(|name| ours.get(name)) else {
                let begin = index == 0 || !goes[index - 1];
                let end = goes[index..].iter().position(|goes| !goes).map(|next| items[index + next].start);
                match (begin, end, index.checked_sub(1)) {
                    (false, ..) => {}
                    (true, Some(end), _) => splices.push(Splice::new(item.start..end, "")),
                    // The blank lines after our entry would become part of a scalar that keeps them.
                    (true, None, Some(before)) if self.tail(&items[before]) != Tail::Closed => return None,
                    (true, None, before) => splices.push(Splice::new(items[before?].end..items.last()?.end, "")),
                }
                continue;
            };
            let name = item.name()?;
            if there.get(name) == Some(value) {
                continue;
            }
            let one_line = write::value(value);
            let member = Node::Map(vec![(name.to_owned(), value.clone())]);
            splices.push(match is_in_line(&item.value) {
                true => Splice::new(item.value.range.clone(), one_line),
                false => Splice::new(item.start..item.end, block(&member, self.style()).join(&between)),
            });
        }
        let new: Vec<_> = ours.members().iter().filter(|(name, _)| map.get(name).is_none()).collect();
        if let [(next, _), ..] = &new[..] {
            let before = ours.members().iter().take_while(|(name, _)| name != next).last();
            let before = before.and_then(|(name, _)| map.get(name)).filter(|item| self.tail(item) == Tail::Closed);
            let behind = before.map(|item| item.end);
            let new = Node::Map(new.into_iter().cloned().collect());
            let written = block(&new, self.style()).join(&between);
            splices.push(match behind {
                Some(end) => Splice::insert(end, between + &written),
                None => Splice::insert(items[first].start, written + &between),
            });
        }
        lines::in_one(self.text, splices)
    }

    /// A map in brackets, with the bytes of the unchanged values.
    fn brackets(&self, map: &Branch, there: &Node, ours: &Node) -> String {
        let member = |(name, value): &(String, Node)| match map.get(name) {
            Some(item) if there.get(name) == Some(value) => self.text[item.start..item.end].to_owned(),
            _ => write::pair(name, value),
        };
        format!("{{{}}}", ours.members().iter().map(member).collect::<Vec<_>>().join(", "))
    }

    /// A line end and the indentation of the line that contains `at`.
    fn line_start(&self, at: usize) -> String {
        lines::ending(self.text, at).to_owned() + lines::indent_before(self.text, at).unwrap_or_default()
    }
}

/// Whether a value follows its name in line, so that another one can replace it there.
fn is_in_line(value: &Branch) -> bool {
    let bare = value.start == value.range.start && !value.is_absent();
    bare && match &*value.content {
        Content::Scalar { style, .. } => !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded),
        Content::List { flow, .. } | Content::Map { flow, .. } => *flow,
        Content::Alias(_) => true,
    }
}
