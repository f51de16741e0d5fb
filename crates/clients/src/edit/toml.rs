//! TOML: tables or an array of tables that hold our entry, written as the file writes the others.
//!
//! `scan` finds all positions by the events of `toml_parser`, `place` picks the servers among them. Only `toml` judges
//! what the file means. Bytes are inserted and cut out here and never printed again: a printer would change line ends,
//! the byte order mark and the end of the file.

mod change;
mod layout;
mod place;
mod scan;
mod write;

use text::Splice;
use toml::{Table, Value};

use self::{
    layout::Layout,
    place::Servers,
    scan::{Block, Fault, scan},
};
use crate::{
    Client, Key, Refusal,
    edit::{BOM, place, text_of},
    node::{Found, Node},
};

/// The relevant parts of a file: where the servers are and where our entry is.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    name: &'a str,
    key: Key,
    blocks: Vec<Block>,
    servers: Servers,
    /// The content of the file, as `toml` reads it.
    table: Table,
}

impl<'a> Outline<'a> {
    /// Parses a file of this client.
    ///
    /// # Errors
    /// If a strict reader could not read it, or the servers are not tables.
    pub(crate) fn of(bytes: &'a [u8], client: &Client, name: &'a str) -> Result<Self, Refusal> {
        let text = text_of(bytes)?;
        if text.starts_with(BOM) && !client.takes.byte_order_mark {
            return Err(Refusal::ByteOrderMark);
        }
        let blocks = scan(text).map_err(|fault| match fault {
            Fault::Syntax { at, reason } => Refusal::Syntax { place: place(bytes, at), reason },
            Fault::TooMuch => Refusal::TooMuch,
        })?;
        let table = toml::from_str::<Table>(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            Refusal::Syntax { place: place(bytes, at), reason: scan::reason(error.message()) }
        })?;
        let servers = Servers::of(&blocks, client.key);
        let outline = Self { text, name, key: client.key, blocks, servers, table };
        match outline.fault() {
            Some(refusal) => Err(refusal),
            None => Ok(outline),
        }
    }

    /// Never: an empty file is an empty table.
    pub(crate) fn is_blank(&self) -> bool {
        false
    }

    /// See [`super::Outline::ours`].
    pub(crate) fn ours(&self) -> Option<Found> {
        self.our_index().map(|index| self.found(index))
    }

    /// See [`super::Outline::servers`].
    pub(crate) fn servers(&self) -> Vec<Found> {
        (0..self.servers.entries.len()).map(|index| self.found(index)).collect()
    }

    /// See [`super::Outline::insertion`].
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        self.layout().insertion(ours)
    }

    /// See [`super::Outline::replacement`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        let index = self.our_index()?;
        let there = self.value(index).map_or(Node::Other, node);
        self.layout().replacement(&self.servers.entries[index].parts, &there, ours)
    }

    /// See [`super::Outline::removal`]. If our entry is in several places, the splice writes back the text between
    /// them.
    pub(crate) fn removal(&self) -> Option<Splice> {
        self.layout().removal(&self.servers.entries[self.our_index()?].parts)
    }

    /// See [`super::Outline::same_but_ours`].
    pub(crate) fn same_but_ours(&self, other: &Outline<'_>) -> bool {
        same(&self.without_ours(), &other.without_ours())
    }

    /// See [`super::Outline::is_read_by_another`]: `toml` checks the file when it is parsed.
    pub(crate) fn is_read_by_another(&self) -> bool {
        toml::from_str::<serde::de::IgnoredAny>(self.text).is_ok()
    }

    /// The error on our path, if any.
    fn fault(&self) -> Option<Refusal> {
        let place = |at| place(self.text.as_bytes(), at);
        let what = if self.key.list { "an array of tables" } else { "a table" };
        let kind = || Refusal::NotServers { key: self.key.name(), place: place(self.servers.at.unwrap_or(0)), what };
        let count = match (self.there(), self.key.list) {
            (Ok(None), _) => 0,
            (Ok(Some(Value::Table(servers))), false) => servers.len(),
            (Ok(Some(Value::Array(servers))), true) if servers.iter().all(Value::is_table) => servers.len(),
            _ => return Some(kind()),
        };
        if count != self.servers.entries.len() {
            return Some(Refusal::Unproven);
        }
        let ours = (0..count).filter(|&index| self.name(index) == self.name);
        let second = if self.key.list { ours.map(|index| self.range(index).start).nth(1) } else { None };
        second.map(|second| Refusal::Twice { key: self.name.to_owned(), place: place(second) })
    }

    /// The value of the servers in the file, if present.
    fn there(&self) -> Result<Option<&Value>, NoTable> {
        let (last, steps) = self.key.path.split_last().ok_or(NoTable)?;
        let mut table = &self.table;
        for step in steps {
            match table.get(*step) {
                Some(inner) => table = inner.as_table().ok_or(NoTable)?,
                None => return Ok(None),
            }
        }
        Ok(table.get(*last))
    }

    fn value(&self, index: usize) -> Option<&Value> {
        match self.there().ok().flatten()? {
            Value::Table(servers) => servers.get(&self.servers.entries[index].name),
            Value::Array(servers) => servers.get(index),
            _ => None,
        }
    }

    fn name(&self, index: usize) -> &str {
        match self.key.list {
            true => self.value(index).and_then(named).unwrap_or_default(),
            false => &self.servers.entries[index].name,
        }
    }

    fn our_index(&self) -> Option<usize> {
        (0..self.servers.entries.len()).find(|&index| self.name(index) == self.name)
    }

    fn found(&self, index: usize) -> Found {
        let range = self.range(index);
        let node = self.value(index).map_or(Node::Other, node);
        Found { name: self.name(index).to_owned(), at: range.start, range, node }
    }

    /// From the first byte of a server's first part to the last byte of its last, including any text in between.
    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let ranges = self.servers.entries[index].parts.iter().map(|part| self.layout().range(*part));
        ranges.reduce(|all, part| all.start.min(part.start)..all.end.max(part.end)).unwrap_or_default()
    }

    fn layout(&self) -> Layout<'_> {
        Layout { text: self.text, name: self.name, key: self.key, blocks: &self.blocks, servers: &self.servers }
    }

    /// The content of the file without our entry. Empty tables of servers count as absent.
    fn without_ours(&self) -> Table {
        let mut table = self.table.clone();
        take_out(&mut table, self.key.path, self.name);
        table
    }
}

/// A value other than a table is on the path to the servers.
struct NoTable;

/// The name of a server in a list.
fn named(server: &Value) -> Option<&str> {
    server.get("name").and_then(Value::as_str)
}

/// Removes our entry from the servers below `path`, and the tables that are then empty.
fn take_out(table: &mut Table, path: &[&str], name: &str) {
    let Some((step, rest)) = path.split_first() else {
        table.remove(name);
        return;
    };
    let empty = match table.get_mut(*step) {
        Some(Value::Table(inner)) => {
            take_out(inner, rest, name);
            inner.is_empty()
        }
        Some(Value::Array(servers)) => {
            servers.retain(|server| named(server) != Some(name));
            servers.is_empty()
        }
        _ => false,
    };
    if empty {
        table.remove(*step);
    }
}

/// Whether both tables are equal. Two NaN values are equal here.
fn same(one: &Table, two: &Table) -> bool {
    fn values(one: &Value, two: &Value) -> bool {
        match (one, two) {
            (Value::Float(one), Value::Float(two)) => one.to_bits() == two.to_bits(),
            (Value::Array(one), Value::Array(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| values(one, two))
            }
            (Value::Table(one), Value::Table(two)) => same(one, two),
            _ => one == two,
        }
    }
    one.len() == two.len() && one.iter().all(|(name, value)| two.get(name).is_some_and(|other| values(value, other)))
}

fn node(value: &Value) -> Node {
    match value {
        Value::String(text) => Node::Text(text.clone()),
        Value::Boolean(on) => Node::Bool(*on),
        Value::Integer(number) => Node::Number(*number),
        Value::Array(items) => Node::List(items.iter().map(node).collect()),
        Value::Table(members) => Node::Map(members.iter().map(|(name, value)| (name.clone(), node(value))).collect()),
        Value::Float(_) | Value::Datetime(_) => Node::Other,
    }
}
