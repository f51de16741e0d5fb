//! The entry that connects a client to Skilltender.

use std::path::Path;

use api::{ActionError, ErrorKind, Transport, failed};
use clients::Entry;

use super::{
    context::{ClientContext, KnownClient},
    program,
};

/// The entry that a client's file should contain for this transport.
///
/// # Errors
/// When our program has no lasting place, or there is no address or token yet.
pub fn entry(context: &ClientContext, known: &KnownClient, transport: Transport) -> Result<Entry, ActionError> {
    match transport {
        Transport::Stdio => stdio(context, known),
        Transport::Http => http(context, known),
    }
}

/// Runs our program with the client's id. Clients often pass on only HOME and PATH, so the data folder is named unless
/// those lead to it.
fn stdio(context: &ClientContext, known: &KnownClient) -> Result<Entry, ActionError> {
    our_program(context, &["mcp", "--client", &known.id])
}

/// Runs our program in place of this server.
///
/// # Errors
/// When our program has no lasting place.
pub(super) fn running(context: &ClientContext, server: &str) -> Result<Entry, ActionError> {
    our_program(context, &["run", server])
}

fn our_program(context: &ClientContext, words: &[&str]) -> Result<Entry, ActionError> {
    let machine = &*context.machine;
    program::refuse_passing(machine.places.platform, &machine.program)?;
    let mut args: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
    if !machine.default_data {
        args.extend(["--home".to_owned(), text(&absolute(&machine.data))?]);
    }
    let command = program::as_clients_take_it(machine.places.platform, &text(&program::program(machine))?);
    Ok(Entry::Stdio { command, args })
}

/// Our address, and the token that this client sends.
fn http(context: &ClientContext, known: &KnownClient) -> Result<Entry, ActionError> {
    let url = context.address.clone().ok_or_else(|| {
        failed(ErrorKind::Refused, "Skilltender has no address yet. Start it once, then connect over HTTP.")
    })?;
    let token = context.token(&known.id).ok_or_else(|| {
        failed(ErrorKind::Refused, format!("{} has no token yet for connecting over HTTP.", known.name))
    })?;
    Ok(Entry::Http { url, token })
}

/// The transport that an entry uses.
pub(super) fn transport(entry: &Entry) -> Transport {
    match entry {
        Entry::Stdio { .. } => Transport::Stdio,
        Entry::Http { .. } => Transport::Http,
    }
}

pub(super) fn absolute(path: &Path) -> std::path::PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn text(path: &Path) -> Result<String, ActionError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let message = format!("{} cannot be written into a client's file: it is not UTF-8.", path.display());
        failed(ErrorKind::System, message)
    })
}
