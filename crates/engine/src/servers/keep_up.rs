//! Keeps the list of what is wanted up with skills, values and choices. The disk is looked at here, so that the loop need
//! not.

use std::sync::Arc;

use super::{FormSource, Wanted, paths};
use crate::{Engine, Mode};

/// What is wanted, as the disk is at this moment, and publishes it.
pub(crate) async fn look_now(engine: &Engine) -> Arc<Wanted> {
    let looking = engine.clone();
    let looked = tokio::task::spawn_blocking(move || look(&looking)).await;
    let Ok(Some(wanted)) = looked else { return Arc::default() };
    let wanted = Arc::new(wanted);
    let told = Arc::clone(&wanted);
    // A loop that is gone has nobody to tell.
    drop(engine.change(move |state| state.servers.wanted = Some(told)).await);
    wanted
}

fn look(engine: &Engine) -> Option<Wanted> {
    let (given, choices, approvals, adopted) = engine.change_here(|state| {
        let (approvals, adopted) = (Arc::clone(&state.servers.approvals), Arc::clone(&state.servers.adopted));
        (state.given.clone(), state.choices.servers.clone(), approvals, adopted)
    })?;
    let machine = engine.machine();
    let search = paths::search(machine);
    let source = FormSource { home: &machine.home, data: &machine.data, search: &search };
    Some(Wanted::of(&engine.catalog(), &given, &choices, &adopted.servers, &approvals, &source))
}

/// Looks again before an action returns that a server hangs on, so that the snapshot tells the truth then. An engine that
/// starts nothing has nothing to look at.
pub(crate) async fn keep_truth(engine: &Engine) {
    if engine.serves() {
        look_now(engine).await;
    }
}

/// Looks again whenever skills, values or choices changed, for as long as the engine lives. A server that is wanted
/// otherwise now, or by nobody, or that nobody agreed to any more, is stopped.
pub(crate) fn keep_up(engine: &Engine) {
    if *engine.mode() != Mode::Writing {
        return;
    }
    let (mut changes, alive) = (engine.wants(), engine.while_it_lives());
    tokio::spawn(async move {
        while changes.changed().await.is_ok() {
            let Some(engine) = alive() else { return };
            let wanted = look_now(&engine).await;
            engine.gateway().keep_only(&engine, &wanted).await;
        }
    });
}
