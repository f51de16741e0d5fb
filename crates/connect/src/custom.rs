//! Clients that the user describes: a file, and a known client that uses the same format.

use std::path::Path;

use api::{ActionError, CustomClient, ErrorKind, failed};
use choices::CustomChoice;

use super::context::ClientContext;

/// The maximum length of a name, in characters.
const LONGEST: usize = 60;

/// The client that the user describes, with an unused id.
///
/// # Errors
/// When its name, its file or the known client is invalid.
pub fn described(context: &ClientContext, client: CustomClient) -> Result<CustomChoice, ActionError> {
    let refuse = |message: String| Err(failed(ErrorKind::Input, message));
    let name = client.name.trim().to_owned();
    if !(1..=LONGEST).contains(&name.chars().count()) || name.contains(char::is_control) {
        return refuse(format!("The name of a client is one line of 1 to {LONGEST} characters."));
    }
    if let Some(other) = context.clients.iter().find(|known| known.name.to_lowercase() == name.to_lowercase()) {
        return refuse(format!("There is a client `{}` already. Choose another name.", other.name));
    }
    let path = Path::new(&client.path);
    if !path.is_absolute() || path.is_dir() || path.file_name().is_none() {
        return refuse(format!("{} is no file. Name the client's file by its whole path.", client.path));
    }
    let Some(row) = clients::client(&client.like) else {
        return refuse(format!("Skilltender knows no client \"{}\" that it could be like.", client.like));
    };
    if row.stdio.is_none() && row.http.is_none() {
        return refuse(format!("{} takes no servers from a file, so no other client can be like it.", row.name));
    }
    let reads = |known: &&super::KnownClient| context.files(known, None).iter().any(|file| file == path);
    if let Some(other) = context.clients.iter().find(reads) {
        return refuse(format!("{} is the file of {}: connect that client.", context.machine.place(path), other.name));
    }
    let id = free_id(context, &name);
    Ok(CustomChoice { id, name, path: client.path, like: client.like, rest: serde_json::Map::new() })
}

/// `custom-` and the name in lower case with hyphens, followed by a number if that id is taken.
fn free_id(context: &ClientContext, name: &str) -> String {
    let plain: String =
        name.to_lowercase().chars().map(|at| if at.is_ascii_alphanumeric() { at } else { '-' }).collect();
    let words: Vec<_> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let base = if words.is_empty() { "custom-client".to_owned() } else { format!("custom-{}", words.join("-")) };
    let is_free = |id: &String| context.clients.iter().all(|known| known.id != *id);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    [base.clone()].into_iter().chain(numbered).find(is_free).unwrap_or(base)
}
