//! Servers whose secrets stand in a client's file in plain text: which of them can be started through us, so that the
//! secrets need not stand there, and the change of the entry that has the client do so.
//!
//! The entry keeps its name and all that only its client knows: `disabled`, a time limit, `cwd`. What is said of the
//! program becomes ours to keep, and its variables go. A value is never copied here: a [`PlainValue`] says where it stands.

use std::{collections::BTreeMap, ops::Range};

use text::{Lines, Place, Splice, apply};

use crate::{
    Client, Entry, NAME, Part, Refusal, Runs, SecretKind, Server,
    node::{Found, Node},
    plan::{is_within, outline, outline_of, proven},
    servers::{ENVIRONMENT, occurrences, secrets, server},
    shape::leads_to,
};

/// Fields by which a client itself gives a program variables that stand elsewhere: a file, its own environment, its own
/// keychain. They would be lost.
const PASSED_ON: &[&str] = &["envFile", "env_file", "envfile", "env_vars", "env_keys", "inheritEnv"];
/// More changes than an entry has fields.
const MOST_STEPS: usize = 100;

/// A server of a client's file with secrets in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescuable {
    /// The server.
    pub server: Server,
    /// What it is started with, if it can be started through us; otherwise why not.
    pub moves: Result<Moves, Stays>,
}

/// What a server is started with, but for its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// The program as it is written.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its variables that are no secrets.
    pub env: BTreeMap<String, String>,
    /// Those that are.
    pub secrets: Vec<PlainValue>,
}

/// A secret in plain text that can be moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainValue {
    /// The name of its variable.
    pub name: String,
    /// Where the value stands.
    pub place: Place,
    /// The bytes of the file that are the value.
    pub at: Range<usize>,
}

/// Why the secrets of a server stay where they are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stays {
    /// It runs elsewhere.
    #[error("It is a server at an address, which no program of this computer stands in for.")]
    Address,
    /// A secret is an argument.
    #[error(
        "A secret stands in its arguments, which every program of this computer can read while it runs. See whether the server takes it from a variable."
    )]
    Argument,
    /// A value is not what the server gets.
    #[error("It holds a value that only the client fills in.")]
    Reference,
    /// It gets variables from elsewhere.
    #[error("\"{0}\" has the client give it variables from elsewhere.")]
    PassedOn(&'static str),
    /// Its program is named from where the client stands.
    #[error("Its program is named by a path that is not a whole one.")]
    Relative,
    /// It is not written as the client's documents say.
    #[error("Its entry is written in a way that Skilltender does not know.")]
    Form,
    /// The value's bytes are not the value.
    #[error("The value of {0} is written with escapes.")]
    Escaped(String),
    /// The client cannot start our program, or its file cannot be changed.
    #[error("{0}")]
    Refused(String),
}

/// Every server of a client's file with secrets in plain text, in its order. An entry of our own name is none.
///
/// # Errors
/// When the file is not one that the client could read, or is ambiguous on our path.
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
    // Of two entries of one name nobody knows which one counts.
    outline_of(client, current, &found.name).map_err(|_| Stays::Form)?;
    if matches!(server.runs, Runs::Address { .. }) {
        return Err(Stays::Address);
    }
    if server.secrets.iter().any(|secret| secret.kind != SecretKind::Variable) {
        return Err(Stays::Argument);
    }
    let says_nothing = |value: &Node| value.items().is_empty() && value.members().is_empty() && value.text().is_none();
    let passes = |name: &&&str| found.node.get(name).is_some_and(|value| !says_nothing(value));
    if let Some(name) = PASSED_ON.iter().find(passes) {
        return Err(Stays::PassedOn(name));
    }
    let mut line = Vec::new();
    for (name, part) in template {
        match (part, found.node.get(name)) {
            (Part::Command, Some(Node::Text(command))) => line.insert(0, command.clone()),
            (Part::CommandLine | Part::Args, Some(list @ Node::List(_))) => {
                line.extend(texts(list).ok_or(Stays::Form)?);
            }
            (Part::Args, None) => {}
            (Part::Command | Part::CommandLine | Part::Args, _) => return Err(Stays::Form),
            _ => {}
        }
    }
    let mut maps = ENVIRONMENT.iter().filter_map(|name| found.node.get(name));
    let (Some(variables), None) = (maps.next(), maps.next()) else { return Err(Stays::Form) };
    let (mut env, mut values) = (BTreeMap::new(), Vec::new());
    for (name, value) in variables.members() {
        let value = value.text().ok_or(Stays::Form)?;
        if secrets::is_secret(name, value) {
            let at = written(client, current, found, name, value).ok_or_else(|| Stays::Escaped(name.clone()))?;
            values.push(PlainValue { name: name.clone(), place: lines.place(at.start), at });
        } else {
            drop(env.insert(name.clone(), value.to_owned()));
        }
    }
    if line.iter().chain(env.values()).any(|value| !value.is_empty() && secrets::is_reference(value)) {
        return Err(Stays::Reference);
    }
    let command = if line.is_empty() { String::new() } else { line.remove(0) };
    let whole = command.starts_with('/') || command.starts_with("\\\\") || command.get(1..2) == Some(":");
    match command.as_str() {
        "" => Err(Stays::Form),
        path if path.contains(['/', '\\']) && !whole => Err(Stays::Relative),
        _ => Ok(Moves { command, args: line, env, secrets: values }),
    }
}

fn texts(list: &Node) -> Option<Vec<String>> {
    list.items().iter().map(|item| item.text().map(str::to_owned)).collect()
}

/// The bytes that are the value of a variable: with others there, the file says something else.
fn written(client: &Client, current: &[u8], found: &Found, name: &str, value: &str) -> Option<Range<usize>> {
    let entry = &current[found.range.clone()];
    let variable = |bytes: &[u8]| {
        let there = outline_of(client, bytes, &found.name).ok()?.ours()?;
        let map = ENVIRONMENT.iter().find_map(|field| there.node.get(field))?;
        Some(map.get(name)?.text()?.to_owned())
    };
    occurrences(entry, value.as_bytes()).into_iter().find_map(|at| {
        let at = at.start + found.range.start..at.end + found.range.start;
        let mut other = current.to_vec();
        other[at.clone()].fill(b'x');
        (variable(&other)? == "x".repeat(value.len())).then_some(at)
    })
}

/// The file in which the entry of this name runs our program instead, without the variables that it had.
///
/// # Errors
/// When there is no such entry, or the change cannot be proven to be this one alone.
pub fn rescue(client: &Client, current: &[u8], name: &str, entry: &Entry) -> Result<Vec<u8>, Refusal> {
    let template = client.stdio.ok_or(Refusal::Unproven)?;
    let there = outline_of(client, current, name)?.ours().ok_or(Refusal::Absent)?;
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

/// The file in which the entry of this name, which runs our program, says of its program what it said in `was`: the
/// fields that [`rescue`] changed. Those that it left alone stay as they are now.
///
/// # Errors
/// When the entry does not run our program any more, or the change cannot be proven to be this one alone.
pub fn put_back(client: &Client, current: &[u8], name: &str, entry: &Entry, was: &[u8]) -> Result<Vec<u8>, Refusal> {
    let template = client.stdio.ok_or(Refusal::Unproven)?;
    let there = outline_of(client, current, name)?.ours().ok_or(Refusal::Absent)?;
    let was = outline_of(client, was, name)?.ours().ok_or(Refusal::Absent)?;
    if !leads_to(template, entry, &there.node) {
        return Err(Refusal::Different);
    }
    let ours = |field: &str| {
        ENVIRONMENT.contains(&field) || template.iter().any(|(known, part)| *known == field && part.varies())
    };
    let kept = there.node.members().iter().filter(|(field, _)| !ours(field));
    let back = was.node.members().iter().filter(|(field, _)| ours(field));
    led_to(client, current, name, &Node::Map(kept.chain(back).cloned().collect()))
}

/// The file whose entry of this name says `target`, step by step.
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
