//! Our entry as text, for a person who puts it into a file by hand.

use clients::Entry;

use super::{
    entry::entry,
    plans::way,
    program,
    scene::{Known, Scene},
};
use crate::{
    actions::failed,
    view::{ActionError, EntryText, ErrorKind, Transport},
};

/// Our entry as it would stand in an empty file, the command line that it runs, and links that add it.
///
/// # Errors
/// When the client cannot reach us in this way.
pub(crate) fn entry_text(scene: &Scene, known: &Known, wished: Option<Transport>) -> Result<EntryText, ActionError> {
    let way = way(scene, known, wished, false)?;
    let entry = entry(scene, known, way)?;
    let text =
        clients::snippet(known.row, &entry).map_err(|refusal| failed(ErrorKind::Refused, refusal.to_string()))?;
    let command = match &entry {
        Entry::Stdio { command, args } => {
            let words: Vec<_> = [command].into_iter().chain(args).cloned().collect();
            Some(program::command_line(scene.machine.places.platform, &words))
        }
        Entry::Http { .. } => None,
    };
    let place = scene.files(known, None).first().map(|path| scene.machine.place(path)).unwrap_or_default();
    Ok(EntryText { place, text, command, links: Vec::new() })
}
