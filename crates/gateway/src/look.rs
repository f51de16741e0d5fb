//! Determines which servers are wanted. The disk is read here, so that the loop need not.

use std::sync::Arc;

use servers::{Containers, Requirements, SpecSource, search_programs};
use state::State;

use crate::gateway::Gateway;

/// The result of one look.
struct Look {
    wanted: Requirements,
    /// The number of the look: it does not replace a later one.
    number: u64,
    /// The state of containers as it was known, and as it is now.
    containers: (Containers, Containers),
}

impl Gateway {
    /// Determines from the current disk what is wanted, publishes it and returns it.
    pub async fn reconcile(&self) -> Arc<Requirements> {
        let gateway = self.clone();
        let looked = tokio::task::spawn_blocking(move || look(&gateway)).await;
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
        drop(self.state().change(publish).await);
        wanted
    }

    /// [`Gateway::reconcile`] before an action that affects a server returns, so that the snapshot is correct by then.
    /// Does nothing in an engine that starts no servers.
    pub async fn reconcile_if_serving(&self) {
        if self.serves() {
            self.reconcile().await;
        }
    }
}

fn look(gateway: &Gateway) -> Look {
    // Taken before the state, so that a look with a higher number has seen all that this one sees.
    let number = gateway.next_look();
    let state = gateway.state().now();
    let machine = gateway.machine();
    let search = search_programs(machine);
    let mut given = state.given.clone();
    let known = given.containers;
    given.containers = known.seen(&search);
    let source = SpecSource {
        home: &machine.home,
        data: &machine.data,
        search: &search,
        containers: given.containers,
        digests: gateway.digests(),
    };
    let (chosen, servers) = (&state.choices.servers, &state.servers);
    let (adopted, approvals) = (&servers.adopted.servers, &servers.approvals);
    let wanted = Requirements::of(&gateway.state().catalog(), &given, chosen, adopted, approvals, &source);
    Look { wanted, number, containers: (known, given.containers) }
}
