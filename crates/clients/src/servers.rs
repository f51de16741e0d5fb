//! The servers that stand in a client's file, ours and others', without the values of their secrets.

mod secrets;
#[cfg(test)]
mod tests;

use text::{Lines, Place};

use crate::{
    Client, Refusal,
    node::{Found, Node},
    plan::outline,
};

/// A server that a client's file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name there.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// How the client reaches it.
    pub runs: Runs,
    /// Whether the file says that it is switched off.
    pub off: bool,
    /// The values that look like secrets in plain text.
    pub secrets: Vec<PlainSecret>,
}

/// How a client reaches a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runs {
    /// It runs a program.
    Program {
        /// The program.
        command: String,
        /// Its arguments; what looks like a secret in one is `…`.
        args: Vec<String>,
        /// The names of the variables that it is given.
        env: Vec<String>,
    },
    /// It dials an address.
    Address {
        /// The address; what looks like a secret in it is `…`.
        url: String,
        /// The names of the headers that are sent.
        headers: Vec<String>,
    },
    /// The entry says neither.
    Unclear,
}

/// A value in a client's file that looks like a secret. The value itself stays there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainSecret {
    /// What it is.
    pub kind: SecretKind,
    /// What names it: the variable, the header, the option before it, the parameter of the address. Empty where
    /// nothing does.
    pub name: String,
}

/// Where a plain-text secret stands in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// The value of a variable of the environment.
    Variable,
    /// The value of a header.
    Header,
    /// An argument of the program.
    Argument,
    /// A part of the address.
    Address,
}

/// Every server in a client's file, in its order.
///
/// # Errors
/// When the file is not one that the client could read, or is ambiguous on our path.
pub fn servers(client: &Client, current: &[u8]) -> Result<Vec<Server>, Refusal> {
    let lines = Lines::new(current);
    let found = outline(client, current)?.servers();
    Ok(found.into_iter().map(|found| server(found, &lines)).collect())
}

fn server(found: Found, lines: &Lines<'_>) -> Server {
    let Found { name, at, node, .. } = found;
    let mut secrets = Vec::new();
    let runs = runs(&node, &mut secrets);
    let off = node.get("disabled") == Some(&Node::Bool(true)) || node.get("enabled") == Some(&Node::Bool(false));
    Server { name, place: lines.place(at), runs, off, secrets }
}

/// In whichever of the clients' spellings it is.
fn runs(node: &Node, secrets: &mut Vec<PlainSecret>) -> Runs {
    let first = |names: &[&str]| names.iter().find_map(|name| node.get(name));
    if let Some(command) = first(&["command", "cmd"]) {
        let args = node.get("args").map(Node::items).unwrap_or_default();
        let line = if command.text().is_some() { std::slice::from_ref(command) } else { command.items() };
        let mut line = line.iter().chain(args).filter_map(Node::text);
        let command = line.next().unwrap_or_default().to_owned();
        let args = secrets::args(line, secrets);
        let env = named(first(&["env", "environment", "envs"]), SecretKind::Variable, secrets);
        return Runs::Program { command, args, env };
    }
    if let Some(url) = first(&["url", "httpUrl", "serverUrl", "uri"]).and_then(Node::text) {
        let nested = node.get("requestOptions").and_then(|options| options.get("headers"));
        let url = secrets::address(url, secrets);
        let headers = named(first(&["headers", "http_headers"]).or(nested), SecretKind::Header, secrets);
        return Runs::Address { url, headers };
    }
    Runs::Unclear
}

/// The names in a map, and which of their values look like secrets.
fn named(map: Option<&Node>, kind: SecretKind, secrets: &mut Vec<PlainSecret>) -> Vec<String> {
    let members = map.map(Node::members).unwrap_or_default();
    for (name, value) in members {
        if value.text().is_some_and(|value| secrets::is_secret(name, value)) {
            secrets.push(PlainSecret { kind, name: name.clone() });
        }
    }
    members.iter().map(|(name, _)| name.clone()).collect()
}
