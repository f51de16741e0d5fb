//! Work that waits for a disk or a person, off the threads that answer.

use api::{ActionError, ErrorKind, failed};

/// Runs blocking work (the disk, or a keychain that prompts the user) on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| failed(ErrorKind::System, "Skilltender is quitting, so this was not done."))?
}
