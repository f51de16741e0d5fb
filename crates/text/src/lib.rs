//! Positions in a text, splices of it, and counts in words.
//!
//! All of Skilltender describes texts in two terms: *where* something is ([`Place`]: line and column for people, byte
//! offsets for programs) and *what would change* ([`Splice`]: bytes to remove and bytes to insert). `skills` uses
//! them for a SKILL.md, `clients` for a config file, the window for the text in its editor. Counts ([`counted()`]) and
//! short lists ([`some_of`]) are shared too. This crate reads no files and knows no format.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod counted;
mod editor;
mod place;
mod splice;

pub use counted::{counted, some_of};
pub use editor::{EditorSplice, EditorText};
pub use place::{Lines, Place};
pub use splice::{Splice, SpliceError, apply, cut};
