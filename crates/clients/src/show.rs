//! Our entry as text: as it is in a file, and as it would be written into one.

use text::{Place, apply};

use crate::{
    Client, Entry, NAME, Refusal,
    edit::place,
    node::Node,
    plan::{outline, spelled},
};

/// Our entry in a client's file, for the user to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its position.
    pub place: Place,
    /// Its text.
    pub text: String,
}

/// The entry with our name as it is in a file, no matter who wrote it.
///
/// # Errors
/// If the client could not read the file, or the file is ambiguous on our path.
pub fn ours(client: &Client, current: &[u8]) -> Result<Option<Shown>, Refusal> {
    let found = outline(client, current)?.ours();
    Ok(found.map(|found| Shown {
        place: place(current, found.at),
        text: String::from_utf8_lossy(&current[found.range]).into_owned(),
    }))
}

/// A whole file with our entry alone, as one line of JSON, which YAML clients read too.
///
/// # Errors
/// If the client's file has no entries of this kind.
pub fn one_line(client: &Client, entry: &Entry) -> Result<String, Refusal> {
    let (_, node) = spelled(client, entry)?;
    let servers = match client.key.list {
        true => Node::List(vec![node]),
        false => Node::Map(vec![(NAME.to_owned(), node)]),
    };
    let path = client.key.path.iter().rev();
    Ok(path.fold(servers, |inner, name| Node::Map(vec![((*name).to_owned(), inner)])).json().to_string())
}

/// A whole file that holds our entry alone, for the user to copy, and to compare with the present file.
///
/// # Errors
/// If the client's file has no entries of this kind.
pub fn snippet(client: &Client, entry: &Entry) -> Result<String, Refusal> {
    let (_, node) = spelled(client, entry)?;
    let splice = outline(client, b"")?.insertion(&node);
    let bytes = apply(b"", &[splice]).map_err(|_| Refusal::Unproven)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
