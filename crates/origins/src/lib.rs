//! Where each skill came from: its source, the commit that it is pinned to, every file as it came, and the versions
//! before, which go back byte for byte.
//!
//! A record is a file of our own for each skill ([`Record`]); the bytes of versions lie beside them, each once
//! ([`Versions`]). [`Placed`] puts another version in a skill's place by one exchange of folders, and finishes or undoes
//! what was interrupted. Fetching, merging and asking the person is left to others.

#![forbid(unsafe_code)]

mod disk;
mod placed;
mod record;
mod versions;

pub use disk::{Disk, DiskError, read_files};
pub use placed::{PlaceError, Placed, Spot, finish};
pub use record::{
    By, Files, Newest, Origins, Pending, Record, Version, by_digest, digest, load, locked, of_skill, remove, renamed,
    save,
};
pub use versions::{Missing, Versions};
