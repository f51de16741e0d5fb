//! User actions on the endpoint.

use ::skills::{Catalog, Entry, Severity};
use api::ActionError;
use machine::Machine;

use crate::Engine;

/// Pauses or resumes serving: while paused, lists are empty. Clients are notified.
///
/// # Errors
/// When the engine is quitting.
pub async fn pause(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.state().change(move |state| state.choices.paused = on).await
}

/// Skills in the library's folders that are not served although they are enabled, and places that were not scanned: one
/// sentence each. For servers of plain folders, which have no window to report it.
pub fn left_out(engine: &Engine) -> Vec<String> {
    let (snapshot, catalog) = (engine.snapshot(), engine.state().catalog());
    let folders = snapshot.folders.iter().flat_map(|folder| folder.trouble.iter().chain(&folder.remarks).cloned());
    let skills = catalog.entries().iter().filter_map(|entry| why_left_out(engine.machine(), &catalog, entry));
    folders.chain(skills).collect()
}

fn why_left_out(machine: &Machine, catalog: &Catalog, entry: &Entry) -> Option<String> {
    if entry.served() || !entry.enabled {
        return None;
    }
    let place = |entry: &Entry| machine.place(&entry.location.join("SKILL.md"));
    let at = place(entry);
    if let Some(other) = &entry.shadowed_by {
        let by = catalog.by_key(other).map(|other| place(other)).unwrap_or_default();
        return Some(format!("{at} was left out: {by} has the same id and is served."));
    }
    let problems = &entry.skill.problems;
    let problem = problems.iter().find(|problem| problem.severity == Severity::Error).or(problems.first())?;
    Some(format!("{at}:{}:{} was left out: {}", problem.place.line, problem.place.column, problem.message))
}
