//! Real clients from npm: `skilltender connect` writes their files, and then they themselves say
//! whether they reached us and which of our tools they have.
//!
//! `cargo xtask test` runs the quickest of them, `cargo xtask test --real-clients` all: it installs
//! them and says by an environment variable where they are. No client is logged in, and none has a
//! model: a stand-in on this computer takes note of what a model would be sent, and refuses.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod claude_code;
mod codex;
mod connected;
mod gemini_cli;
mod mcporter;
mod model;
mod opencode;
mod program;
