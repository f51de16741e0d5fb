//! Determines which servers are wanted. The disk is read here, so that the loop need not.

use std::sync::Arc;

use servers::{Containers, Requirements, SpecSource, search_programs};
use state::State;

use crate::Engine;

/// The result of one look.
struct Look {
    wanted: Requirements,
    /// The number of the look: it does not replace a later one.
    number: u64,
    /// The state of containers as it was known, and as it is now.
    containers: (Containers, Containers),
}

/// Determines from the current disk what is wanted, publishes it and returns it.
pub(crate) async fn look_now(engine: &Engine) -> Arc<Requirements> {
    let looking = engine.clone();
    let looked = tokio::task::spawn_blocking(move || look(&looking)).await;
    let Ok(Look { wanted, number, containers: (known, seen) }) = looked else { return Arc::default() };
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
    drop(engine.state().change(publish).await);
    wanted
}

fn look(engine: &Engine) -> Look {
    // Taken before the state, so that a look with a higher number has seen all that this one sees.
    let number = engine.gateway().next_look();
    let state = engine.state().now();
    let mut given = state.given.clone();
    let machine = engine.machine();
    let search = search_programs(machine);
    let known = given.containers;
    let containers = known.seen(&search);
    given.containers = containers;
    let digests = engine.digests();
    let source = SpecSource { home: &machine.home, data: &machine.data, search: &search, containers, digests };
    let (chosen, servers) = (&state.choices.servers, &state.servers);
    let (adopted, approvals) = (&servers.adopted.servers, &servers.approvals);
    let wanted = Requirements::of(&engine.state().catalog(), &given, chosen, adopted, approvals, &source);
    Look { wanted, number, containers: (known, containers) }
}

/// Looks again before an action that affects a server returns, so that the snapshot is correct by then. Does
/// nothing in an engine that starts no servers.
pub(crate) async fn keep_truth(engine: &Engine) {
    if engine.serves() {
        look_now(engine).await;
    }
}
