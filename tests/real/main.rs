//! Real clients from npm: `skilltender connect` writes their files, then each client reports whether it is connected
//! and which tools it has.
//!
//! `cargo xtask test` runs the quickest of them, `cargo xtask test --real-clients` all: it installs them and passes
//! their path in an environment variable. No client is logged in or has a model: a local stand-in records what a
//! model would be sent, and refuses.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails at once")]

mod claude_code;
mod codex;
mod connected;
mod gemini_cli;
mod mcporter;
mod model;
mod npx_skills;
mod opencode;
mod program;
