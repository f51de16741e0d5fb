//! Actions for an entry of ours that was changed in or removed from a client's file.

use api::{ActionError, Drift, DriftChoice};

use super::clients::{on_disk, read_client};
use crate::Engine;

/// Our entry as we wrote it, as it is now, and the text that was there before us.
///
/// # Errors
/// When there is no such client, its file cannot be read, or nothing has drifted.
pub async fn read_drift(engine: &Engine, client: &str, project: Option<String>) -> Result<Drift, ActionError> {
    on_disk(engine, client, move |_, context, known| {
        connect::drift(context, known, project.as_deref()).map(connect::aligned)
    })
    .await
}

/// Settles a drift without writing to the client's file.
///
/// # Errors
/// As [`read_drift`]; `Changed` when the file no longer contains what was shown.
pub async fn settle_drift(
    engine: &Engine,
    client: &str,
    project: Option<String>,
    drift_id: &str,
    choice: DriftChoice,
) -> Result<(), ActionError> {
    let shown = drift_id.to_owned();
    let ((), saving) = on_disk(engine, client, move |engine, context, known| {
        let _client_files = engine.client_files();
        let chosen = connect::settle(context, known, project.as_deref(), &shown, choice)?;
        let id = known.id.clone();
        engine.state().apply_blocking(move |state| state.choices.about_client(&id, chosen))
    })
    .await?;
    read_client(engine, client).await?;
    saving.done().await
}
