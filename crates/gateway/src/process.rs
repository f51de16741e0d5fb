//! The process of a server, and for a container also what its engine runs for that process.

use machine::Machine;
use processes::{Child, Ending, Recipe};
use servers::containers::ContainerRun;

/// A started process.
pub(crate) struct Process {
    pub(crate) child: Child,
    /// The container whose client the process is.
    pub(crate) container: Option<ContainerRun>,
}

impl Process {
    /// Starts it. If dropped halfway, it starts nothing.
    ///
    /// # Errors
    /// Why nothing was started, as a sentence.
    pub(crate) async fn start(
        machine: &Machine,
        recipe: Recipe,
        container: Option<ContainerRun>,
    ) -> Result<Self, String> {
        if let Some(Err(error)) = container.as_ref().map(ContainerRun::record) {
            tracing::warn!("A container is not recorded, so only this run of Skilltender can remove it: {error}");
        }
        match processes::start(machine, recipe).await {
            Ok(child) => Ok(Self { child, container }),
            Err(error) => {
                if let Some(container) = container {
                    container.forget();
                }
                Err(error.to_string())
            }
        }
    }

    /// Ends it, and returns when nothing is left of it. A container whose client did not end well is removed.
    pub(crate) async fn stop(self) -> Ending {
        let ending = self.child.stop().await;
        match self.container {
            // The client waits for the end of its container, and passes on how that was.
            Some(container) if ending == Ending::Code(0) => container.forget(),
            Some(container) => container.remove().await,
            None => {}
        }
        ending
    }
}
