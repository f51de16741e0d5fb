//! Which entries of a client's file are ours: the one under our name, and those of servers that a client starts
//! directly.

use std::path::Path;

use api::Standing;
use clients::{Entry, Runs};

use super::{
    context::{ClientContext, KnownClient},
    entry::running,
};
use crate::journal;

/// The servers' own entries in a file, by name: those that we would write now, and those that we wrote earlier.
pub(super) fn own_entries(
    context: &ClientContext,
    known: &KnownClient,
    path: &Path,
    current: &[u8],
) -> Vec<(String, Entry)> {
    let servers = clients::servers(known.row, current).unwrap_or_default();
    let ours = |server: &clients::Server| matches!(&server.runs, Runs::Program { args, .. } if args.first().is_some_and(|word| word == "run"));
    let maybe: Vec<_> = servers.into_iter().filter(ours).map(|server| server.name).collect();
    if maybe.is_empty() {
        return Vec::new();
    }
    let history = journal::history(&context.machine.data, &known.id);
    let told: Vec<_> = history.into_iter().filter(|record| record.path == path).flat_map(|old| old.direct).collect();
    let entry = |name: String| {
        let earlier = told.iter().filter(|told| told.name == name).map(|told| told.entry.clone());
        let mut entries = running(context, &name).ok().into_iter().chain(earlier);
        entries.find(|entry| leads_to(known, &name, current, entry)).map(|entry| (name, entry))
    };
    maybe.into_iter().filter_map(entry).collect()
}

fn leads_to(known: &KnownClient, name: &str, current: &[u8], entry: &Entry) -> bool {
    let standing = clients::standing_as(known.row, name, Some(current), entry);
    matches!(standing, Ok(clients::Standing::Ours | clients::Standing::Adjusted))
}

/// Whether the entry under our name is one that we may remove.
pub(super) fn is_ours(standing: &Standing) -> bool {
    matches!(standing, Standing::Added | Standing::Outdated { .. } | Standing::Edited)
}
