//! Computes the one change to a client's file from its row and its current bytes.
//!
//! A plan is returned only after it is proven: the bytes before and after the splice are those of the file, a second
//! strict parser reads both texts, and they differ only in our entry. If the proof fails, the result is a [`Refusal`],
//! and nothing is written.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use text::{Splice, apply, cut};

use crate::{
    Client, Entry, Format, NAME, Refusal, Template,
    edit::Outline,
    node::{Found, Node},
    shape,
};

/// A file with more bytes than this is left alone in any format.
pub const LARGEST: usize = 128 << 20;

/// The change of one client's file, computed from its current bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The bytes that it was computed from; `None` if the file does not exist.
    pub before: Option<Vec<u8>>,
    /// The bytes afterwards; `None` if the file is deleted.
    pub after: Option<Vec<u8>>,
    /// The one splice between them.
    pub splice: Splice,
    /// Whether we created the file.
    created: bool,
    /// All of our bytes in `after`.
    ours: Range<usize>,
}

/// The record kept after adding, so that removing restores the old bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Whether the file did not exist before.
    pub created: bool,
    /// The start of our bytes.
    pub start: usize,
    /// Our bytes.
    pub inserted: String,
    /// The length of the whole file after adding.
    pub length: usize,
}

/// Whether our entry is in a client's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is not.
    Absent,
    /// It is, exactly as we would write it.
    Ours,
    /// It leads to us as we would write it, with additional settings: clients and people add `disabled`, `autoApprove`,
    /// a time limit.
    Adjusted,
    /// An entry with our name has other contents.
    Different,
}

impl Plan {
    /// The record with which this plan, once written, can be undone to the byte.
    pub fn undo(&self) -> Undo {
        let after = self.after.as_deref().unwrap_or_default();
        let inserted = after.get(self.ours.clone()).unwrap_or_default();
        Undo {
            created: self.created,
            start: self.ours.start,
            inserted: String::from_utf8_lossy(inserted).into_owned(),
            length: after.len(),
        }
    }
}

/// Whether our entry is in the file.
///
/// # Errors
/// If the client could not read the file, or the file is ambiguous on our path, or the client has no entry of this
/// kind.
pub fn standing(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Standing, Refusal> {
    standing_as(client, NAME, current, entry)
}

/// The same for the entry called `name`.
///
/// # Errors
/// As for [`standing`].
pub fn standing_as(client: &Client, name: &str, current: Option<&[u8]>, entry: &Entry) -> Result<Standing, Refusal> {
    let (template, node) = spelled_as(client, name, entry)?;
    Ok(match outline_of(client, current.unwrap_or_default(), name)?.ours() {
        None => Standing::Absent,
        Some(ours) if ours.node == node => Standing::Ours,
        Some(ours) if shape::leads_to(template, entry, &ours.node) => Standing::Adjusted,
        Some(_) => Standing::Different,
    })
}

/// The plan that adds `entry`.
///
/// # Errors
/// If the client could not read the file, or the file already holds an entry with our name.
pub fn connect(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Plan, Refusal> {
    connect_as(client, NAME, current, entry)
}

/// The plan that adds `entry` under another name than ours, as a server of its own.
///
/// # Errors
/// As for [`connect`].
pub fn connect_as(client: &Client, name: &str, current: Option<&[u8]>, entry: &Entry) -> Result<Plan, Refusal> {
    match standing_as(client, name, current, entry)? {
        Standing::Absent => {}
        Standing::Ours | Standing::Adjusted => return Err(Refusal::Already),
        Standing::Different => return Err(Refusal::Different),
    }
    let (_, node) = spelled_as(client, name, entry)?;
    let before = current.unwrap_or_default();
    let splice = outline_of(client, before, name)?.insertion(&node);
    let ours = splice.start..splice.start + splice.insert.len();
    proven(client, name, current, splice, &node, current.is_none(), ours)
}

/// The plan that changes our entry to `entry`, because our program moved or another kind of entry is chosen.
///
/// Settings of the client or its user stay: `disabled`, `autoApprove`, a time limit. With the `undo` of adding, the
/// undo of the new plan restores the file from before that.
///
/// # Errors
/// If the client could not read the file, or it holds no entry with our name, or the entry is up to date.
pub fn update(client: &Client, current: &[u8], entry: &Entry, undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let (template, node) = spelled(client, entry)?;
    let there = outline(client, current)?.ours().ok_or(Refusal::Absent)?;
    let known = [client.stdio, client.http];
    let merged = shape::merged(template, &known, &node, &there.node);
    if !merged.has_other() {
        return replaced(client, current, &merged, undo);
    }
    // Values that we cannot write stay only if their bytes do: TOML and YAML are changed value by value.
    match client.format {
        Format::Json | Format::Jsonc => replaced(client, current, &node, undo),
        Format::Toml | Format::Yaml => match replaced(client, current, &merged, undo) {
            Err(Refusal::Unproven) => replaced(client, current, &node, undo),
            plan => plan,
        },
    }
}

/// The plan that changes our entry to exactly `entry`, whatever it holds now.
///
/// # Errors
/// As for [`update`].
pub fn reset(client: &Client, current: &[u8], entry: &Entry, undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let (_, node) = spelled(client, entry)?;
    replaced(client, current, &node, undo)
}

/// The plan that removes our entry. With the `undo` of adding, it removes exactly the added bytes, wherever they are
/// now: an untouched file is restored to its old bytes, and a file that we created is deleted. If those bytes were
/// edited, the entry itself is removed.
///
/// # Errors
/// If the client could not read the file, or it holds no entry with our name.
pub fn disconnect(client: &Client, current: &[u8], undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let entry = outline(client, current)?.removal().ok_or(Refusal::Absent)?;
    let added = undo.map_or_else(Vec::new, |undo| added_ranges(client, current, undo, &(entry.start..entry.end)));

    for splice in added.into_iter().map(|range| Splice::new(range, "")).chain([entry]) {
        let rest = apply(current, std::slice::from_ref(&splice)).map_err(|_| Refusal::Unproven)?;
        let restored = undo.is_some_and(|undo| undo.start == splice.start && undo.length == current.len());
        if !restored && outline(client, &rest).is_ok_and(|rest| rest.is_blank()) {
            continue; // a blank file is not JSON: only the user may have left one
        }
        if is_without_ours(client, current, &rest) {
            let created = undo.is_some_and(|undo| undo.created);
            let ours = splice.start..splice.start;
            let after = (!(restored && created)).then_some(rest);
            return Ok(Plan { before: Some(current.to_vec()), after, splice, created: false, ours });
        }
    }
    Err(Refusal::Unproven)
}

/// The file without the entry called `name`, which leads to us as `entry` does.
///
/// # Errors
/// If no such entry exists, or it has other contents, or the change cannot be proven to touch only it.
pub fn disconnect_as(client: &Client, name: &str, current: &[u8], entry: &Entry) -> Result<Vec<u8>, Refusal> {
    match standing_as(client, name, Some(current), entry)? {
        Standing::Ours | Standing::Adjusted => {}
        Standing::Absent => return Err(Refusal::Absent),
        Standing::Different => return Err(Refusal::Different),
    }
    let more = outline_of(client, current, name)?;
    let splice = more.removal().ok_or(Refusal::Absent)?;
    let rest = apply(current, &[splice]).map_err(|_| Refusal::Unproven)?;
    let less = outline_of(client, &rest, name).map_err(of_ours)?;
    let proven = more.is_read_by_another()
        && (less.is_blank() || less.is_read_by_another())
        && less.ours().is_none()
        && more.same_but_ours(&less);
    if proven { Ok(rest) } else { Err(Refusal::Unproven) }
}

/// Parses a file for our own entry.
pub(crate) fn outline<'a>(client: &Client, bytes: &'a [u8]) -> Result<Outline<'a>, Refusal> {
    outline_of(client, bytes, NAME)
}

/// Parses a file for the entry called `name`, unless it is larger than any settings file.
pub(crate) fn outline_of<'a>(client: &Client, bytes: &'a [u8], name: &'a str) -> Result<Outline<'a>, Refusal> {
    if bytes.len() > LARGEST {
        return Err(Refusal::TooLarge);
    }
    Outline::of(bytes, client, name)
}

/// Our entry in the form that a client uses.
pub(crate) fn spelled(client: &Client, entry: &Entry) -> Result<(Template, Node), Refusal> {
    spelled_as(client, NAME, entry)
}

/// An entry of any name in the form that a client uses.
pub(crate) fn spelled_as(client: &Client, name: &str, entry: &Entry) -> Result<(Template, Node), Refusal> {
    let (template, what) = match entry {
        Entry::Stdio { .. } => (client.stdio, "run a program"),
        Entry::Http { .. } => (client.http, "dial an address"),
    };
    template
        .and_then(|template| Some((template, shape::filled(template, name, entry)?)))
        .ok_or(Refusal::NoSuchEntry { client: client.name, what })
}

fn replaced(client: &Client, current: &[u8], node: &Node, undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let outline = outline(client, current)?;
    let there = outline.ours().ok_or(Refusal::Absent)?;
    if there.node == *node {
        return Err(Refusal::Already);
    }
    let splice = outline.replacement(node).ok_or(Refusal::Unproven)?;
    if !is_within(&splice, &there) {
        return Err(Refusal::Unproven);
    }
    let added = undo.and_then(|undo| {
        let mut added = added_ranges(client, current, undo, &there.range).into_iter();
        added.find(|added| added.start <= splice.start && splice.end <= added.end)
    });
    // Without the added bytes, undoing removes the entry and leaves the text created around it.
    let ours = added.map_or(splice.start..splice.start, |added| {
        added.start..added.end + splice.insert.len() - (splice.end - splice.start)
    });
    let created = undo.is_some_and(|undo| undo.created);
    proven(client, NAME, Some(current), splice, node, created, ours)
}

/// The plan of a splice that leaves `node` as the entry called `name` and changes nothing else.
pub(crate) fn proven(
    client: &Client,
    name: &str,
    current: Option<&[u8]>,
    splice: Splice,
    node: &Node,
    created: bool,
    ours: Range<usize>,
) -> Result<Plan, Refusal> {
    let before = current.unwrap_or_default();
    let after = apply(before, std::slice::from_ref(&splice)).map_err(|_| Refusal::Unproven)?;
    let inserted = splice.start..splice.start + splice.insert.len();
    let (old, new) = (outline_of(client, before, name)?, outline_of(client, &after, name).map_err(of_ours)?);
    let proven = cut(&after, inserted) == cut(before, splice.start..splice.end)
        && (old.is_blank() || old.is_read_by_another())
        && new.is_read_by_another()
        && new.same_but_ours(&old)
        && new.ours().is_some_and(|ours| ours.node == *node);
    if !proven {
        return Err(Refusal::Unproven);
    }
    Ok(Plan { before: current.map(<[u8]>::to_vec), after: Some(after), splice, created, ours })
}

/// Maps a refusal of our own result: it can only be too large; any other fault leaves it unproven.
fn of_ours(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::TooLarge | Refusal::TooMuch => refusal,
        _ => Refusal::Unproven,
    }
}

pub(crate) fn is_within(splice: &Splice, there: &Found) -> bool {
    there.range.start <= splice.start && splice.end <= there.range.end
}

/// The current positions of the added bytes: the old one, or others around our `entry`.
fn added_ranges(client: &Client, current: &[u8], undo: &Undo, entry: &Range<usize>) -> Vec<Range<usize>> {
    let added = undo.inserted.as_bytes();
    let near = entry.start.saturating_sub(added.len())..=entry.end;
    // Formats whose proof compares comments detect joined comments themselves.
    let counts_comments = matches!(client.format, Format::Json | Format::Jsonc);
    [undo.start]
        .into_iter()
        .chain(near)
        .filter(|&start| !added.is_empty() && current.get(start..).is_some_and(|rest| rest.starts_with(added)))
        .map(|start| start..start + added.len())
        .filter(|range| range.start == undo.start || counts_comments || !joins_lines(current, range))
        .collect()
}

/// Whether two lines of other authors would become one. The first could be a comment.
fn joins_lines(current: &[u8], range: &Range<usize>) -> bool {
    let is_end = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
    let (before, after) = (&current[..range.start], &current[range.end..]);
    let ours = &current[range.clone()];
    let brackets = matches!(before.last(), Some(b'{' | b'['));
    let open = !(before.is_empty() || is_end(before.last()) || brackets);
    open && is_end(ours.first()) && is_end(ours.last()) && !is_end(after.first())
}

/// Whether `without` equals `with` except for our entry.
fn is_without_ours(client: &Client, with: &[u8], without: &[u8]) -> bool {
    let (Ok(more), Ok(less)) = (outline(client, with), outline(client, without)) else {
        return false;
    };
    more.is_read_by_another()
        && (less.is_blank() || less.is_read_by_another())
        && less.ours().is_none()
        && more.same_but_ours(&less)
}
