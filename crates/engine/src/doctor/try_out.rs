//! The trial of this program on what the person has, before it takes the place of the version that runs: an engine that
//! only reads starts on the data folder, and the doctor looks at what it read. Nothing is written, no other program is
//! started, and no client is served. Who starts the trial, and what follows, is left to the app.

use std::time::Duration;

use machine::{Machine, Mode};
use tokio::time::timeout;

use super::losses;
use crate::Engine;

/// The time for the library. On a slow disk it takes longer, for the old version too: what was read by then counts.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts an engine on the data folder that writes nothing, and looks at what it read.
///
/// # Errors
/// When this program would not start there, or cannot read what the version before has written: why, as sentences.
pub async fn try_out(machine: Machine) -> Result<(), String> {
    let beginning = Engine::begin(machine, Mode::Reading).map_err(|why| why.to_string())?;
    let engine = beginning.engine().clone();
    if timeout(PATIENCE, beginning.read()).await.is_err() {
        tracing::warn!("the library is not read to its end after {} seconds", PATIENCE.as_secs());
    }
    let looked = tokio::task::spawn_blocking(move || losses(&engine)).await;
    match looked.map_err(|why| why.to_string())? {
        losses if losses.is_empty() => Ok(()),
        losses => Err(losses.join(" ")),
    }
}
