//! YAML: a map or a list that holds our entry, written as the file writes the others.
//!
//! `tree` finds all positions by the events of `granit-parser`; `judge` is the reading of the same file by
//! `serde_yaml`. A change is accepted only if both agree that nothing but our entry differs. Bytes are inserted and cut
//! out, never printed again.

mod change;
mod judge;
mod layout;
mod meaning;
mod syntax;
mod tail;
mod tree;
mod write;

use text::Splice;

use self::{
    judge::Value,
    layout::Layout,
    meaning::{node, same},
    tree::{Content, Fault, Item, Tree},
};
use super::{BOM, lines, place, text_of};
use crate::{
    Client, Key, Refusal,
    node::{Found, Node},
};

/// The relevant parts of a file: where the servers are and where our entry is.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    name: &'a str,
    key: Key,
    tree: Tree,
    /// The second parser's reading.
    value: Value,
}

impl<'a> Outline<'a> {
    /// Parses a file of this client.
    ///
    /// # Errors
    /// If a strict reader could not read it, or it is of an unexpected shape on our path.
    pub(crate) fn of(bytes: &'a [u8], client: &Client, name: &'a str) -> Result<Self, Refusal> {
        let text = text_of(bytes)?;
        if text.starts_with(BOM) && !client.takes.byte_order_mark {
            return Err(Refusal::ByteOrderMark);
        }
        let refused = |fault| match fault {
            Fault::Syntax { at, reason } => Refusal::Syntax { place: place(bytes, at), reason },
            Fault::TooMuch => Refusal::TooMuch,
        };
        let tree = tree::read(text).map_err(refused)?;
        let value = match tree.root {
            Some(_) => judge::read(text).map_err(refused)?,
            None => Value::Null,
        };
        let outline = Self { text, name, key: client.key, tree, value };
        match outline.fault() {
            Some(refusal) => Err(refusal),
            None => Ok(outline),
        }
    }

    /// Never: an empty file is an empty map to the clients.
    pub(crate) fn is_blank(&self) -> bool {
        false
    }

    /// See [`super::Outline::ours`].
    pub(crate) fn ours(&self) -> Option<Found> {
        self.entries().find(|(name, _)| *name == self.name).map(|(name, item)| self.found(name, item))
    }

    /// See [`super::Outline::servers`].
    pub(crate) fn servers(&self) -> Vec<Found> {
        self.entries().map(|(name, item)| self.found(name, item)).collect()
    }

    /// See [`super::Outline::insertion`].
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        self.layout().insertion(ours)
    }

    /// See [`super::Outline::replacement`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        let there = self.ours()?.node;
        self.layout().replacement(self.our_index()?, &there, ours)
    }

    /// See [`super::Outline::removal`]. If nothing else is left, the list or map that held our entry stays as `{}` or
    /// `[]`: an absent value would be null, which Continue does not accept.
    pub(crate) fn removal(&self) -> Option<Splice> {
        self.layout().removal(self.our_index()?)
    }

    /// See [`super::Outline::same_but_ours`].
    pub(crate) fn same_but_ours(&self, other: &Outline<'_>) -> bool {
        self.without_ours() == other.without_ours() && same(&self.tree, &other.tree, self.key, self.name)
    }

    /// See [`super::Outline::is_read_by_another`]: `serde_yaml` checks the file when it is parsed.
    pub(crate) fn is_read_by_another(&self) -> bool {
        self.tree.root.is_none() || judge::read(self.text).is_ok()
    }

    /// The error on our path, if any.
    fn fault(&self) -> Option<Refusal> {
        let key = self.key.name();
        let place = |at| place(self.text.as_bytes(), at);
        let what = if self.key.list { "a list of maps" } else { "a map" };
        let root = self.tree.root.as_ref().filter(|root| !root.is_absent())?;
        if !root.is_map() {
            return Some(Refusal::NotAMap { what: "a map of names and values" });
        }
        let way = self.layout().way();
        let at = way.item.map_or(root.start, |item| item.start);
        let last = way.node?;
        let fits = match (way.rest, self.key.list) {
            _ if last.is_absent() => true,
            ([], true) => last.is_list() && last.items().iter().all(|item| self.is_map(item)),
            _ => last.is_map(),
        };
        if !fits {
            return Some(Refusal::NotServers { key, place: place(at), what });
        }
        if way.anchors.iter().any(|anchor| self.tree.repeated.contains(anchor)) {
            let reason = "other values repeat it by its name (&)";
            return Some(Refusal::Form { key, place: place(at), reason });
        }
        if !way.rest.is_empty() && last.get("<<").is_some() {
            let reason = "some readers would merge other values into it (<<)";
            return Some(Refusal::Form { key, place: place(at), reason });
        }
        let in_line = |item: &Item| lines::indent_before(self.text, item.start).is_none();
        if !last.is_flow() && last.items().last().is_some_and(in_line) {
            let reason = "it begins behind something else on its line";
            return Some(Refusal::Form { key, place: place(at), reason });
        }
        let second = self.entries().filter(|(name, _)| *name == self.name).nth(1);
        second.map(|(_, item)| Refusal::Twice { key: self.name.to_owned(), place: place(item.start) })
    }

    fn is_map(&self, item: &Item) -> bool {
        matches!(self.tree.content(&item.value), Content::Map { .. })
    }

    /// The servers by name. A server without a name has an empty one.
    fn entries(&self) -> impl Iterator<Item = (&str, &Item)> {
        let servers = self.layout().servers().map_or(&[][..], |servers| servers.items());
        servers.iter().map(|item| (self.name(item), item))
    }

    fn name<'t>(&'t self, item: &'t Item) -> &'t str {
        if !self.key.list {
            return item.name().unwrap_or_default();
        }
        let Content::Map { items, .. } = self.tree.content(&item.value) else { return "" };
        items.iter().find(|item| item.name() == Some("name")).and_then(|name| name.value.text()).unwrap_or_default()
    }

    fn our_index(&self) -> Option<usize> {
        self.entries().position(|(name, _)| name == self.name)
    }

    fn found(&self, name: &str, item: &Item) -> Found {
        Found {
            name: name.to_owned(),
            at: item.start,
            range: item.start..item.end,
            node: node(&self.tree, &item.value),
        }
    }

    fn layout(&self) -> Layout<'_> {
        Layout { text: self.text, name: self.name, key: self.key, tree: &self.tree }
    }

    /// The second parser's reading without our entry. Empty lists and maps of servers count as absent.
    fn without_ours(&self) -> Value {
        let mut value = self.value.clone();
        value.take_out(self.key.path, self.key.list, self.name);
        value
    }
}
