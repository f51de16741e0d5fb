//! The secrets of MCP servers, from their entry to one child's environment.
//!
//! A [`Secret`] cannot be printed, written or copied. [`Secrets`] is the list of them and knows where each is kept: in
//! the [`keychain`], or in memory while none answers. [`environment()`] makes the complete environment of one child,
//! and [`Redaction`] hides secrets in what a server says. Which server may have which secret, and starting it, is left
//! to `servers` and `gateway`.

#![forbid(unsafe_code)]

mod environment;
pub mod keychain;
mod redaction;
mod secret;
mod secrets;

pub use environment::{Environment, SecretMissing, begins, environment, of_tool, passed_on};
pub use redaction::Redaction;
pub use secret::{Secret, SecretRefused};
pub use secrets::{FILE, Index, KeychainAsked, SecretFact, Secrets, SecretsError};
