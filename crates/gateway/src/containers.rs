//! Whether containers can run here, asked when a person or an agent wants a server that may be one.

use servers::containers::answering;
use skills::{Catalog, Way};

use crate::gateway::Gateway;

impl Gateway {
    /// Asks the container engine whether it runs, if a skill that is served can use one. It may take a second, and
    /// nothing is started.
    pub async fn ask_for_containers(&self) {
        if !wants_any(&self.state().catalog()) {
            return;
        }
        if let Some(found) = answering(self.machine()).await {
            // If the loop is gone, the answer is not needed.
            drop(self.state().change(move |state| state.given.containers = found).await);
        }
    }
}

/// Whether a served skill can run a server as a container.
fn wants_any(catalog: &Catalog) -> bool {
    let mut ways = catalog.served().flat_map(|entry| &entry.skill.servers).flat_map(|server| &server.ways);
    ways.any(|way| matches!(way, Way::Docker { .. }))
}
