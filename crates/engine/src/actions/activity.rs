//! Shows the user what their clients do.

use std::cmp::Reverse;

use api::{ActionError, Call};
use state::blocking;

use crate::{Engine, audit};

/// The maximum number of calls returned; more than a user reads through.
const MOST: usize = 1_000;

/// The latest calls of all clients, newest first, at most `most`; includes calls answered while no engine wrote. Of the
/// arguments, only the skill or file is recorded; answers never are.
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
