//! The MCP servers that a skill declares (`requires-mcp-servers`, the dependency plan).
//!
//! A declaration names a server, the ways to start it and its parameters. This module reads the spellings that the
//! seed and decision 35 allow, reports missing values, and fills the placeholders into a [`Launch`]. It starts
//! nothing and does not know where values are kept.
//!
//! A placeholder is `${NAME}`. `NAME` is a declared parameter, or `HOME`; `WORKSPACE`, `CWD` and `PROJECT_ROOT`
//! become parameters that ask for a folder once (decision 36), and an undeclared name that is used only in the
//! environment or a header becomes a required one (decision 55). A secret may be the whole value of an environment
//! variable or the end of a header, because every program on the computer can read arguments and addresses (security
//! rule 16).

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
mod slot;
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
pub use literal::{looks_secret, written_out};
pub(crate) use read::read;
pub(crate) use schema::schema;
pub use slot::Slot;
pub use suggestion::{Suggestion, suggestions, suggestions_of_codex};
pub use template::holds_password;
pub use way::{Way, WayKind};
pub use well_known::{Archived, archived};

/// A server that a skill needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Server {
    /// Its name: `[a-z0-9][a-z0-9_-]{0,31}` without `__` and without `_` at its end (decision 33).
    pub name: String,
    /// What the skill uses it for.
    pub description: Option<String>,
    /// The ways to start or reach it, in order of preference: an address, a program, a container (decision 32); a
    /// container comes before a program when the author wants HTTP (decision 58). Empty for a bare name that is not
    /// well known.
    pub ways: Vec<Way>,
    /// The values that a person gives, in the author's order.
    pub parameters: Vec<Parameter>,
    /// The source of the ways and parameters, when the author gave only a well-known name.
    pub known: Option<&'static str>,
}

impl Server {
    /// Marks the parameters that are folders by their use: a server's working folder, and a container's mounts.
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
    /// Whether the server needs it to start.
    pub required: bool,
    /// Whether it is a secret: kept only in the keychain, never shown again.
    pub sensitive: bool,
    /// The value when the user gives none.
    pub default: Option<String>,
    /// An example value.
    pub example: Option<String>,
    /// Whether it is a folder on this computer that must exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub folder: bool,
}

/// A required value that is not given yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The server that needs it.
    pub server: String,
    /// The parameter's name.
    pub parameter: String,
    /// Whether it is a secret.
    pub sensitive: bool,
}

/// The required values that `way` uses and that are missing: `have` does not know the name and it has no default. A
/// parameter that no way uses counts too, because its author asks for it; one that only other ways use does not.
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
