//! Keeps the list of wanted servers up to date with skills, values and choices. The disk is read here, so that
//! the loop need not.

use std::{sync::Arc, time::Duration};

use servers::{Containers, FormSource, Wanted, search_programs};

use super::ask_for_containers;
use crate::{Engine, Mode, state::State};

/// How often a container engine that was down is checked again.
const AGAIN: Duration = Duration::from_secs(10);

/// The result of one look.
struct Look {
    wanted: Wanted,
    /// The number of the look: it does not replace a later one.
    number: u64,
    /// The state of containers as it was known, and as it is now.
    containers: (Containers, Containers),
}

/// Determines from the current disk what is wanted, publishes it and returns it.
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
        // Another caller may have asked meanwhile.
        if state.given.containers == known {
            state.given.containers = seen;
        }
    };
    // If the loop is gone, the result is not needed.
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
    let search = search_programs(machine);
    let known = given.containers;
    let containers = known.seen(&search);
    given.containers = containers;
    let digests = engine.digests();
    let source = FormSource { home: &machine.home, data: &machine.data, search: &search, containers, digests };
    let wanted = Wanted::of(&engine.catalog(), &given, &choices, &adopted.servers, &approvals, &source);
    Some(Look { wanted, number, containers: (known, containers) })
}

/// Looks again before an action that affects a server returns, so that the snapshot is correct by then. Does
/// nothing in an engine that starts no servers.
pub(crate) async fn keep_truth(engine: &Engine) {
    if engine.serves() {
        look_now(engine).await;
    }
}

/// Looks again whenever skills, values or choices changed, for as long as the engine lives. Stops servers that
/// no skill needs, whose form changed, or that are not approved any more.
pub(crate) fn keep_up(engine: &Engine) {
    if *engine.mode() != Mode::Writing {
        return;
    }
    let (mut changes, alive) = (engine.wants(), engine.while_it_lives());
    begin_unseen(engine);
    tokio::spawn(async move {
        loop {
            // Repeats the check of an engine that was down, so that its start needs no report.
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
                ask_for_containers(&engine).await;
            }
            look_now(&engine).await;
            engine.gateway().stop_stale(&engine);
            begin_unseen(&engine);
        }
    });
}

/// Starts servers that were approved while no engine served: clients cannot call their tools before a first
/// run. A server that waits for a sign-in keeps waiting, and one that a client starts itself is left to that
/// client.
fn begin_unseen(engine: &Engine) {
    for want in engine.unseen() {
        if let Err(message) = engine.gateway().begin_first(engine, &want) {
            tracing::debug!("a server whose tools nobody has seen does not run: {message}");
        }
    }
}
