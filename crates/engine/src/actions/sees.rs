//! Shows the user their skills as one client sees them.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use ::skills::Entry;
use api::{ActionError, ClientSees, EndpointState, ErrorKind, Snapshot, failed};
use files::confined;
use library::LARGEST;
use mcp::WorkFolder;
use skills::Catalog;
use state::{blocking, client_context};

use crate::{Engine, sees};

/// Where a client is thought to work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeenFrom {
    /// Where no set is bound.
    Anywhere,
    /// In this folder.
    Folder(PathBuf),
    /// In the folders of the set with this id.
    Set(String),
}

/// What a client sees of the enabled skills where it works, and what that costs its model.
///
/// # Errors
/// When there is no such client, or no such set.
pub async fn client_sees(engine: &Engine, client: &str, from: SeenFrom) -> Result<ClientSees, ActionError> {
    let context = client_context(&engine.state().now());
    let known = context.client(client)?;
    let row = known.row;
    let snapshot = engine.snapshot();
    let paused = snapshot.endpoint.state == EndpointState::Paused;
    let (catalog, why) = seen_from(engine, &snapshot, client, from).await?;
    let endpoint = sees::by_endpoint(&catalog, engine.state().surfaces(client), why, paused);
    let roots = engine.state().roots();
    let read = move |entry: &Entry| {
        let root: &PathBuf = &roots.iter().find(|root| root.id == entry.folder)?.path;
        confined::read_skill_md(root, &entry.location, LARGEST).ok()
    };
    let (reads_folders, loader) = (!row.skills.user.is_empty(), row.loader);
    let native = blocking(move || {
        let loader = loader.filter(|_| reads_folders);
        Ok(loader.and_then(|loader| sees::natively(loader, &catalog, read)))
    })
    .await?;
    let remark = match (&native, reads_folders) {
        (Some(_), _) => None,
        (None, false) => Some(format!("{} reads no skill folder that we know of.", row.name)),
        (None, true) => Some(format!(
            "{0} reads skill folders by itself. How it judges a skill is not known: nobody has run {0} with many of them.",
            row.name
        )),
    };
    Ok(ClientSees { client: known.id.clone(), name: known.name.clone(), endpoint, native, remark })
}

/// What is seen, the set that says so, and why, if a folder was asked about.
async fn seen_from(
    engine: &Engine,
    snapshot: &Snapshot,
    client: &str,
    from: SeenFrom,
) -> Result<(Arc<Catalog>, (Option<String>, Option<String>)), ActionError> {
    let catalogs = engine.state().catalogs();
    let own = snapshot.sets.iter().find(|set| set.clients.iter().any(|id| id == client)).map(|set| set.name.clone());
    let in_set = |at: usize| catalogs.within_sets(client, BTreeSet::from([at])).unwrap_or_default();
    match from {
        SeenFrom::Anywhere => Ok((Arc::clone(catalogs.of_client(client)), (own, None))),
        SeenFrom::Set(id) => {
            let gone = || failed(ErrorKind::NotFound, "This set is not there any more.");
            let at = catalogs.sets().iter().position(|set| set.id == id).ok_or_else(gone)?;
            let set = &catalogs.sets()[at];
            let folders: Vec<_> = set.folders.iter().map(|bound| bound.folder.as_str()).collect();
            let why = format!("This set counts in {}, whatever the client's own set is.", folders.join(", "));
            Ok((in_set(at), (Some(set.name.clone()), Some(why))))
        }
        SeenFrom::Folder(folder) => {
            let folder = blocking(move || Ok(WorkFolder::at(folder))).await?;
            let place = engine.machine().place(&folder.path);
            let Some((at, nth)) = catalogs.bound(&[folder]).into_iter().next() else {
                let why = format!("No set is bound to {place}: what counts is what the client sees everywhere.");
                return Ok((Arc::clone(catalogs.of_client(client)), (own, Some(why))));
            };
            let set = &catalogs.sets()[at];
            let why = format!(
                "In {place} the set {} counts: it is bound to `{}`, the most specific folder that fits.",
                set.name, set.folders[nth].folder
            );
            Ok((in_set(at), (Some(set.name.clone()), Some(why))))
        }
    }
}
