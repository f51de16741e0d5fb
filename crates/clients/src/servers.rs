//! The servers in a client's file, ours and others', without the values of their secrets.

pub(crate) mod secrets;
#[cfg(test)]
mod tests;

use std::ops::Range;

use text::{Lines, Place};

use self::secrets::Seen;
use crate::{
    Client, NAME, Refusal,
    node::{Found, Node},
    plan::outline,
};

/// Clients' names for the map of variables that a program receives.
pub(crate) const ENVIRONMENT: &[&str] = &["env", "environment", "envs"];

/// Clients' names for the address of a server that runs elsewhere.
pub(crate) const ADDRESS: &[&str] = &["url", "httpUrl", "serverUrl", "uri"];
/// Clients' names for the map of headers that are sent to it.
pub(crate) const HEADERS: &[&str] = &["headers", "http_headers"];

/// A server in a client's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name there.
    pub name: String,
    /// Its position.
    pub place: Place,
    /// How the client reaches it.
    pub runs: Runs,
    /// Whether the file marks it as disabled.
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
        /// Its arguments; apparent secrets in them are `…`.
        args: Vec<String>,
        /// The names of the variables that it receives.
        env: Vec<String>,
    },
    /// It connects to an address.
    Address {
        /// The address; apparent secrets in it are `…`.
        url: String,
        /// The names of the headers that are sent.
        headers: Vec<String>,
    },
    /// The entry has neither.
    Unclear,
}

/// A value in a client's file that looks like a secret. The value itself is not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainSecret {
    /// Its kind.
    pub kind: SecretKind,
    /// Its name: that of the variable, the header, the option before it, or the parameter of the address. Empty if it
    /// has none.
    pub name: String,
}

/// Which part of an entry a plain-text secret is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// The value of an environment variable.
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
/// If the client could not read the file, or the file is ambiguous on our path.
pub fn servers(client: &Client, current: &[u8]) -> Result<Vec<Server>, Refusal> {
    let lines = Lines::new(current);
    let found = outline(client, current)?.servers();
    Ok(found.into_iter().map(|found| server(found, &lines)).collect())
}

/// The ranges of a client's file that look like secrets, in every server except ours, for a text shown without them. A
/// value that is written differently from how it reads hides its whole server.
///
/// # Errors
/// As for [`servers`].
pub fn secret_ranges(client: &Client, current: &[u8]) -> Result<Vec<Range<usize>>, Refusal> {
    let mut ranges = Vec::new();
    for found in outline(client, current)?.servers().into_iter().filter(|found| found.name != NAME) {
        let mut seen = Vec::new();
        drop(runs(&found.node, &mut seen));
        for Seen { value, .. } in seen {
            let places = occurrences(current, value.as_bytes());
            if places.iter().any(|places| found.range.start <= places.start && places.end <= found.range.end) {
                ranges.extend(places);
            } else {
                ranges.push(found.range.clone());
            }
        }
    }
    Ok(joined(ranges))
}

/// Every occurrence of `part` in `whole`.
pub(crate) fn occurrences(whole: &[u8], part: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while !part.is_empty() && at + part.len() <= whole.len() {
        if whole[at..].starts_with(part) {
            found.push(at..at + part.len());
            at += part.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The ranges in order, with overlapping ones merged.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

pub(crate) fn server(found: Found, lines: &Lines<'_>) -> Server {
    let Found { name, at, node, .. } = found;
    let mut seen = Vec::new();
    let runs = runs(&node, &mut seen);
    let off = node.get("disabled") == Some(&Node::Bool(true)) || node.get("enabled") == Some(&Node::Bool(false));
    let secrets = seen.into_iter().map(|seen| seen.secret).collect();
    Server { name, place: lines.place(at), runs, off, secrets }
}

/// How an entry runs, in any of the clients' forms.
fn runs(node: &Node, seen: &mut Vec<Seen>) -> Runs {
    let first = |names: &[&str]| names.iter().find_map(|name| node.get(name));
    if let Some(command) = first(&["command", "cmd"]) {
        let args = node.get("args").map(Node::items).unwrap_or_default();
        let line = if command.text().is_some() { std::slice::from_ref(command) } else { command.items() };
        let mut line = line.iter().chain(args).filter_map(Node::text);
        let command = line.next().unwrap_or_default().to_owned();
        let args = secrets::args(line, seen);
        let env = named(first(ENVIRONMENT), SecretKind::Variable, seen);
        return Runs::Program { command, args, env };
    }
    if let Some(url) = first(ADDRESS).and_then(Node::text) {
        let nested = node.get("requestOptions").and_then(|options| options.get("headers"));
        let url = secrets::address(url, seen);
        let headers = named(first(HEADERS).or(nested), SecretKind::Header, seen);
        return Runs::Address { url, headers };
    }
    Runs::Unclear
}

/// The names in a map; records which of their values look like secrets.
fn named(map: Option<&Node>, kind: SecretKind, seen: &mut Vec<Seen>) -> Vec<String> {
    let members = map.map(Node::members).unwrap_or_default();
    for (name, value) in members {
        if let Some(value) = value.text().filter(|value| secrets::is_secret(name, value)) {
            seen.push(Seen::new(kind, name, value));
        }
    }
    members.iter().map(|(name, _)| name.clone()).collect()
}
