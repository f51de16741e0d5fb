//! A way with its values, ready to be taken. Holds plain values only: it names the secrets and
//! where they go, and whoever starts the server puts them there and nowhere else.

use std::collections::BTreeMap;

use super::Container;

/// How to start or reach a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Run this program.
    Program(Launch),
    /// Speak to this address.
    Address(Remote),
    /// Run this container.
    Container(Container),
}

/// A program to run.
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

/// An address to speak to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The address.
    pub url: String,
    /// The headers without secrets.
    pub headers: BTreeMap<String, String>,
    /// Names of headers and of the secret that each one ends in.
    pub secrets: BTreeMap<String, SecretHeader>,
}

/// A header that holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretHeader {
    /// What stands before the secret: nothing, or text that ends in a blank such as `Bearer `.
    pub before: String,
    /// The secret parameter.
    pub parameter: String,
}

impl Start {
    /// Leaves out the variables and headers of the secrets that nobody gave. They are optional
    /// ones: [`missing`](super::missing) has named those that a server cannot do without.
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
