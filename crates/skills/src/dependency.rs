//! The MCP servers that a skill says it needs (`requires-mcp-servers`, seed 002).
//!
//! A declaration names a server, how it may be started and which parameters it wants. This
//! module reads the spellings that the seed and decision 35 allow, says which values are
//! missing, and fills the placeholders into a [`Launch`]. It starts nothing and does not know
//! where values are kept.
//!
//! A placeholder is `${NAME}`. `NAME` is a declared parameter, or `HOME`; `WORKSPACE`, `CWD` and
//! `PROJECT_ROOT` become parameters that ask for a folder once (decision 36), and a name that
//! stands in the environment or a header alone becomes a required one (decision 55). A secret may
//! stand in the environment, as the whole of a value, and at the end of a header: arguments and
//! addresses can be read by every program of the computer (security.md, R16).

mod advice;
mod container;
mod environment;
mod filled;
mod forms;
mod header;
mod launch;
mod launch_error;
mod literal;
mod mount;
mod package;
mod parameter;
mod placeholders;
mod read;
mod schema;
mod start;
mod suggestion;
mod template;
#[cfg(test)]
mod tests;
mod way;
mod well_known;

use serde::Serialize;

pub use container::{Container, Mount};
pub use environment::redirects;
pub use filled::{Launch, Remote, SecretHeader, Start};
pub use launch::launch;
pub use launch_error::LaunchError;
pub(crate) use read::read;
pub(crate) use schema::schema;
pub use suggestion::{Suggestion, suggestions, suggestions_of_codex};
pub use template::holds_password;
pub use way::{Way, WayKind};
pub use well_known::{Archived, archived};

/// One server that a skill needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Server {
    /// Its name: `[a-z0-9][a-z0-9_-]{0,31}` without `__` and without `_` at its end (decision 33).
    pub name: String,
    /// What the skill wants it for.
    pub description: Option<String>,
    /// How it may be started or reached, in the order in which the ways are taken: an address, a
    /// program, a container (decision 32), and a container before a program where the author wants
    /// it spoken to over HTTP (decision 58). None for a bare name that is not known here.
    pub ways: Vec<Way>,
    /// What a person has to give, in the author's order.
    pub parameters: Vec<Parameter>,
    /// Where the ways and parameters are from, when the author gave a well-known name only.
    pub known: Option<&'static str>,
}

impl Server {
    /// Marks the parameters that are folders by where they stand: what a server works in, and what a container sees.
    fn find_folders(&mut self) {
        let mut folders = Vec::new();
        for way in &self.ways {
            folders.extend(way.folders());
        }
        for parameter in self.parameters.iter_mut().filter(|parameter| !parameter.sensitive) {
            parameter.folder |= folders.contains(&parameter.name);
        }
    }
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
    /// Whether it is a folder of this computer that has to be there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub folder: bool,
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

/// The required values that `way` takes and nobody has given: neither `have` knows the name nor is
/// there a default. What no way uses counts too, for its author asks for it; what only another way
/// uses does not.
pub fn missing(server: &Server, way: Option<&Way>, have: &impl Fn(&str) -> bool) -> Vec<Missing> {
    let counts = |name: &str| way.is_none_or(|way| way.uses(name)) || !server.ways.iter().any(|other| other.uses(name));
    server
        .parameters
        .iter()
        .filter(|parameter| parameter.required && parameter.default.is_none() && !have(&parameter.name))
        .filter(|parameter| counts(&parameter.name))
        .map(|parameter| Missing {
            server: server.name.clone(),
            parameter: parameter.name.clone(),
            sensitive: parameter.sensitive,
        })
        .collect()
}
