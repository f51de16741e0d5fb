//! What stands about us in a client's files.

use std::path::Path;

use clients::{Client, Entry, LARGEST};

use super::{entry, files};
use crate::{Machine, guest, journal, state::ClientFile, view::Standing};

/// What stands in a client's file now.
pub(crate) fn look(machine: &Machine, client: &Client) -> ClientFile {
    let files = files(machine, client);
    let looks: Vec<_> = files.iter().map(|path| standing(machine, client, path)).collect();
    // Of several files, the one that is not as it should be says how the client stands.
    let (standing, written) = looks
        .iter()
        .find(|(standing, _)| *standing != Standing::Added)
        .or(looks.first())
        .cloned()
        .unwrap_or((Standing::Absent, None));
    ClientFile {
        found: files.iter().any(|path| path.parent().is_some_and(Path::is_dir)),
        place: files.first().map(|path| machine.place(path)).unwrap_or_default(),
        path: files.first().map(|path| path.display().to_string()).unwrap_or_default(),
        standing,
        written,
    }
}

/// What stands in one file, and when we wrote it.
pub(super) fn standing(machine: &Machine, client: &Client, path: &Path) -> (Standing, Option<u64>) {
    let refused = |message: String| (Standing::Refused { message }, None);
    let entry = match entry(machine, client) {
        Ok(entry) => entry,
        Err(error) => return refused(error.message),
    };
    let current = match guest::read(path, LARGEST as u64) {
        Ok(current) => current,
        Err(error) => return refused(error.to_string()),
    };
    let ours = |entry: &Entry| clients::standing(client, current.as_deref(), entry);
    let last = journal::last(&machine.data, client.id, path);
    let added = last.as_ref().and_then(|last| last.added.as_ref());
    match ours(&entry) {
        Err(refusal) => refused(refusal.to_string()),
        Ok(clients::Standing::Absent) => (Standing::Absent, None),
        // An entry that an earlier version of ours wrote is ours too.
        Ok(clients::Standing::Different)
            if !added.is_some_and(|added| ours(&added.entry) == Ok(clients::Standing::Ours)) =>
        {
            (Standing::Different, None)
        }
        Ok(_) => (Standing::Added, last.filter(|last| last.added.is_some()).map(|last| last.time)),
    }
}
