//! The client folders, with the clients that read each: several clients share some.

use std::path::PathBuf;

use api::{ActionError, ClientFolderReader, ErrorKind, failed, unknown};
use clients::{TABLE, client_folders};
use machine::Machine;

/// A client folder: one that clients read by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: PathBuf,
    /// The clients that read it.
    pub readers: Vec<ClientFolderReader>,
}

/// Every client folder, in the order of the clients. `found` says which clients are on this
/// computer.
pub(super) fn all(machine: &Machine, found: &dyn Fn(&str) -> bool) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for row in TABLE {
        let reader = ClientFolderReader { id: row.id.to_owned(), name: row.name.to_owned(), found: found(row.id) };
        for path in client_folders(row, &machine.places, None) {
            match targets.iter_mut().find(|target| target.path == path) {
                Some(target) => target.readers.push(reader.clone()),
                None => targets.push(Target { path, readers: vec![reader.clone()] }),
            }
        }
    }
    targets
}

impl Target {
    /// The folder that a person names: by its path, with `~` for home, or by a client that reads it, which
    /// means that client's first folder.
    ///
    /// # Errors
    /// When no client reads such a folder.
    pub fn named(machine: &Machine, word: &str) -> Result<Self, ActionError> {
        let targets = all(machine, &|_| true);
        if let Some(row) = clients::client(word) {
            let first = client_folders(row, &machine.places, None).into_iter().next();
            return first.and_then(|path| targets.into_iter().find(|target| target.path == path)).ok_or_else(|| {
                failed(ErrorKind::NotFound, format!("{} reads no skill folder that we know of.", row.name))
            });
        }
        let path = word.strip_prefix("~/").map_or_else(|| PathBuf::from(word), |below| machine.home.join(below));
        targets.into_iter().find(|target| target.path == path).ok_or_else(|| {
            let message = format!("{word} is neither a client nor a client folder: one that a client reads by itself.");
            let known = clients::TABLE.iter().map(|row| row.id);
            unknown(message, word, known, "`skilltender client-folders` lists them.")
        })
    }
}
