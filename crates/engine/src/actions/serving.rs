//! What a person does with the endpoint.

use crate::{Engine, view::ActionError};

/// Pauses serving, or goes on: lists are then empty, and clients are told.
///
/// # Errors
/// When the engine is quitting.
pub async fn pause(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.change(move |state| state.choices.paused = on).await
}
