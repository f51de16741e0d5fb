//! A way with its values, ready to start. It holds plain values only and names the secrets and their places; the
//! caller that starts the server puts them there and nowhere else.

use std::collections::BTreeMap;

use super::Container;

/// How to start or reach a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Run this program.
    Program(Launch),
    /// Connect to this address.
    Address(Remote),
    /// Run this container.
    Container(Container),
}

/// A program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The environment, without secrets.
    pub env: BTreeMap<String, String>,
    /// Environment variables whose whole value is a secret: variable name to parameter name.
    pub secrets: BTreeMap<String, String>,
    /// The working folder.
    pub cwd: Option<String>,
}

/// An address to connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The address.
    pub url: String,
    /// The headers, without secrets.
    pub headers: BTreeMap<String, String>,
    /// Headers that end in a secret, by header name.
    pub secrets: BTreeMap<String, SecretHeader>,
}

/// A header that holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHeader {
    /// The text before the secret: empty, or ending in a blank such as `Bearer `.
    pub before: String,
    /// The secret parameter.
    pub parameter: String,
}

impl Start {
    /// Removes the variables and headers of secrets that are not given. They are optional:
    /// [`missing`](super::missing) reports the required ones.
    pub fn without_absent(&mut self, given: impl Fn(&str) -> bool) {
        match self {
            Self::Program(launch) => launch.without_absent(given),
            Self::Address(remote) => remote.secrets.retain(|_, secret| given(&secret.parameter)),
            Self::Container(container) => container.secrets.retain(|_, parameter| given(parameter)),
        }
    }
}

impl Launch {
    /// As [`Start::without_absent`].
    pub fn without_absent(&mut self, given: impl Fn(&str) -> bool) {
        self.secrets.retain(|_, parameter| given(parameter));
    }
}
