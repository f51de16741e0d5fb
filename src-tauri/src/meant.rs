//! Translates the page's names for the engine: the page knows folders by id and projects by place or by choice, the
//! engine knows both by path.

use api::{ActionError, ClientChange};
use engine::Engine;

use crate::chosen::Chosen;

/// The ids of the library's folders at these paths.
pub(crate) fn ids(engine: &Engine, paths: &[String]) -> Vec<String> {
    let snapshot = engine.snapshot();
    let named = snapshot.folders.iter().filter(|folder| paths.contains(&folder.path));
    named.map(|folder| folder.id.clone()).collect()
}

/// The paths of the library's folders of these ids.
pub(crate) fn paths(engine: &Engine, ids: &[String]) -> Vec<String> {
    let snapshot = engine.snapshot();
    let named = snapshot.folders.iter().filter(|folder| ids.contains(&folder.id));
    named.map(|folder| folder.path.clone()).collect()
}

/// The library's first folders: chosen or found ones.
///
/// # Errors
/// A folder is neither.
pub(crate) fn first_folders(engine: &Engine, chosen: &Chosen, folders: &[String]) -> Result<Vec<String>, ActionError> {
    let found: Vec<_> = engine.snapshot().found.iter().map(|found| found.path.clone()).collect();
    folders.iter().map(|folder| chosen.folder_or_known(folder, &found)).collect()
}

/// The path of a project: chosen, or one that the client is already connected for.
///
/// # Errors
/// It is neither.
pub(crate) fn project(
    engine: &Engine,
    chosen: &Chosen,
    client: &str,
    project: Option<String>,
) -> Result<Option<String>, ActionError> {
    let snapshot = engine.snapshot();
    let known = snapshot.clients.iter().filter(|known| known.id == client).flat_map(|known| &known.projects);
    let known: Vec<_> = known.map(|project| project.project.clone()).collect();
    project.map(|project| chosen.folder_or_known(&project, &known)).transpose()
}

/// The change that the page requests, with the path of its project.
///
/// # Errors
/// Its project is neither chosen nor known.
pub(crate) fn change(
    engine: &Engine,
    chosen: &Chosen,
    client: &str,
    mut change: ClientChange,
) -> Result<ClientChange, ActionError> {
    match &mut change {
        ClientChange::Connect { project: of, .. }
        | ClientChange::Disconnect { project: of }
        | ClientChange::Update { project: of, .. }
        | ClientChange::Direct { project: of, .. }
        | ClientChange::Skills { project: of, .. } => *of = project(engine, chosen, client, of.take())?,
        // The engine refuses a file that is not the client's.
        ClientChange::Rescue { .. } | ClientChange::Undo | ClientChange::Redo => {}
    }
    Ok(change)
}
