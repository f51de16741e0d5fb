//! For systems where processes cannot be identified uniquely (macOS, Windows): records nothing and sweeps nothing.

#[cfg(unix)]
use std::{
    io,
    path::{Path, PathBuf},
};

use machine::Machine;

/// The folder of the records, in our own folder.
pub(crate) const FOLDER: &str = "running";

/// The path that a record would have.
#[cfg(unix)]
pub(crate) fn place(running: &Path, supervisor: u32) -> PathBuf {
    running.join(format!("{supervisor}.json"))
}

/// A record.
#[cfg(unix)]
pub(crate) struct Record;

#[cfg(unix)]
impl Record {
    /// Records nothing.
    pub(crate) fn write(_: &Path, _: i32, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Ends nothing.
#[cfg(unix)]
pub(crate) const fn end_orphan(_: &Path, _: &Path) {}

/// Ends nothing.
pub const fn sweep(_: &Machine) {}
