//! From a row and the present bytes of a client's file to the one change that we would make.
//!
//! A plan is returned only after it was proven: the bytes before and behind the splice are those
//! of the file, both texts are read by a second strict parser, and they differ in our entry alone.
//! Otherwise there is a [`Refusal`], and nothing to write.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use text::{Splice, apply, cut};

use crate::{
    Client, Entry, Format, NAME, Refusal, Template,
    edit::Outline,
    node::{Found, Node},
    shape,
};

/// A file of more bytes than this is left alone, whatever its format.
pub const LARGEST: usize = 128 << 20;

/// The change of one client's file, computed from its present bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The bytes that it was computed from; `None` when there is no file.
    pub before: Option<Vec<u8>>,
    /// The bytes afterwards; `None` when the file goes.
    pub after: Option<Vec<u8>>,
    /// The one splice between them.
    pub splice: Splice,
    /// Whether we made the file.
    created: bool,
    /// All of our bytes in `after`.
    ours: Range<usize>,
}

/// What is kept after adding, so that removing gives the old bytes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Whether there was no file before.
    pub created: bool,
    /// Where our bytes begin.
    pub start: usize,
    /// Our bytes.
    pub inserted: String,
    /// How long the whole file was after adding.
    pub length: usize,
}

/// Whether our entry stands in a client's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It does not.
    Absent,
    /// It does, and says what we would write.
    Ours,
    /// It leads to us as we would write it, with other switches beside: clients and people add `disabled`,
    /// `autoApprove`, a time limit.
    Adjusted,
    /// There is an entry of our name that says something else.
    Different,
}

impl Plan {
    /// What to keep, so that this plan can be undone to the byte once it is written.
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

/// Whether our entry stands in the file.
///
/// # Errors
/// When the file is not one that the client could read, or is ambiguous on our path; when the client's file
/// knows no entry of this kind.
pub fn standing(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Standing, Refusal> {
    standing_as(client, NAME, current, entry)
}

/// The same of an entry of any name.
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
/// When the file is not one that the client could read, or already holds an entry of our name.
pub fn connect(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Plan, Refusal> {
    connect_as(client, NAME, current, entry)
}

/// The plan that adds `entry` under another name than ours: a server of its own.
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

/// The plan that makes our entry say `entry`: our program moved, or another kind of entry is chosen. What the client
/// or its user has set in it stays: `disabled`, `autoApprove`, a time limit. With the `undo` of adding, that of the new plan
/// leads back to before it.
///
/// # Errors
/// When the file is not one that the client could read, or holds no entry of our name, or says it already.
pub fn update(client: &Client, current: &[u8], entry: &Entry, undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let (template, node) = spelled(client, entry)?;
    let there = outline(client, current)?.ours().ok_or(Refusal::Absent)?;
    let known = [client.stdio, client.http];
    let merged = shape::merged(template, &known, &node, &there.node);
    if !merged.has_other() {
        return replaced(client, current, &merged, undo);
    }
    // What we cannot write can stay only where its bytes do: TOML and YAML are changed value by value.
    match client.format {
        Format::Json | Format::Jsonc => replaced(client, current, &node, undo),
        Format::Toml | Format::Yaml => match replaced(client, current, &merged, undo) {
            Err(Refusal::Unproven) => replaced(client, current, &node, undo),
            plan => plan,
        },
    }
}

/// The plan that makes our entry say `entry` and nothing else, whatever stands there now.
///
/// # Errors
/// As for [`update`].
pub fn reset(client: &Client, current: &[u8], entry: &Entry, undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let (_, node) = spelled(client, entry)?;
    replaced(client, current, &node, undo)
}

/// The plan that takes our entry out again. With the `undo` of adding, it takes exactly the bytes
/// that were added, wherever they stand by now: an untouched file gets its old bytes back, and one
/// that we made goes. Where those bytes were edited, the entry itself is taken out.
///
/// # Errors
/// When the file is not one that the client could read, or holds no entry of our name.
pub fn disconnect(client: &Client, current: &[u8], undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let entry = outline(client, current)?.removal().ok_or(Refusal::Absent)?;
    let added = undo.map_or_else(Vec::new, |undo| added_ranges(client, current, undo, &(entry.start..entry.end)));

    for splice in added.into_iter().map(|range| Splice::new(range, "")).chain([entry]) {
        let rest = apply(current, std::slice::from_ref(&splice)).map_err(|_| Refusal::Unproven)?;
        let restored = undo.is_some_and(|undo| undo.start == splice.start && undo.length == current.len());
        if !restored && outline(client, &rest).is_ok_and(|rest| rest.is_blank()) {
            continue; // a file of blanks is no JSON: only the user may have left one
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

/// The file without the entry of this name, which leads to us as `entry` does.
///
/// # Errors
/// When there is no such entry, or it says something else, or the change cannot be proven to be this one alone.
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

/// Reads a file for our own entry.
pub(crate) fn outline<'a>(client: &Client, bytes: &'a [u8]) -> Result<Outline<'a>, Refusal> {
    outline_of(client, bytes, NAME)
}

/// Reads a file for the entry of this name, unless it is larger than any settings file.
pub(crate) fn outline_of<'a>(client: &Client, bytes: &'a [u8], name: &'a str) -> Result<Outline<'a>, Refusal> {
    if bytes.len() > LARGEST {
        return Err(Refusal::TooLarge);
    }
    Outline::of(bytes, client, name)
}

/// An entry in the spelling of a client.
pub(crate) fn spelled(client: &Client, entry: &Entry) -> Result<(Template, Node), Refusal> {
    spelled_as(client, NAME, entry)
}

/// The same for an entry of any name.
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
    // Without the bytes that were added, undoing takes out the entry and leaves what was made around it.
    let ours = added.map_or(splice.start..splice.start, |added| {
        added.start..added.end + splice.insert.len() - (splice.end - splice.start)
    });
    let created = undo.is_some_and(|undo| undo.created);
    proven(client, NAME, Some(current), splice, node, created, ours)
}

/// The plan of a splice that leaves `node` as the entry of this name and nothing else changed.
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

/// Why our own text is refused: it may be what makes a file too large, and nothing else should be wrong with it.
fn of_ours(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::TooLarge | Refusal::TooMuch => refusal,
        _ => Refusal::Unproven,
    }
}

pub(crate) fn is_within(splice: &Splice, there: &Found) -> bool {
    there.range.start <= splice.start && splice.end <= there.range.end
}

/// Where the added bytes stand now: where they were put, or elsewhere around our `entry`.
fn added_ranges(client: &Client, current: &[u8], undo: &Undo, entry: &Range<usize>) -> Vec<Range<usize>> {
    let added = undo.inserted.as_bytes();
    let near = entry.start.saturating_sub(added.len())..=entry.end;
    // Where a comment that is joined to another would be found out by the proof.
    let counts_comments = matches!(client.format, Format::Json | Format::Jsonc);
    [undo.start]
        .into_iter()
        .chain(near)
        .filter(|&start| !added.is_empty() && current.get(start..).is_some_and(|rest| rest.starts_with(added)))
        .map(|start| start..start + added.len())
        .filter(|range| range.start == undo.start || counts_comments || !joins_lines(current, range))
        .collect()
}

/// Whether two lines of others would become one. A comment could be the first of them.
fn joins_lines(current: &[u8], range: &Range<usize>) -> bool {
    let is_end = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
    let (before, after) = (&current[..range.start], &current[range.end..]);
    let ours = &current[range.clone()];
    let brackets = matches!(before.last(), Some(b'{' | b'['));
    let open = !(before.is_empty() || is_end(before.last()) || brackets);
    open && is_end(ours.first()) && is_end(ours.last()) && !is_end(after.first())
}

/// Whether `without` says the same as `with`, but for our entry.
fn is_without_ours(client: &Client, with: &[u8], without: &[u8]) -> bool {
    let (Ok(more), Ok(less)) = (outline(client, with), outline(client, without)) else {
        return false;
    };
    more.is_read_by_another()
        && (less.is_blank() || less.is_read_by_another())
        && less.ours().is_none()
        && more.same_but_ours(&less)
}
