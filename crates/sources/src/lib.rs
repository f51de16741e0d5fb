//! Where skills come from.
//!
//! A *source* is a repository, a folder, an archive or a site that holds skills. This crate reads how people write one
//! ([`Source::read`]), what other programs that install skills recorded about what they installed ([`records`]), merges
//! an update with what the person changed ([`merge`], and for
//! all files of a skill [`update`]), reads and writes the file that pins skills ([`Lock`]), the one that a team has in
//! common ([`Team`]) and those in which the machines of one person say what is on ([`desk`]), reads the lists in which others offer skills ([`marketplace`], [`well_known`]), and writes what other
//! programs read ([`export`]).
//!
//! The crate is pure: it takes texts and returns values. Fetching a source is left to others, and so is finding the
//! skills in what was fetched.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod desk;
pub mod export;
mod lock;
pub mod marketplace;
pub mod merge;
pub mod records;
mod source;
mod team;
pub mod update;
pub mod well_known;
mod yaml;

pub use lock::{Difference, Lock, LockError, LockedFile, LockedSkill};
pub use source::{FileKind, Origin, Repository, Source, SourceError};
pub use team::{Form, Pattern, Policy, PolicyError, Team, TeamError, TeamSecret, TeamServer};
