//! The servers that stand in a client's file, ours and others', without the values of their secrets.

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
        /// Its arguments; one that looks like a secret is `…`.
        args: Vec<String>,
        /// The names of the variables that it is given.
        env: Vec<String>,
    },
    /// It dials an address.
    Address {
        /// The address, without a user, a password and the values behind `?`.
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
    /// What names it: a variable, a header, an argument.
    pub name: String,
    /// What it looks like: `a GitHub token`.
    pub kind: &'static str,
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
    let place = lines.place(found.at);
    let first = |names: &[&str]| names.iter().find_map(|name| found.node.get(name));
    let names = |node: Option<&Node>| -> Vec<String> {
        node.map(Node::members).unwrap_or_default().iter().map(|(name, _)| name.clone()).collect()
    };
    let texts = |items: &[Node]| -> Vec<String> { items.iter().filter_map(Node::text).map(str::to_owned).collect() };
    let command = first(&["command", "cmd"]);
    let url = first(&["url", "httpUrl", "serverUrl", "uri"]).and_then(Node::text);
    let runs = match (command, url) {
        (Some(command), _) => {
            let mut line = command.text().map_or_else(|| texts(command.items()), |command| vec![command.to_owned()]);
            line.extend(texts(found.node.get("args").map(Node::items).unwrap_or_default()));
            let mut line = line.into_iter();
            Runs::Program {
                command: line.next().unwrap_or_default(),
                args: line.collect(),
                env: names(first(&["env", "environment", "envs"])),
            }
        }
        (None, Some(url)) => {
            let nested = found.node.get("requestOptions").and_then(|options| options.get("headers"));
            Runs::Address { url: url.to_owned(), headers: names(first(&["headers", "http_headers"]).or(nested)) }
        }
        (None, None) => Runs::Unclear,
    };
    let off =
        found.node.get("disabled") == Some(&Node::Bool(true)) || found.node.get("enabled") == Some(&Node::Bool(false));
    Server { name: found.name, place, runs, off, secrets: Vec::new() }
}
