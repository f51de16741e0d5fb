//! What drives the built programs: real transports, real clients, real signals.
//!
//! `cargo xtask test` builds the programs, fetches the clients and says by environment variables
//! where they are. On Windows a home folder cannot be set for one program, so these tests are
//! left to the other systems.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod bridge;
mod canary;
mod changes;
mod clients;
mod command_line;
mod conformance;
mod connecting;
mod corpus;
#[cfg(target_os = "linux")]
mod full_disk;
mod gateway;
mod guard;
mod headless;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod orphans;
mod persons;
#[cfg(target_os = "linux")]
mod rescue;
mod servers;
mod signing_in;
mod stdio;
mod still;
mod terminal;
#[cfg(target_os = "linux")]
mod waiting;
