//! Our entry as text: as it stands in a file, and as it would stand in one.

use text::{Place, apply};

use crate::{
    Client, Entry, NAME, Refusal,
    edit::place,
    node::Node,
    plan::{outline, spelled},
};

/// Our entry in a client's file, for a person to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Where it stands.
    pub place: Place,
    /// What stands there.
    pub text: String,
}

/// The entry of our name as it stands in a file, whoever wrote it.
///
/// # Errors
/// When the file is not one that the client could read, or is ambiguous on our path.
pub fn ours(client: &Client, current: &[u8]) -> Result<Option<Shown>, Refusal> {
    let found = outline(client, current)?.ours();
    Ok(found.map(|found| Shown {
        place: place(current, found.at),
        text: String::from_utf8_lossy(&current[found.range]).into_owned(),
    }))
}

/// Such a file on one line, as JSON: what a client of YAML reads too.
///
/// # Errors
/// When the client's file knows no entry of this kind.
pub fn one_line(client: &Client, entry: &Entry) -> Result<String, Refusal> {
    let (_, node) = spelled(client, entry)?;
    let servers = match client.key.list {
        true => Node::List(vec![node]),
        false => Node::Map(vec![(NAME.to_owned(), node)]),
    };
    let path = client.key.path.iter().rev();
    Ok(path.fold(servers, |inner, name| Node::Map(vec![((*name).to_owned(), inner)])).json().to_string())
}

/// A whole file that holds our entry alone: for a person to copy, and to compare with what stands there.
///
/// # Errors
/// When the client's file knows no entry of this kind.
pub fn snippet(client: &Client, entry: &Entry) -> Result<String, Refusal> {
    let (_, node) = spelled(client, entry)?;
    let splice = outline(client, b"")?.insertion(&node);
    let bytes = apply(b"", &[splice]).map_err(|_| Refusal::Unproven)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
