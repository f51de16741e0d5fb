//! Servers whose secrets are in a client's file in plain text: which of them can be started through us, so that the
//! secrets can leave the file, and the change of the entry that makes the client do so.
//!
//! The entry keeps its name and the settings that only its client knows: `disabled`, a time limit, `cwd`. The
//! definition of the program or the address moves to us, and its variables or headers are removed from the entry. A
//! value is never copied here: a [`PlainValue`] is its position.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};
use text::{Lines, Place, Splice, apply};

use crate::{
    Client, Entry, NAME, Part, Refusal, Runs, SecretKind, Server, Template,
    node::{Found, Node},
    plan::{is_within, outline, outline_of, proven},
    servers::{ADDRESS, ENVIRONMENT, HEADERS, occurrences, secrets, server},
    shape::{filled, knows, leads_to, merged},
};

/// Fields by which a client itself passes variables from elsewhere to a program: a file, its own environment, its own
/// keychain. They would be lost.
const PASSED_ON: &[&str] = &["envFile", "env_file", "envfile", "env_vars", "env_keys", "inheritEnv"];
/// Fields by which a client itself authenticates to a server at an address.
const ASKS: &[&str] =
    &["bearer_token_env_var", "env_http_headers", "headersHelper", "oauth", "auth", "authProviderType"];
/// Fields for the kind of server.
const KINDS: &[&str] = &["type", "transport", "transportType"];
/// Prefixes of a header value that a secret follows.
const SCHEMES: &[&str] = &["Bearer ", "bearer ", "Token ", "token ", "Basic ", "ApiKey "];
/// A limit above the number of fields that an entry has.
const MOST_STEPS: usize = 100;

/// A server in a client's file with secrets in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescuable {
    /// The server.
    pub server: Server,
    /// How it is started through us, or why it cannot be.
    pub moves: Result<Moves, Stays>,
}

/// A server that can be reached through us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// Its definition without its secrets.
    pub runs: Moved,
    /// Its variables or headers that are secrets.
    pub secrets: Vec<PlainValue>,
}

/// The definition of a server without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moved {
    /// A program.
    Program {
        /// The program as written.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its variables that are not secrets.
        env: BTreeMap<String, String>,
    },
    /// A server that runs elsewhere.
    Address {
        /// Its address.
        url: String,
        /// Its headers that are not secrets.
        headers: BTreeMap<String, String>,
    },
}

/// A secret in plain text that can be moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainValue {
    /// The name of its variable or header.
    pub name: String,
    /// The text before the value: `Bearer `.
    pub before: String,
    /// The position of the value.
    pub place: Place,
    /// The bytes of the file that are the value.
    pub at: Range<usize>,
}

/// Why the secrets of a server stay where they are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stays {
    /// A secret is a part of the address.
    #[error(
        "There is a secret in its address, which many programs show and log. Check whether the server takes it from a header."
    )]
    Address,
    /// The server uses a transport that is obsolete.
    #[error(
        "It speaks the older way over HTTP (SSE), which Skilltender does not. See whether it has an address for the present one."
    )]
    Older,
    /// A secret is an argument.
    #[error(
        "There is a secret in its arguments, which every program on this computer can read while it runs. Check whether the server takes it from a variable."
    )]
    Argument,
    /// A value differs from what the server receives.
    #[error("It holds a value that only the client fills in.")]
    Reference,
    /// The server receives variables from elsewhere.
    #[error("\"{0}\" has the client give it variables from elsewhere.")]
    PassedOn(&'static str),
    /// Its program is a relative path, which depends on the client's working folder.
    #[error("Its program is named by a path that is not a whole one.")]
    Relative,
    /// It is not written as the client's documentation says.
    #[error("Its entry is written in a way that Skilltender does not know.")]
    Form,
    /// The value's bytes in the file differ from the value.
    #[error("The value of {0} is written with escapes.")]
    Escaped(String),
    /// The client cannot start our program, or its file cannot be changed.
    #[error("{0}")]
    Refused(String),
}

/// Every server of a client's file with secrets in plain text, in its order. An entry with our own name is not
/// included.
///
/// # Errors
/// If the client could not read the file, or the file is ambiguous on our path.
pub fn rescuable(client: &Client, current: &[u8]) -> Result<Vec<Rescuable>, Refusal> {
    let lines = Lines::new(current);
    let found = outline(client, current)?.servers().into_iter().filter(|found| found.name != NAME);
    let judged = found.map(|found| {
        let server = server(found.clone(), &lines);
        let moves = (!server.secrets.is_empty()).then(|| moves(client, current, &found, &server, &lines));
        moves.map(|moves| Rescuable { server, moves })
    });
    Ok(judged.flatten().collect())
}

fn moves(client: &Client, current: &[u8], found: &Found, server: &Server, lines: &Lines<'_>) -> Result<Moves, Stays> {
    let template = client.stdio.ok_or(Stays::Form)?;
    // Of two entries with one name, the one that counts cannot be determined.
    outline_of(client, current, &found.name).map_err(|_| Stays::Form)?;
    let file = File { client, current, found, lines };
    match server.runs {
        Runs::Program { .. } => program(&file, template, server),
        Runs::Address { .. } => address(&file, server),
        Runs::Unclear => Err(Stays::Form),
    }
}

/// An entry in its file.
struct File<'f> {
    client: &'f Client,
    current: &'f [u8],
    found: &'f Found,
    lines: &'f Lines<'f>,
}

fn program(file: &File<'_>, template: Template, server: &Server) -> Result<Moves, Stays> {
    let node = &file.found.node;
    if server.secrets.iter().any(|secret| secret.kind != SecretKind::Variable) {
        return Err(Stays::Argument);
    }
    file.refuse(PASSED_ON)?;
    let mut line = Vec::new();
    for (name, part) in template {
        match (part, node.get(name)) {
            (Part::Command, Some(Node::Text(command))) => line.insert(0, command.clone()),
            (Part::CommandLine | Part::Args, Some(list @ Node::List(_))) => {
                line.extend(texts(list).ok_or(Stays::Form)?);
            }
            (Part::Args, None) => {}
            (Part::Command | Part::CommandLine | Part::Args, _) => return Err(Stays::Form),
            _ => {}
        }
    }
    let (env, secrets) = file.split(ENVIRONMENT, &[])?;
    if line.iter().chain(env.values()).any(|value| !value.is_empty() && secrets::is_reference(value)) {
        return Err(Stays::Reference);
    }
    let command = if line.is_empty() { String::new() } else { line.remove(0) };
    let whole = command.starts_with('/') || command.starts_with("\\\\") || command.get(1..2) == Some(":");
    match command.as_str() {
        "" => Err(Stays::Form),
        path if path.contains(['/', '\\']) && !whole => Err(Stays::Relative),
        _ => Ok(Moves { runs: Moved::Program { command, args: line, env }, secrets }),
    }
}

fn address(file: &File<'_>, server: &Server) -> Result<Moves, Stays> {
    let node = &file.found.node;
    if server.secrets.iter().any(|secret| secret.kind != SecretKind::Header) {
        return Err(Stays::Address);
    }
    file.refuse(ASKS)?;
    let url = ADDRESS.iter().find_map(|name| node.get(name)).and_then(Node::text).ok_or(Stays::Form)?;
    let says_older =
        |name: &&str| node.get(name).and_then(Node::text).is_some_and(|kind| kind.eq_ignore_ascii_case("sse"));
    if KINDS.iter().any(says_older) || url.trim_end_matches('/').ends_with("/sse") {
        return Err(Stays::Older);
    }
    let (headers, secrets) = file.split(HEADERS, SCHEMES)?;
    if headers.values().map(String::as_str).chain([url]).any(|value| !value.is_empty() && secrets::is_reference(value))
    {
        return Err(Stays::Reference);
    }
    Ok(Moves { runs: Moved::Address { url: url.to_owned(), headers }, secrets })
}

impl File<'_> {
    /// Fails if one of the `fields` has a value.
    fn refuse(&self, fields: &[&'static str]) -> Result<(), Stays> {
        let says_nothing =
            |value: &Node| value.items().is_empty() && value.members().is_empty() && value.text().is_none();
        let says = |name: &&&str| self.found.node.get(name).is_some_and(|value| !says_nothing(value));
        fields.iter().find(says).map_or(Ok(()), |name| Err(Stays::PassedOn(name)))
    }

    /// Splits the values of the one map with one of these names into the plain ones and the secrets, which may follow
    /// one of `before`.
    fn split(&self, maps: &[&str], before: &[&str]) -> Result<(BTreeMap<String, String>, Vec<PlainValue>), Stays> {
        let mut found = maps.iter().filter_map(|name| self.found.node.get(name));
        let (Some(map), None) = (found.next(), found.next()) else { return Err(Stays::Form) };
        let (mut plain, mut secret) = (BTreeMap::new(), Vec::new());
        for (name, value) in map.members() {
            let value = value.text().ok_or(Stays::Form)?;
            if secrets::is_secret(name, value) {
                let before = before.iter().find(|before| value.starts_with(**before)).copied().unwrap_or_default();
                let at = self.written(maps, name, before, &value[before.len()..]);
                let at = at.ok_or_else(|| Stays::Escaped(name.clone()))?;
                let (name, before) = (name.clone(), before.to_owned());
                secret.push(PlainValue { name, before, place: self.lines.place(at.start), at });
            } else {
                drop(plain.insert(name.clone(), value.to_owned()));
            }
        }
        Ok((plain, secret))
    }

    /// The bytes of a value, verified: with other bytes in their place, the file's value changes.
    fn written(&self, maps: &[&str], name: &str, before: &str, value: &str) -> Option<Range<usize>> {
        let Self { client, current, found, .. } = self;
        let entry = &current[found.range.clone()];
        let says = |bytes: &[u8]| {
            let there = outline_of(client, bytes, &found.name).ok()?.ours()?;
            let map = maps.iter().find_map(|field| there.node.get(field))?;
            Some(map.get(name)?.text()?.to_owned())
        };
        occurrences(entry, value.as_bytes()).into_iter().find_map(|at| {
            let at = at.start + found.range.start..at.end + found.range.start;
            let mut other = current.to_vec();
            other[at.clone()].fill(b'x');
            (says(&other)? == format!("{before}{}", "x".repeat(value.len()))).then_some(at)
        })
    }
}

fn texts(list: &Node) -> Option<Vec<String>> {
    list.items().iter().map(|item| item.text().map(str::to_owned)).collect()
}

/// The file in which the entry called `name` runs our program instead, without its former variables.
///
/// # Errors
/// If no such entry exists, or the change cannot be proven to touch only it.
pub fn rescue(client: &Client, current: &[u8], name: &str, entry: &Entry) -> Result<Vec<u8>, Refusal> {
    let template = client.stdio.ok_or(Refusal::Unproven)?;
    let there = outline_of(client, current, name)?.ours().ok_or(Refusal::Absent)?;
    if is_elsewhere(&there.node) {
        let ours = filled(template, name, entry).ok_or(Refusal::Unproven)?;
        let entry = merged(template, &[client.stdio, client.http], &ours, &there.node);
        let stays = |(field, _): &&(String, Node)| knows(&[client.stdio], field) || !is_of_address(field);
        return led_to(client, current, name, &Node::Map(entry.members().iter().filter(stays).cloned().collect()));
    }
    let filled = |field: &str| {
        let part = template.iter().find(|(known, _)| *known == field).map(|(_, part)| part);
        part.filter(|part| part.varies() || ENVIRONMENT.contains(&field)).and_then(|part| part.filled(name, entry))
    };
    let mut fields: Vec<(String, Node)> = Vec::new();
    for (field, value) in there.node.members() {
        match filled(field) {
            Some(ours) => fields.push((field.clone(), ours)),
            None if ENVIRONMENT.contains(&field.as_str()) => {}
            None => fields.push((field.clone(), value.clone())),
        }
    }
    for (field, part) in template.iter().filter(|(field, part)| part.varies() && there.node.get(field).is_none()) {
        fields.push(((*field).to_owned(), part.filled(name, entry).ok_or(Refusal::Unproven)?));
    }
    led_to(client, current, name, &Node::Map(fields))
}

/// The file in which the entry called `name`, which runs our program, has the fields again that [`rescue`] changed, as
/// they are in `was`. All other fields stay as they are now.
///
/// # Errors
/// If the entry no longer runs our program, or the change cannot be proven to touch only it.
pub fn put_back(client: &Client, current: &[u8], name: &str, entry: &Entry, was: &[u8]) -> Result<Vec<u8>, Refusal> {
    let template = client.stdio.ok_or(Refusal::Unproven)?;
    let there = outline_of(client, current, name)?.ours().ok_or(Refusal::Absent)?;
    let was = outline_of(client, was, name)?.ours().ok_or(Refusal::Absent)?;
    if !leads_to(template, entry, &there.node) {
        return Err(Refusal::Different);
    }
    let varies = |field: &str| template.iter().any(|(known, part)| *known == field && part.varies());
    let elsewhere = is_elsewhere(&was.node);
    let ours = |field: &str| match elsewhere {
        true => knows(&[client.stdio, client.http], field) || is_of_address(field),
        false => ENVIRONMENT.contains(&field) || varies(field),
    };
    let kept = there.node.members().iter().filter(|(field, _)| !ours(field));
    let back = was.node.members().iter().filter(|(field, _)| ours(field));
    led_to(client, current, name, &Node::Map(kept.chain(back).cloned().collect()))
}

/// Whether an entry is for a server at an address.
fn is_elsewhere(node: &Node) -> bool {
    ADDRESS.iter().any(|name| node.get(name).is_some())
}

/// Whether a field is part of an address: where the server is, or of which kind.
fn is_of_address(field: &str) -> bool {
    [ADDRESS, HEADERS, KINDS].concat().contains(&field)
}

/// The file whose entry called `name` becomes `target`, step by step.
fn led_to(client: &Client, current: &[u8], name: &str, target: &Node) -> Result<Vec<u8>, Refusal> {
    let mut bytes = current.to_vec();
    for _ in 0..MOST_STEPS {
        let Some(splice) = outline_of(client, &bytes, name)?.step(target) else { break };
        bytes = apply(&bytes, &[splice]).map_err(|_| Refusal::Unproven)?;
    }
    let splice = between(current, &bytes)?;
    let there = outline_of(client, current, name)?.ours().ok_or(Refusal::Absent)?;
    if !is_within(&splice, &there) {
        return Err(Refusal::Unproven);
    }
    let plan = proven(client, name, Some(current), splice, target, false, 0..0)?;
    plan.after.ok_or(Refusal::Unproven)
}

/// The one splice between two texts.
fn between(before: &[u8], after: &[u8]) -> Result<Splice, Refusal> {
    let (Ok(one), Ok(two)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return Err(Refusal::Unproven);
    };
    let alike = |(one, two): &(char, char)| one == two;
    let start: usize = one.chars().zip(two.chars()).take_while(alike).map(|(c, _)| c.len_utf8()).sum();
    let (one, two) = (&one[start..], &two[start..]);
    let end: usize = one.chars().rev().zip(two.chars().rev()).take_while(alike).map(|(c, _)| c.len_utf8()).sum();
    Ok(Splice::new(start..start + one.len() - end, &two[..two.len() - end]))
}
