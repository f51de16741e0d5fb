//! `skilltender.exe` from end to end, in Wine on Linux: what Windows does differently and Wine does as Windows.
//!
//! `cargo xtask cross` builds the program, prepares Wine and passes both in environment variables. What Wine has not
//! (junctions, watches of whole folders, a window) is not shown here; its own tests are run there by name.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails at once")]

mod clients;
mod home;
mod library;
mod servers;
mod serving;
mod starting;
