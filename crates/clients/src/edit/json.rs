//! Strict JSON: one object that holds our entry, in the file's own layout.
//!
//! A file is read into an [`Outline`]: where the servers stand and where our entry does. From it
//! come the one insertion that adds the entry and the one range that takes it out. Two outlines
//! can be compared, which is how a plan is proven. What to do with them is `plan`'s part.

mod layout;
mod scan;

use std::ops::Range;

use serde_json::{Value as Json, json};
use text::{Lines, Splice};

use self::scan::{Member, Value, scan};
use crate::{Entry, NAME, Refusal};

const BOM: &str = "\u{feff}";

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
    /// Judges a file whose servers stand below `key`.
    ///
    /// # Errors
    /// When a strict reader could not read it, or it is ambiguous or of another shape on our path.
    pub(crate) fn of(bytes: &'a [u8], key: &'static str) -> Result<Self, Refusal> {
        let place = |at| Lines::new(bytes).place(at);
        let text =
            std::str::from_utf8(bytes).map_err(|error| Refusal::NotUtf8 { place: place(error.valid_up_to()) })?;
        let content = text.strip_prefix(BOM).unwrap_or(text);
        if is_blank(content) {
            return Ok(Self { text, key, root: None });
        }

        let root = scan(text, text.len() - content.len())
            .map_err(|fault| Refusal::Syntax { place: place(fault.at), reason: fault.reason })?;
        let members = root.members.as_ref().ok_or(Refusal::NotAnObject)?;
        let only = |members: &[Member], key: &'static str| match named(members, key).nth(1) {
            Some(second) => Err(Refusal::Twice { key, place: place(second.name.start) }),
            None => Ok(()),
        };
        only(members, key)?;
        if let Some(servers) = named(members, key).next() {
            let servers =
                servers.value.members.as_ref().ok_or(Refusal::NotServers { key, place: place(servers.name.start) })?;
            only(servers, NAME)?;
        }
        Ok(Self { text, key, root: Some(root) })
    }

    /// Whether there is nothing in the file.
    pub(crate) fn is_blank(&self) -> bool {
        self.root.is_none()
    }

    /// What our entry says, as it stands there.
    pub(crate) fn ours(&self) -> Option<&'a str> {
        named(self.servers(), NAME).next().map(|ours| &self.text[ours.value.range.clone()])
    }

    /// The insertion that adds `entry`, for a file that holds none of our name.
    pub(crate) fn insertion(&self, entry: &Entry) -> Splice {
        let ours = json!({ "command": entry.command, "args": entry.args });
        let Some(root) = &self.root else {
            let blank = self.text.strip_prefix(BOM).unwrap_or(self.text);
            let document = layout::document(blank, &json!({ self.key: { NAME: ours } }));
            return Splice::insert(self.text.len() - blank.len(), document);
        };
        match named(members(root), self.key).next() {
            Some(servers) => layout::insertion(self.text, root, &servers.value, NAME, &ours),
            None => layout::insertion(self.text, root, root, self.key, &json!({ NAME: ours })),
        }
    }

    /// The range that takes our entry out, with the one comma that it needs no longer.
    pub(crate) fn removal(&self) -> Option<Range<usize>> {
        let servers = self.servers();
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
        Some(range)
    }

    /// Whether the other file says the same, bytes of every value included, but for our entry,
    /// which stands in this one only. The object that held nothing else may be gone with it.
    pub(crate) fn is_other_and_ours(&self, other: &Outline<'_>) -> bool {
        self.ours().is_some()
            && other.ours().is_none()
            && said(self.text, self.members(), self.key) == said(other.text, other.members(), other.key)
            && said(self.text, self.servers(), NAME) == said(other.text, other.servers(), NAME)
    }

    fn members(&self) -> &[Member] {
        self.root.as_ref().map_or(&[], members)
    }

    fn servers(&self) -> &[Member] {
        named(self.members(), self.key).next().map_or(&[], |servers| members(&servers.value))
    }
}

/// Whether what stands in a file is `entry`, however it is laid out.
pub(crate) fn is_entry(text: &str, entry: &Entry) -> bool {
    serde_json::from_str::<Json>(text)
        .is_ok_and(|there| there == json!({ "command": entry.command, "args": entry.args }))
}

/// Whether a parser that is not ours reads the file too. The byte order mark is not JSON's.
pub(crate) fn is_strict(bytes: &[u8]) -> bool {
    let content = bytes.strip_prefix(BOM.as_bytes()).unwrap_or(bytes);
    serde_json::from_slice::<serde::de::IgnoredAny>(content).is_ok()
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
