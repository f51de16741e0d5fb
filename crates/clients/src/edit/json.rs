//! JSON, with or without comments: one object that holds our entry, in the file's own layout.
//!
//! A file is read into an [`Outline`]: where the servers are and where our entry is. It yields the one insertion that
//! adds the entry and the one range that removes it. Two outlines can be compared, which is how a plan is proven.
//! Using them is left to `plan`.

mod between;
mod layout;
mod removal;
mod scan;

use std::ops::Range;

use jsonc_parser::{ParseOptions, parse_to_serde_value, parse_to_value};
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use text::Splice;

use self::scan::{Dialect, Member, Scanned, Value, scan};
use super::{BOM, place, text_of};
use crate::{
    Client, Format, Refusal,
    node::{Found, Node},
};

/// The expected shape of a file and of its servers, for error messages.
const ROOT: &str = "one JSON object in curly brackets";
const OBJECT: &str = "an object in curly brackets";

/// The relevant parts of a file: the object of servers, and our entry in it, found by the given name.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    name: &'a str,
    dialect: Dialect,
    /// The names that lead to the object of servers.
    path: Vec<&'static str>,
    read: Scanned,
}

impl<'a> Outline<'a> {
    /// Parses a file of this client.
    ///
    /// # Errors
    /// If the client could not read the file, or the file is ambiguous or of an unexpected shape on our path.
    pub(crate) fn of(bytes: &'a [u8], client: &Client, name: &'a str) -> Result<Self, Refusal> {
        let place = |at| place(bytes, at);
        let text = text_of(bytes)?;
        let content = text.strip_prefix(BOM).unwrap_or(text);
        if content.len() < text.len() && !client.takes.byte_order_mark {
            return Err(Refusal::ByteOrderMark);
        }
        let dialect = Dialect {
            comments: client.format == Format::Jsonc,
            trailing_commas: client.takes.trailing_commas,
            kept: client.key.path.len() + if client.key.nested.is_some() { 3 } else { 2 },
        };
        let read = scan(text, text.len() - content.len(), dialect)
            .map_err(|fault| Refusal::Syntax { place: place(fault.at), reason: fault.reason })?;

        let mut path = client.key.path.to_vec();
        let mut object = read.root.as_ref();
        if object.is_some_and(|root| root.members.is_none()) {
            return Err(Refusal::NotAMap { what: ROOT });
        }
        for key in client.key.path {
            object = unique(object, key, place)?;
        }
        if let Some(nested) = client.key.nested
            && let Some(servers) = unique(object, nested, place)?
            && holds_servers(servers)
        {
            path.push(nested);
            object = Some(servers);
        }
        if let Some(second) = object.and_then(|servers| named(members(servers), name).nth(1)) {
            return Err(Refusal::Twice { key: name.to_owned(), place: place(second.name.start) });
        }
        Ok(Self { text, name, dialect, path, read })
    }

    /// See [`super::Outline::is_blank`].
    pub(crate) fn is_blank(&self) -> bool {
        self.read.root.is_none()
    }

    /// See [`super::Outline::ours`].
    pub(crate) fn ours(&self) -> Option<Found> {
        named(self.at(self.path.len()), self.name).next().map(|ours| self.found(ours))
    }

    /// See [`super::Outline::servers`].
    pub(crate) fn servers(&self) -> Vec<Found> {
        self.at(self.path.len()).iter().map(|member| self.found(member)).collect()
    }

    /// See [`super::Outline::insertion`].
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        let wrapped = |path: &[&'a str]| {
            path.iter()
                .rev()
                .fold((self.name, ours.json()), |(name, value), key| (*key, serde_json::json!({ name: value })))
        };
        let Some(root) = &self.read.root else {
            let blank = self.content();
            let (name, value) = wrapped(&self.path);
            let (start, document) = layout::document(blank, &serde_json::json!({ name: value }));
            return Splice::insert(self.text.len() - blank.len() + start, document);
        };
        let mut object = root;
        for (depth, key) in self.path.iter().enumerate() {
            let Some(inner) = named(members(object), key).next() else {
                let (name, value) = wrapped(&self.path[depth..]);
                return layout::insertion(self.text, root, object, name, &value);
            };
            object = &inner.value;
        }
        layout::insertion(self.text, root, object, self.name, &ours.json())
    }

    /// See [`super::Outline::replacement`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        let object = self.object(self.path.len())?;
        let there = named(members(object), self.name).next()?;
        Some(layout::replacement(self.text, self.read.root.as_ref()?, object, there, &ours.json()))
    }

    /// See [`super::Outline::step`]. Removals come first, then changes, then additions.
    pub(crate) fn step(&self, ours: &Node) -> Option<Splice> {
        let root = self.read.root.as_ref()?;
        let there = named(self.at(self.path.len()), self.name).next()?;
        let fields = members(&there.value);
        if let Some(goes) = fields.iter().position(|field| ours.get(&field.key).is_none()) {
            return removal::removal(self.text, &there.value, goes);
        }
        let wanted = |field: &Member| ours.get(&field.key).filter(|value| self.found(field).node != **value);
        if let Some((field, value)) = fields.iter().find_map(|field| Some((field, wanted(field)?))) {
            return Some(layout::replacement(self.text, root, &there.value, field, &value.json()));
        }
        let (name, value) = ours.members().iter().find(|(name, _)| named(fields, name).next().is_none())?;
        Some(layout::insertion(self.text, root, &there.value, name, &value.json()))
    }

    /// See [`super::Outline::removal`].
    pub(crate) fn removal(&self) -> Option<Splice> {
        let object = self.object(self.path.len())?;
        let index = members(object).iter().position(|member| member.key == self.name)?;
        removal::removal(self.text, object, index)
    }

    /// See [`super::Outline::same_but_ours`]. Comments count, and so does what another parser reads.
    pub(crate) fn same_but_ours(&self, other: &Outline<'_>) -> bool {
        let depths = self.path.len().max(other.path.len());
        (0..=depths).all(|depth| self.said(depth) == other.said(depth))
            && self.comments() == other.comments()
            && self.without_ours() == other.without_ours()
    }

    /// See [`super::Outline::is_read_by_another`].
    pub(crate) fn is_read_by_another(&self) -> bool {
        is_read_by_another(self.content(), self.dialect)
    }

    /// The text without its byte order mark, which is not part of JSON.
    fn content(&self) -> &'a str {
        self.text.strip_prefix(BOM).unwrap_or(self.text)
    }

    /// The other parser's reading without our entry and the keys that only it needs; `None` if that parser accepts the
    /// grammar but not the values, such as numbers too large for it.
    fn without_ours(&self) -> Option<Json> {
        let mut whole = read_by_another(self.content(), self.dialect)?;
        for depth in (0..=self.path.len()).rev() {
            let object = self.path[..depth].iter().try_fold(&mut whole, |object, key| object.get_mut(key));
            let Some(object) = object.and_then(Json::as_object_mut) else { continue };
            match self.path.get(depth) {
                None => drop(object.shift_remove(self.name)),
                Some(key) if object.get(*key).and_then(Json::as_object).is_some_and(serde_json::Map::is_empty) => {
                    object.shift_remove(*key);
                }
                Some(_) => {}
            }
        }
        Some(whole).filter(|whole| whole.as_object().is_some_and(|object| !object.is_empty()))
    }

    fn found(&self, member: &Member) -> Found {
        let range = member.value.range.clone();
        let value = serde_json::from_str::<Json>(&self.plain(range.clone()));
        let node = value.as_ref().map_or(Node::Other, node);
        Found { name: member.key.clone(), at: member.name.start, range, node }
    }

    /// A part of the text as strict JSON.
    fn plain(&self, range: Range<usize>) -> String {
        let mut plain = self.text[range.clone()].to_owned();
        let within = |end: usize| end > range.start;
        let first = self.read.comments.partition_point(|comment| !within(comment.end));
        for comment in self.read.comments[first..].iter().take_while(|comment| comment.start < range.end) {
            let comment = comment.start - range.start..comment.end - range.start;
            plain.replace_range(comment.clone(), &" ".repeat(comment.len()));
        }
        let first = self.read.trailing_commas.partition_point(|comma| !within(comma + 1));
        for comma in self.read.trailing_commas[first..].iter().take_while(|comma| **comma < range.end) {
            plain.replace_range(comma - range.start..=comma - range.start, " ");
        }
        plain
    }

    /// The object at the first `depth` names of our path.
    fn object(&self, depth: usize) -> Option<&Value> {
        let path = self.path.get(..depth)?;
        path.iter().try_fold(self.read.root.as_ref()?, |object, key| Some(&named(members(object), key).next()?.value))
    }

    fn at(&self, depth: usize) -> &[Member] {
        self.object(depth).map_or(&[], members)
    }

    /// Every name and value at the first `depth` names of our path, as written, except for the next name.
    fn said(&self, depth: usize) -> Vec<(&str, &str)> {
        let next = self.path.get(depth).copied().unwrap_or(self.name);
        let others = self.at(depth).iter().filter(|member| member.key != next);
        others.map(|member| (&self.text[member.name.clone()], &self.text[member.value.range.clone()])).collect()
    }

    /// Every comment outside our entry.
    fn comments(&self) -> Vec<&str> {
        let ours = self.ours().map_or(0..0, |ours| ours.at..ours.range.end);
        let others = self.read.comments.iter().filter(|comment| !ours.contains(&comment.start));
        others.map(|comment| &self.text[comment.clone()]).collect()
    }
}

/// Whether an independent parser accepts a text.
fn is_read_by_another(text: &str, dialect: Dialect) -> bool {
    match options(dialect) {
        None => serde_json::from_str::<IgnoredAny>(text).is_ok(),
        Some(options) => parse_to_value(text, &options).is_ok_and(|value| value.is_some()),
    }
}

/// The value that this parser reads.
fn read_by_another(text: &str, dialect: Dialect) -> Option<Json> {
    match options(dialect) {
        None => serde_json::from_str(text).ok(),
        Some(options) => parse_to_serde_value(text, &options).ok(),
    }
}

/// The other parser's options for a dialect; `None` for strict JSON, which has a stricter parser.
fn options(dialect: Dialect) -> Option<ParseOptions> {
    (dialect.comments || dialect.trailing_commas).then_some(ParseOptions {
        allow_comments: dialect.comments,
        allow_trailing_commas: dialect.trailing_commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    })
}

/// The object that `key` names in an object, if any.
fn unique<'v>(
    object: Option<&'v Value>,
    key: &'static str,
    place: impl Fn(usize) -> text::Place,
) -> Result<Option<&'v Value>, Refusal> {
    let mut found = object.into_iter().flat_map(|object| named(members(object), key));
    let first = found.next();
    if let Some(second) = found.next() {
        return Err(Refusal::Twice { key: key.to_owned(), place: place(second.name.start) });
    }
    match first {
        Some(first) if first.value.members.is_none() => {
            Err(Refusal::NotServers { key, place: place(first.name.start), what: OBJECT })
        }
        first => Ok(first.map(|first| &first.value)),
    }
}

/// Whether an object holds servers rather than being one: each of its values is an object.
fn holds_servers(object: &Value) -> bool {
    members(object).iter().all(|member| member.value.members.is_some())
}

fn node(json: &Json) -> Node {
    match json {
        Json::String(text) => Node::Text(text.clone()),
        Json::Bool(on) => Node::Bool(*on),
        Json::Number(number) => number.as_i64().map_or(Node::Other, Node::Number),
        Json::Array(items) => Node::List(items.iter().map(node).collect()),
        Json::Object(members) => Node::Map(members.iter().map(|(name, value)| (name.clone(), node(value))).collect()),
        Json::Null => Node::Other,
    }
}

fn members(value: &Value) -> &[Member] {
    value.members.as_deref().unwrap_or_default()
}

fn named<'m>(members: &'m [Member], key: &str) -> impl Iterator<Item = &'m Member> {
    members.iter().filter(move |member| member.key == key)
}
