//! Servers that have entries of their own in a client's file and run through Skilltender: reading these entries, the
//! change that writes them in place of ours, and the change that removes them. Whether a server may run is decided
//! elsewhere.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, Standing, Transport, failed};
use clients::Refusal;
use files::digest;

use super::{
    change::{Change, FileChange, folders},
    context::{ClientContext, KnownClient},
    entry::running,
    own_entries::{is_ours, own_entries},
    standing::Look,
    target::{Target, way},
};
use crate::journal::{self, Added, Record, Rescued};

/// Gives servers entries of their own: those that are `named`, or, in place of our entry, all that may run. Removes the
/// entries of servers that may no longer run.
///
/// # Errors
/// When a server cannot be started this way, or the file needs no such change or cannot be changed safely.
pub(super) fn plan(target: &Target<'_>, named: Option<&[String]>) -> Result<Change, ActionError> {
    let possible = &target.context.direct;
    let refuse = |message: String| Err(failed(ErrorKind::Refused, message));
    if let Some(other) = named.unwrap_or_default().iter().find(|name| !possible.contains(name)) {
        return refuse(format!(
            "{other} cannot be started by an entry of its own now. `skilltender servers show {other}` shows its state."
        ));
    }
    let servers = named.unwrap_or(possible);
    if servers.is_empty() {
        return refuse("No server may run yet that a client could start by an entry of its own.".to_owned());
    }
    way(target.context, target.known, Some(Transport::Stdio), target.project.is_some())?;
    let mut notes: Vec<_> = target.absent().into_iter().collect();
    let (mut theirs, mut replaced) = (Vec::new(), false);
    let already = "Each server that may run has an entry of its own there already.";
    let change = target.each(
        || target.so_already(&already),
        |path, current| {
            let look = target.look(path);
            if let Standing::Refused { message } = &look.standing {
                return Err(target.refused(path, message));
            }
            let replaces = named.is_none() && is_ours(&look.standing);
            replaced |= replaces;
            of_file(target, path, current, &look, servers, replaces, &mut theirs)
        },
    );
    let change = change.map_err(|error| match theirs.first() {
        Some(theirs) if error.kind == ErrorKind::Already => failed(ErrorKind::Refused, theirs.clone()),
        _ => error,
    })?;
    notes.extend(theirs);
    let name = &target.known.name;
    notes.extend(replaced.then(|| format!("Our own entry goes: {name} gets no skills from Skilltender then.")));
    notes.push(
        "Their tools do not pass through Skilltender: switches for tools and the record of calls are not for them."
            .to_owned(),
    );
    Ok(Change { notes, ..change })
}

/// The change of one file. Sentences about entries that belong to others are added to `theirs`.
fn of_file(
    target: &Target<'_>,
    path: &Path,
    current: Option<&[u8]>,
    look: &Look,
    servers: &[String],
    replaces: bool,
    theirs: &mut Vec<String>,
) -> Result<Option<FileChange>, ActionError> {
    let row = target.known.row;
    let refused = |refusal: Refusal| target.refused(path, &refusal);
    let (mut after, mut direct) = (current.map(<[u8]>::to_vec), Vec::new());
    for (name, there) in &look.direct {
        // The entry of a server that may no longer run is removed; an outdated one is removed and written again.
        let stays = running(target.context, name).is_ok_and(|entry| entry == *there);
        if let (false, Some(bytes)) = (stays && target.context.direct.contains(name), &after) {
            after = Some(clients::disconnect_as(row, name, bytes, there).map_err(refused)?);
        }
    }
    for name in servers {
        let entry = running(target.context, name)?;
        match clients::connect_as(row, name, after.as_deref(), &entry) {
            Ok(plan) => after = plan.after,
            Err(Refusal::Already) => continue,
            Err(Refusal::Different) => {
                theirs.push(format!("The file has another entry {name} already, which stays as it is."));
                continue;
            }
            Err(refusal) => return Err(refused(refusal)),
        }
        direct.push(Rescued { server: name.clone(), name: name.clone(), entry, secrets: 0 });
    }
    let earlier = look.added();
    if let (true, Some(bytes)) = (replaces, &after) {
        let plan = clients::disconnect(row, bytes, earlier.map(|added| &added.undo)).map_err(refused)?;
        after = Some(plan.after.ok_or_else(|| refused(Refusal::Unproven))?);
    }
    let before = current.map(<[u8]>::to_vec);
    if after == before {
        return Ok(None);
    }
    let ours = earlier.filter(|_| !replaces).map(|added| (added.entry.clone(), added.undo.clone()));
    let change = FileChange::between(path.to_path_buf(), before, after, ours, folders(earlier));
    Ok(Some(FileChange { direct, ..change }))
}

/// A file in an earlier state.
struct Earlier {
    bytes: Option<Vec<u8>>,
    /// Our entry in it.
    added: Option<Added>,
    /// The folders that were created for it since.
    folders: Vec<PathBuf>,
}

/// The change that removes the servers' own entries from a file, and our entry if `takes_ours`. If the file was not
/// edited since, the original bytes are restored.
pub(super) fn removed(
    context: &ClientContext,
    known: &KnownClient,
    path: &Path,
    current: &[u8],
    look: &Look,
    takes_ours: bool,
) -> Result<FileChange, Refusal> {
    let Earlier { bytes, added, mut folders } = match before(context, known, path, current) {
        Some(earlier) => earlier,
        None => without(known, current, look)?,
    };
    folders.extend(super::change::folders(added.as_ref()));
    let has_ours = |bytes: &[u8]| clients::ours(known.row, bytes).is_ok_and(|ours| ours.is_some());
    let after = match bytes {
        Some(bytes) if (takes_ours || added.is_some()) && has_ours(&bytes) => {
            clients::disconnect(known.row, &bytes, added.as_ref().map(|added| &added.undo))?.after
        }
        bytes => bytes,
    };
    Ok(FileChange::between(path.to_path_buf(), Some(current.to_vec()), after, None, folders))
}

/// The file before the changes that added servers' entries, if it was not edited since.
fn before(context: &ClientContext, known: &KnownClient, path: &Path, current: &[u8]) -> Option<Earlier> {
    let data = &context.machine.data;
    let mut history = journal::history(data, &known.id);
    history.retain(|record| record.path == path);
    let (mut bytes, mut folders, mut any) = (Some(current.to_vec()), Vec::new(), false);
    let is_last = |record: &Record, bytes: &Option<Vec<u8>>| {
        !record.direct.is_empty() && bytes.as_deref().map(digest) == record.after
    };
    while let Some(record) = history.pop_if(|record| is_last(record, &bytes)) {
        let kept = journal::before(data, &known.id, &record, |_| None);
        if kept.is_some() != record.before.is_some() {
            return None;
        }
        (bytes, folders, any) = (kept, record.folders, true);
    }
    let added = history.pop().and_then(|record| record.added);
    let clean = bytes.as_deref().is_none_or(|bytes| own_entries(context, known, path, bytes).is_empty());
    (any && clean).then_some(Earlier { bytes, added, folders })
}

/// The current file without these entries.
fn without(known: &KnownClient, current: &[u8], look: &Look) -> Result<Earlier, Refusal> {
    let mut bytes = current.to_vec();
    for (name, entry) in look.direct.iter().rev() {
        bytes = clients::disconnect_as(known.row, name, &bytes, entry)?;
    }
    Ok(Earlier { bytes: Some(bytes), added: look.added().cloned(), folders: Vec::new() })
}
