//! Our entry as text, for a user who adds it to a file by hand.

use api::{ActionError, ClientLink, EntryText, ErrorKind, Transport, failed};
use clients::Entry;

use super::{
    context::{ClientContext, KnownClient},
    entry::entry,
    program,
};

/// Our entry as it would be written to an empty file, the command line that it runs, and links that add it.
///
/// # Errors
/// When the client cannot reach us over this transport.
pub fn entry_text(context: &ClientContext, known: &KnownClient, way: Transport) -> Result<EntryText, ActionError> {
    let entry = entry(context, known, way)?;
    let text =
        clients::snippet(known.row, &entry).map_err(|refusal| failed(ErrorKind::Refused, refusal.to_string()))?;
    let command = match &entry {
        Entry::Stdio { command, args } => {
            let words: Vec<_> = [command].into_iter().chain(args).cloned().collect();
            Some(program::command_line(context.machine.places.platform, &words))
        }
        Entry::Http { .. } => None,
    };
    let place = context.files(known, None).first().map(|path| context.machine.place(path)).unwrap_or_default();
    let link = clients::link(known.row, &entry).map(|address| ClientLink { name: known.name.clone(), address });
    Ok(EntryText { place, text, command, links: link.into_iter().collect() })
}
