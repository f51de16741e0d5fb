//! For systems where processes cannot be identified uniquely (macOS, Windows): records nothing and sweeps nothing.

use std::{
    io,
    path::{Path, PathBuf},
};

use machine::Machine;

/// The folder of the records, in our own folder.
pub(crate) const FOLDER: &str = "running";

/// The path that a record would have.
pub(crate) fn place(running: &Path, supervisor: u32) -> PathBuf {
    running.join(format!("{supervisor}.json"))
}

/// A record.
pub(crate) struct Record;

impl Record {
    /// Records nothing.
    #[cfg(unix)]
    pub(crate) fn write(_: &Path, _: i32, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Ends nothing.
pub(crate) const fn end_orphan(_: &Path, _: &Path) {}

/// Ends nothing.
pub const fn sweep(_: &Machine) {}
