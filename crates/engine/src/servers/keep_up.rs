//! Keeps the list of what is wanted up with skills, values and choices. The disk is looked at here, so that the loop need
//! not.

use std::{sync::Arc, time::Duration};

use super::{
    FormSource, Wanted,
    containers::{self, Containers},
    paths,
};
use crate::{Engine, Mode, state::State};

/// How often an engine for containers is asked for that was down.
const AGAIN: Duration = Duration::from_secs(10);

/// What was seen in one look.
struct Look {
    wanted: Wanted,
    /// Which look it was: a later one is not replaced by it.
    number: u64,
    /// What ran containers as it was known, and as it is now.
    containers: (Containers, Containers),
}

/// What is wanted, as the disk is at this moment, and publishes it.
pub(crate) async fn look_now(engine: &Engine) -> Arc<Wanted> {
    let looking = engine.clone();
    let looked = tokio::task::spawn_blocking(move || look(&looking)).await;
    let Ok(Some(Look { wanted, number, containers: (known, seen) })) = looked else { return Arc::default() };
    let wanted = Arc::new(wanted);
    let told = Arc::clone(&wanted);
    let publish = move |state: &mut State| {
        if number > state.servers.published {
            (state.servers.wanted, state.servers.published) = (Some(told), number);
        }
        // Somebody may have asked meanwhile.
        if state.given.containers == known {
            state.given.containers = seen;
        }
    };
    // A loop that is gone has nobody to tell.
    drop(engine.change(publish).await);
    wanted
}

fn look(engine: &Engine) -> Option<Look> {
    let (mut given, choices, approvals, adopted, number) = engine.change_here(|state| {
        state.servers.looks += 1;
        let (approvals, adopted) = (Arc::clone(&state.servers.approvals), Arc::clone(&state.servers.adopted));
        (state.given.clone(), state.choices.servers.clone(), approvals, adopted, state.servers.looks)
    })?;
    let machine = engine.machine();
    let search = paths::search(machine);
    let known = given.containers;
    let containers = known.seen(&search);
    given.containers = containers;
    let digests = engine.digests();
    let source = FormSource { home: &machine.home, data: &machine.data, search: &search, containers, digests };
    let wanted = Wanted::of(&engine.catalog(), &given, &choices, &adopted.servers, &approvals, &source);
    Some(Look { wanted, number, containers: (known, containers) })
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
        loop {
            // What was asked for and was down is asked for again, so that nobody has to tell us that it runs.
            let again = async {
                let down = match alive() {
                    Some(engine) => engine.change(|state| matches!(state.given.containers, Containers::Down(_))).await,
                    None => Ok(false),
                };
                match down {
                    Ok(true) => tokio::time::sleep(AGAIN).await,
                    _ => std::future::pending().await,
                }
            };
            let asked = tokio::select! {
                changed = changes.changed() => match changed {
                    Ok(()) => false,
                    Err(_) => return,
                },
                () = again => true,
            };
            let Some(engine) = alive() else { return };
            if asked {
                containers::ask(&engine).await;
            }
            look_now(&engine).await;
            engine.gateway().stop_stale(&engine);
        }
    });
}
