//! Whether containers can run here, asked when a person or an agent wants a server that may be one.

use servers::containers::answering;
use skills::{Catalog, Way};

use crate::Engine;

/// Whether any skill that is on may run in a container.
fn wants_any(catalog: &Catalog) -> bool {
    let mut ways = catalog.served().flat_map(|entry| &entry.skill.servers).flat_map(|server| &server.ways);
    ways.any(|way| matches!(way, Way::Docker { .. }))
}

/// Asks whether containers can run here, because a person or an agent wants a server that may be one.
pub(crate) async fn ask_for_containers(engine: &Engine) {
    if !wants_any(&engine.state().catalog()) {
        return;
    }
    if let Some(found) = answering(engine.machine()).await {
        // If the loop is gone, the answer is not needed.
        drop(engine.state().change(move |state| state.given.containers = found).await);
    }
}
