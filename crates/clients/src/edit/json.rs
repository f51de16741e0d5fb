//! Strict JSON: one object that holds our entry, in the file's own layout.
//!
//! A file is read into an [`Outline`]: where the servers stand and where our entry does. From it
//! come the one insertion that adds the entry and the one range that takes it out. Two outlines
//! can be compared, which is how a plan is proven. What to do with them is `plan`'s part.

mod layout;
mod scan;

use serde_json::Value as Json;
use text::Splice;

use self::scan::{Member, Value, scan};
use super::{BOM, place, text_of};
use crate::{
    Client, NAME, Refusal,
    node::{Found, Node},
};

/// What a file and its servers are, in a complaint.
const ROOT: &str = "one JSON object in curly brackets";
const OBJECT: &str = "an object in curly brackets";

/// What matters of a file: the object of servers, and our entry in it.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    /// The name of the object of servers.
    key: &'static str,
    /// `None` for a file of nothing but blanks.
    root: Option<Value>,
}

impl<'a> Outline<'a> {
    /// Judges a file of this client.
    ///
    /// # Errors
    /// When a strict reader could not read it, or it is ambiguous or of another shape on our path.
    pub(crate) fn of(bytes: &'a [u8], client: &Client) -> Result<Self, Refusal> {
        let place = |at| place(bytes, at);
        let key = client.key.name();
        let text = text_of(bytes)?;
        let content = text.strip_prefix(BOM).unwrap_or(text);
        if is_blank(content) {
            return Ok(Self { text, key, root: None });
        }

        let root = scan(text, text.len() - content.len())
            .map_err(|fault| Refusal::Syntax { place: place(fault.at), reason: fault.reason })?;
        let members = root.members.as_ref().ok_or(Refusal::NotAMap { what: ROOT })?;
        let only = |members: &[Member], key: &'static str| match named(members, key).nth(1) {
            Some(second) => Err(Refusal::Twice { key, place: place(second.name.start) }),
            None => Ok(()),
        };
        only(members, key)?;
        if let Some(servers) = named(members, key).next() {
            let refusal = Refusal::NotServers { key, place: place(servers.name.start), what: OBJECT };
            only(servers.value.members.as_ref().ok_or(refusal)?, NAME)?;
        }
        Ok(Self { text, key, root: Some(root) })
    }

    /// Whether there is nothing in the file.
    pub(crate) fn is_blank(&self) -> bool {
        self.root.is_none()
    }

    /// See [`super::Outline::ours`].
    pub(crate) fn ours(&self) -> Option<Found> {
        named(self.servers_there(), NAME).next().map(|ours| self.found(ours))
    }

    /// See [`super::Outline::servers`].
    pub(crate) fn servers(&self) -> Vec<Found> {
        self.servers_there().iter().map(|member| self.found(member)).collect()
    }

    /// See [`super::Outline::insertion`].
    pub(crate) fn insertion(&self, ours: &Node) -> Splice {
        let ours = json(ours);
        let Some(root) = &self.root else {
            let blank = self.text.strip_prefix(BOM).unwrap_or(self.text);
            let document = layout::document(blank, &serde_json::json!({ self.key: { NAME: ours } }));
            return Splice::insert(self.text.len() - blank.len(), document);
        };
        match named(members(root), self.key).next() {
            Some(servers) => layout::insertion(self.text, root, &servers.value, NAME, &ours),
            None => layout::insertion(self.text, root, root, self.key, &serde_json::json!({ NAME: ours })),
        }
    }

    /// See [`super::Outline::replacement`].
    pub(crate) fn replacement(&self, ours: &Node) -> Option<Splice> {
        let servers = &named(self.members(), self.key).next()?.value;
        let there = named(members(servers), NAME).next()?;
        Some(layout::replacement(self.text, self.root.as_ref()?, servers, there, &json(ours)))
    }

    /// The entry goes with the one comma that it needs no longer.
    pub(crate) fn removal(&self) -> Option<Splice> {
        let servers = self.servers_there();
        let ours = servers.iter().position(|member| member.key == NAME)?;
        let before = ours.checked_sub(1).map(|before| &servers[before]);
        let range = match (before, servers.get(ours + 1)) {
            (Some(before), None) => before.value.range.end..servers[ours].value.range.end,
            (_, Some(after)) => servers[ours].name.start..after.name.start,
            (None, None) => {
                let whole = named(members(self.root.as_ref()?), self.key).next()?.value.range.clone();
                whole.start + 1..whole.end - 1
            }
        };
        Some(Splice::new(range, ""))
    }

    /// See [`super::Outline::same_but_ours`].
    pub(crate) fn same_but_ours(&self, other: &Outline<'_>) -> bool {
        said(self.text, self.members(), self.key) == said(other.text, other.members(), other.key)
            && said(self.text, self.servers_there(), NAME) == said(other.text, other.servers_there(), NAME)
    }

    /// See [`super::Outline::is_read_by_another`]. The byte order mark is not JSON's.
    pub(crate) fn is_read_by_another(&self) -> bool {
        let content = self.text.strip_prefix(BOM).unwrap_or(self.text);
        serde_json::from_str::<serde::de::IgnoredAny>(content).is_ok()
    }

    fn found(&self, member: &Member) -> Found {
        let range = member.value.range.clone();
        let value = serde_json::from_str::<Json>(&self.text[range.clone()]);
        let node = value.as_ref().map_or(Node::Other, node);
        Found { name: member.key.clone(), at: member.name.start, range, node }
    }

    fn members(&self) -> &[Member] {
        self.root.as_ref().map_or(&[], members)
    }

    fn servers_there(&self) -> &[Member] {
        named(self.members(), self.key).next().map_or(&[], |servers| members(&servers.value))
    }
}

fn json(node: &Node) -> Json {
    match node {
        Node::Text(text) => Json::from(text.as_str()),
        Node::Bool(on) => Json::from(*on),
        Node::Number(number) => Json::from(*number),
        Node::List(items) => items.iter().map(json).collect(),
        Node::Map(members) => members.iter().map(|(name, value)| (name.clone(), json(value))).collect(),
        Node::Other => Json::Null,
    }
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

/// The four characters that JSON calls blank, and no others.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

fn members(value: &Value) -> &[Member] {
    value.members.as_deref().unwrap_or_default()
}

fn named<'m>(members: &'m [Member], key: &str) -> impl Iterator<Item = &'m Member> {
    members.iter().filter(move |member| member.key == key)
}

/// Every name and value but the ones of `key`, as they are written.
fn said<'t>(text: &'t str, members: &[Member], key: &str) -> Vec<(&'t str, &'t str)> {
    let others = members.iter().filter(|member| member.key != key);
    others.map(|member| (&text[member.name.clone()], &text[member.value.range.clone()])).collect()
}
