//! Keeps the list of wanted servers up to date with skills, values and choices, and stops what may not run any more.

use std::{future::pending, time::Duration};

use servers::{Containers, containers::ContainerRun};
use tokio::time::sleep;

use crate::gateway::Gateway;

/// How often a container engine that was down is checked again.
const AGAIN: Duration = Duration::from_secs(10);

impl Gateway {
    /// Looks again whenever skills, values or choices changed, for as long as the gateway lives. Stops servers that no
    /// skill needs, whose launch spec changed, or that are not approved any more. Removes the containers that an
    /// earlier engine left when it was killed.
    pub fn keep_up(&self) {
        let (mut changes, alive) = (self.state().wants(), self.downgrade());
        // Listed before a run of this engine is among them.
        tokio::spawn(ContainerRun::remove_left(ContainerRun::left(self.machine(), None)));
        self.begin_unseen();
        tokio::spawn(async move {
            loop {
                // Repeats the check of a container engine that was down, so that its start needs no report.
                let again = async {
                    let is_down = |gateway: Self| matches!(gateway.state().now().given.containers, Containers::Down(_));
                    match alive().is_some_and(is_down) {
                        true => sleep(AGAIN).await,
                        false => pending().await,
                    }
                };
                let asked = tokio::select! {
                    changed = changes.changed() => match changed {
                        Ok(()) => false,
                        Err(_) => return,
                    },
                    () = again => true,
                };
                let Some(gateway) = alive() else { return };
                if asked {
                    gateway.ask_for_containers().await;
                }
                gateway.reconcile().await;
                gateway.stop_stale();
                gateway.begin_unseen();
            }
        });
    }

    /// Starts servers that were approved while no engine served: clients cannot call their tools before a first run. A
    /// server that waits for a sign-in keeps waiting, and one that a client starts itself is left to that client.
    fn begin_unseen(&self) {
        for want in self.state().unseen() {
            if let Err(message) = self.begin_first(&want) {
                tracing::debug!("a server whose tools nobody has seen does not run: {message}");
            }
        }
    }
}
