//! The MCP servers that a skill says it needs (`requires-mcp-servers`, seed 002).
//!
//! A declaration names a server, how it may be started and which parameters it wants. This
//! module reads the spellings that the seed and decision 35 allow, says which values are
//! missing, and fills the placeholders into a [`Launch`]. It starts nothing and does not know
//! where values are kept.
//!
//! A placeholder is `${NAME}`. `NAME` is a declared parameter, or `HOME`; `WORKSPACE`, `CWD` and
//! `PROJECT_ROOT` become parameters that ask for a folder once (decision 36). A secret may stand
//! in the environment only, and only as the whole of a value: arguments can be read by every
//! program of the computer (security.md, R16).

mod advice;
mod launch;
mod package;
mod parameter;
mod placeholders;
mod read;
mod schema;
mod start;
mod template;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

pub use launch::{LaunchError, launch};
pub(crate) use read::read;
pub(crate) use schema::schema;

/// One server that a skill needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Server {
    /// Its name: `[a-z0-9][a-z0-9_-]{0,31}` (decision 33).
    pub name: String,
    /// What the skill wants it for.
    pub description: Option<String>,
    /// How it may be started; `None` for a bare name that is not known here.
    pub choice: Option<Choice>,
    /// What a person has to give, in the author's order.
    pub parameters: Vec<Parameter>,
}

/// How a server is started, placeholders still in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Choice {
    /// A program on this computer.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment, beyond the little that every server gets.
        env: BTreeMap<String, String>,
        /// Its working folder.
        cwd: Option<String>,
    },
    /// A server that is already running somewhere.
    Http {
        /// Its address.
        url: String,
    },
}

/// A value that a person gives for a `${NAME}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// The placeholder's name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether the server cannot do without it.
    pub required: bool,
    /// Whether it is a secret: kept in the keychain only, never shown again.
    pub sensitive: bool,
    /// The value when nobody gives one.
    pub default: Option<String>,
    /// A value to show as an example.
    pub example: Option<String>,
}

/// A filled declaration, ready to be started. Holds plain values only; `engine` adds the
/// secrets to the environment of the one child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The environment without secrets.
    pub env: BTreeMap<String, String>,
    /// Names of environment variables and of the secret parameter that each one takes whole.
    pub secrets: BTreeMap<String, String>,
    /// The working folder.
    pub cwd: Option<String>,
}

/// A required value that nobody has given yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The server that wants it.
    pub server: String,
    /// The parameter's name.
    pub parameter: String,
    /// Whether it is a secret.
    pub sensitive: bool,
}

/// The required values of a server that nobody has given: neither `have` knows the name nor is
/// there a default.
pub fn missing(server: &Server, have: &impl Fn(&str) -> bool) -> Vec<Missing> {
    server
        .parameters
        .iter()
        .filter(|parameter| parameter.required && parameter.default.is_none() && !have(&parameter.name))
        .map(|parameter| Missing {
            server: server.name.clone(),
            parameter: parameter.name.clone(),
            sensitive: parameter.sensitive,
        })
        .collect()
}
