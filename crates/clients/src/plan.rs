//! From a row and the present bytes of a client's file to the one change that we would make.
//!
//! A plan is returned only after it was proven: the bytes before and behind the splice are those
//! of the file, both texts are read by a second strict parser, and they differ in our entry alone.
//! Otherwise there is a [`Refusal`], and nothing to write.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use text::{Splice, apply, cut};

use crate::{
    Client, Entry, Format, Refusal,
    edit::json::{self, Outline},
};

/// A file of more bytes than this is left alone, whatever its format.
pub const LARGEST: usize = 16 << 20;

/// The change of one client's file, computed from its present bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The bytes that it was computed from; `None` when there is no file.
    pub before: Option<Vec<u8>>,
    /// The bytes afterwards; `None` when the file goes.
    pub after: Option<Vec<u8>>,
    /// The one splice between them.
    pub splice: Splice,
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
    /// There is an entry of our name that says something else.
    Different,
}

impl Plan {
    /// What to keep, so that this plan can be undone to the byte once it is written.
    pub fn undo(&self) -> Undo {
        Undo {
            created: self.before.is_none(),
            start: self.splice.start,
            inserted: self.splice.insert.clone(),
            length: self.after.as_ref().map_or(0, Vec::len),
        }
    }
}

/// Whether our entry stands in the file.
///
/// # Errors
/// When the file is not one that the client could read, or is ambiguous on our path.
pub fn standing(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Standing, Refusal> {
    let outline = outline(client, current.unwrap_or_default())?;
    Ok(match outline.ours() {
        None => Standing::Absent,
        Some(ours) if json::is_entry(ours, entry) => Standing::Ours,
        Some(_) => Standing::Different,
    })
}

/// The plan that adds `entry`.
///
/// # Errors
/// When the file is not one that the client could read, or already holds an entry of our name.
pub fn connect(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Plan, Refusal> {
    match standing(client, current, entry)? {
        Standing::Absent => {}
        Standing::Ours => return Err(Refusal::Already),
        Standing::Different => return Err(Refusal::Different),
    }
    let before = current.unwrap_or_default();
    let splice = outline(client, before)?.insertion(entry);
    let after = apply(before, std::slice::from_ref(&splice)).map_err(|_| Refusal::Unproven)?;

    let range = splice.start..splice.start + splice.insert.len();
    let proven = is_ours_alone(client, &after, before, &range)
        && outline(client, &after)?.ours().is_some_and(|ours| json::is_entry(ours, entry));
    if !proven {
        return Err(Refusal::Unproven);
    }
    Ok(Plan { before: current.map(<[u8]>::to_vec), after: Some(after), splice })
}

/// The plan that takes our entry out again. With the `undo` of adding, it takes exactly the bytes
/// that were added, wherever they stand by now: an untouched file gets its old bytes back, and one
/// that we made goes. Where those bytes were edited, the entry itself is taken out.
///
/// # Errors
/// When the file is not one that the client could read, or holds no entry of our name.
pub fn disconnect(client: &Client, current: &[u8], undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let entry = outline(client, current)?.removal().ok_or(Refusal::Absent)?;
    let added = undo.map_or_else(Vec::new, |undo| added_ranges(current, undo, &entry));

    for range in added.into_iter().chain([entry]) {
        let rest = cut(current, range.clone());
        let restored = undo.is_some_and(|undo| undo.start == range.start && undo.length == current.len());
        if !restored && outline(client, &rest).is_ok_and(|rest| rest.is_blank()) {
            continue; // a file of blanks is no JSON: only the user may have left one
        }
        if is_ours_alone(client, current, &rest, &range) {
            let deleted = restored && undo.is_some_and(|undo| undo.created);
            let splice = Splice::new(range, "");
            return Ok(Plan { before: Some(current.to_vec()), after: (!deleted).then_some(rest), splice });
        }
    }
    Err(Refusal::Unproven)
}

fn outline<'a>(client: &Client, bytes: &'a [u8]) -> Result<Outline<'a>, Refusal> {
    if bytes.len() > LARGEST {
        return Err(Refusal::TooLarge);
    }
    match client.format {
        Format::Json => Outline::of(bytes, client.key),
    }
}

/// Where the added bytes stand now: where they were put, or elsewhere around our `entry`.
fn added_ranges(current: &[u8], undo: &Undo, entry: &Range<usize>) -> Vec<Range<usize>> {
    let added = undo.inserted.as_bytes();
    let near = entry.start.saturating_sub(added.len())..=entry.end;
    [undo.start]
        .into_iter()
        .chain(near)
        .filter(|&start| !added.is_empty() && current.get(start..).is_some_and(|rest| rest.starts_with(added)))
        .map(|start| start..start + added.len())
        .collect()
}

/// Whether `with` is `without` plus the bytes of `range`, and says the same but for our entry.
fn is_ours_alone(client: &Client, with: &[u8], without: &[u8], range: &Range<usize>) -> bool {
    let (Ok(more), Ok(less)) = (outline(client, with), outline(client, without)) else {
        return false;
    };
    cut(with, range.clone()) == without
        && json::is_strict(with)
        && (less.is_blank() || json::is_strict(without))
        && more.is_other_and_ours(&less)
}
