//! Finds the servers among the statements of a file, in all the ways that TOML can write a table.

use std::{collections::HashMap, ops::Range};

use super::scan::{Block, Inside, Pair, Value};
use crate::{Key, edit::flow::Flow};

/// Every server, and the brackets around them all, if they are in brackets.
#[derive(Debug, Default)]
pub(super) struct Servers {
    pub(super) entries: Vec<Entry>,
    pub(super) brackets: Option<Brackets>,
    /// The first statement about the servers or a table that contains them.
    pub(super) at: Option<usize>,
    names: HashMap<String, usize>,
}

/// One server.
#[derive(Debug)]
pub(super) struct Entry {
    /// Empty in a list, where the name is one of the values.
    pub(super) name: String,
    /// In the order of the file.
    pub(super) parts: Vec<Part>,
}

/// A statement about one server. The order is by preference: a new server goes after the greatest part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A member of the brackets.
    Member(usize),
    /// A pair of a block: `mcp_servers.a.command = "b"`.
    Line(usize, usize),
    /// A whole block: `[mcp_servers.a]`.
    Block(usize),
}

/// An inline table or array on the path to the servers, which nothing outside can add to.
#[derive(Debug)]
pub(super) struct Brackets {
    /// From bracket to bracket.
    pub(super) range: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
    /// The names that are still missing between it and the servers.
    pub(super) rest: &'static [&'static str],
    /// Whether the brackets are those of an array.
    pub(super) array: bool,
}

impl Brackets {
    pub(super) fn flow<'t>(&self, text: &'t str) -> Flow<'t> {
        let inside = self.range.start + 1..self.range.end - 1;
        let pad = if self.array { "" } else { " " };
        Flow { text, inside, items: self.items.clone(), pad }
    }
}

impl Servers {
    /// Finds the servers. The file is already checked, so every value on the path is a table.
    pub(super) fn of(blocks: &[Block], key: Key) -> Self {
        let mut servers = Self::default();
        for (index, block) in blocks.iter().enumerate() {
            servers.look_into(block, index, key);
        }
        servers
    }

    fn look_into(&mut self, block: &Block, index: usize, key: Key) {
        let path = block.path();
        if leads_through(path, key.path) {
            self.at.get_or_insert(block.range().start);
            let element = block.header.as_ref().is_some_and(|header| header.element);
            match &path[key.path.len()..] {
                [] if key.list && element => self.add(None, Part::Block(index)),
                [..] if key.list => self.add_to_last(Part::Block(index)),
                [name, ..] => self.add(Some(name), Part::Block(index)),
                [] => {
                    for (line, pair) in block.pairs.iter().enumerate() {
                        self.add(Some(&pair.path[0]), Part::Line(index, line));
                    }
                }
            }
        } else if leads_to(path, key.path) {
            let rest = &key.path[path.len()..];
            for (line, pair) in block.pairs.iter().enumerate() {
                self.look_at(pair, rest, key.list, Part::Line(index, line));
            }
        }
    }

    /// Examines a pair from which `rest` leads on to the servers.
    fn look_at(&mut self, pair: &Pair, rest: &'static [&'static str], list: bool, part: Part) -> bool {
        let found = if leads_through(&pair.path, rest) && pair.path.len() > rest.len() {
            self.add(Some(&pair.path[rest.len()]), part);
            false
        } else if leads_to(&pair.path, rest) {
            self.look_between(&pair.value, &rest[pair.path.len()..], list)
        } else {
            return false;
        };
        self.at.get_or_insert(pair.name.start);
        found
    }

    /// Examines a bracketed value; returns whether it holds the servers or their place.
    fn look_between(&mut self, value: &Value, rest: &'static [&'static str], list: bool) -> bool {
        let (items, array): (Vec<_>, _) = match &value.inside {
            Inside::Scalar => return false,
            Inside::Array(items) => (items.iter().map(|item| item.range.clone()).collect(), true),
            Inside::Table(pairs) => (pairs.iter().map(Pair::range).collect(), false),
        };
        match &value.inside {
            Inside::Table(pairs) if !(list && rest.is_empty()) => {
                for (index, pair) in pairs.iter().enumerate() {
                    if self.look_at(pair, rest, list, Part::Member(index)) {
                        return true;
                    }
                }
            }
            Inside::Array(items) if list && rest.is_empty() => {
                (0..items.len()).for_each(|index| self.add(None, Part::Member(index)));
            }
            _ => return false,
        }
        self.brackets = Some(Brackets { range: value.range.clone(), items, rest, array });
        true
    }

    /// Adds a part to the server called `name`, or to a new server if it has no name.
    fn add(&mut self, name: Option<&str>, part: Part) {
        let next = self.entries.len();
        let index = name.map_or(next, |name| *self.names.entry(name.to_owned()).or_insert(next));
        match self.entries.get_mut(index) {
            Some(entry) => entry.parts.push(part),
            None => self.entries.push(Entry { name: name.unwrap_or_default().to_owned(), parts: vec![part] }),
        }
    }

    fn add_to_last(&mut self, part: Part) {
        if let Some(last) = self.entries.last_mut() {
            last.parts.push(part);
        }
    }
}

/// Whether `names` begin with the whole path.
fn leads_through(names: &[String], path: &[&str]) -> bool {
    names.len() >= path.len() && names.iter().zip(path).all(|(name, step)| name == step)
}

/// Whether the path begins with all the names.
fn leads_to(names: &[String], path: &[&str]) -> bool {
    names.len() <= path.len() && names.iter().zip(path).all(|(name, step)| name == step)
}
