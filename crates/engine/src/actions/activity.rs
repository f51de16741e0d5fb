//! What a person looks at to see what their clients do.

use crate::{
    Engine,
    actions::blocking,
    audit,
    view::{ActionError, Call},
};

/// More calls than anybody looks through.
const MOST: usize = 1_000;

/// The latest calls of all clients, the last one first, at most `most`. Their arguments and answers
/// were never recorded.
///
/// # Errors
/// When the engine is quitting.
pub async fn read_calls(engine: &Engine, most: usize) -> Result<Vec<Call>, ActionError> {
    if let Some(audit) = engine.audit() {
        audit.flush().await;
    }
    let folder = engine.machine().data.join("audit");
    blocking(move || Ok(audit::latest(&folder, most.min(MOST)).into_iter().map(Call::from).collect())).await
}
