//! Tests of the built programs: real transports, real clients, real signals.
//!
//! `cargo xtask test` builds the programs, fetches the clients and passes their paths in environment variables. On
//! Windows a home folder cannot be set for one program, so these tests run only on other systems.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails at once")]

mod balanced;
mod bridge;
mod canary;
mod changes;
mod clients;
mod command_line;
mod completions;
mod conformance;
mod connecting;
mod corpus;
#[cfg(target_os = "linux")]
mod examining;
#[cfg(target_os = "linux")]
mod few_files;
mod folders;
mod full_disk;
mod gateway;
mod guard;
mod headless;
#[cfg(target_os = "linux")]
mod hostile;
mod killed_update;
mod listening;
#[cfg(target_os = "linux")]
mod login;
#[cfg(target_os = "linux")]
mod orphans;
mod persons;
#[cfg(target_os = "linux")]
mod rescue;
mod servers;
mod signing_in;
#[cfg(target_os = "linux")]
mod soak;
mod sources;
mod stdio;
mod still;
mod team;
mod terminal;
mod transports;
mod typing;
mod uninstalling;
mod usage;
mod versions;
#[cfg(target_os = "linux")]
mod waiting;
mod work_trees;
