//! Skilltender's MCP server: what clients list, read and call.
//!
//! The only crate that knows rmcp. It learns what to serve through one trait, [`Host`], and never
//! asks where skills come from. `server` answers requests from an immutable [`skills::Catalog`];
//! `endpoint` puts it on a transport: a byte stream (stdio, a socket, a pipe in a test) or HTTP on
//! 127.0.0.1 behind `guard`; `bridge` carries a client over the restart of the engine behind it.

#![warn(missing_docs)]

mod host;

pub use host::{Caller, Host, Note};
