//! Positions in a text, splices of it, and counts in words.
//!
//! Two things are said about a text everywhere in Skilltender: *where* something is
//! ([`Place`]: line and column for people, byte offsets for programs) and *what would
//! change* ([`Splice`]: these bytes out, those bytes in). Skills say it about a SKILL.md,
//! clients about a config file, the window about the text in its editor. How many there are of a thing ([`counted`]) and which
//! ([`some_of`]) is said everywhere too. This crate holds those words and nothing else: it reads no files and knows
//! no format.

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
