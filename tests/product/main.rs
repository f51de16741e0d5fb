//! What drives the built programs: real transports, real clients, real signals.
//!
//! `cargo xtask test` builds the programs, fetches the clients and says by environment variables
//! where they are.

mod changes;
mod clients;
mod command_line;
mod guard;
