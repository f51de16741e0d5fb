//! Shows the user their skills as one client sees them.

use std::path::PathBuf;

use ::skills::Entry;
use api::{ActionError, ClientSees, EndpointState};
use files::confined;
use library::LARGEST;
use state::{blocking, client_context};

use crate::{Engine, sees};

/// What a client sees of the enabled skills, and what that costs its model.
///
/// # Errors
/// When there is no such client.
pub async fn client_sees(engine: &Engine, client: &str) -> Result<ClientSees, ActionError> {
    let context = client_context(&engine.state().now());
    let known = context.client(client)?;
    let row = known.row;
    let snapshot = engine.snapshot();
    let set = snapshot.sets.iter().find(|set| set.clients.iter().any(|id| id == client)).map(|set| set.name.clone());
    let paused = snapshot.endpoint.state == EndpointState::Paused;
    let catalog = engine.state().catalog_of(client);
    let endpoint = sees::by_endpoint(&catalog, engine.state().surfaces(client), set, paused);
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
