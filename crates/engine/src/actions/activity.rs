//! What a person looks at to see what their clients do.

use std::cmp::Reverse;

use crate::{
    Engine,
    actions::blocking,
    audit,
    view::{ActionError, Call},
};

/// More calls than anybody looks through.
const MOST: usize = 1_000;

/// The latest calls of all clients, the last one first, at most `most`: also those that were answered while no engine
/// wrote. Of their arguments, the skill or file is recorded and nothing else; their answers never are.
///
/// # Errors
/// When the engine is quitting.
pub async fn read_calls(engine: &Engine, most: usize) -> Result<Vec<Call>, ActionError> {
    if let Some(audit) = engine.audit() {
        audit.flush().await;
    }
    let folder = engine.machine().data.join("audit");
    let most = most.min(MOST);
    blocking(move || {
        let mut calls = [audit::latest(&folder, most), audit::latest_alone(&folder, most)].concat();
        calls.sort_by_key(|call| Reverse(call.at));
        calls.truncate(most);
        Ok(calls.into_iter().map(Call::from).collect())
    })
    .await
}
