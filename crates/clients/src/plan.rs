//! From a row and the present bytes of a client's file to the one change that we would make.

use serde::{Deserialize, Serialize};
use text::{Place, Splice};

use crate::{Client, Entry};

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
    /// SHA-256 of the whole file after adding is the caller's to keep; this is its length.
    pub length: usize,
}

/// Whether our entry stands in a client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It does not.
    Absent,
    /// It does, exactly as we would write it.
    Ours,
    /// There is an entry of our name that says something else.
    Different,
}

/// Why a client's file is left alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The client could not read this file either.
    #[error("The file has an error at {place}: {reason}.")]
    Syntax {
        /// Where.
        place: Place,
        /// What, without quoting the file.
        reason: String,
    },
}

/// The plan that adds `entry`.
///
/// # Errors
/// When the file is not one that the client could read, or already holds an entry of our name.
pub fn connect(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Plan, Refusal> {
    let _ = (client, current, entry);
    Err(Refusal::Syntax { place: Place { line: 1, column: 1 }, reason: "not written yet".to_owned() })
}

/// The plan that takes our entry out again. With the `undo` of adding, and nothing changed since,
/// it gives the old bytes back; otherwise it takes our range, or our entry, and nothing else.
///
/// # Errors
/// When the file is not one that the client could read, or holds no entry of our name.
pub fn disconnect(client: &Client, current: &[u8], undo: Option<&Undo>) -> Result<Plan, Refusal> {
    let _ = (client, current, undo);
    Err(Refusal::Syntax { place: Place { line: 1, column: 1 }, reason: "not written yet".to_owned() })
}

/// Whether our entry stands in the file.
///
/// # Errors
/// When the file is not one that the client could read.
pub fn standing(client: &Client, current: Option<&[u8]>, entry: &Entry) -> Result<Standing, Refusal> {
    let _ = (client, current, entry);
    Ok(Standing::Absent)
}
