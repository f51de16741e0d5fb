//! Direct mode: a client's own entry for one server. What would run is read from the disk, as by an engine that only
//! reads, so it works with or without a running engine. What is started, and with what, is left to `gateway`.

pub use gateway::Direct;
use machine::Machine;
pub use mcp::Line;

use crate::{Engine, Mode, StartError};

/// Why a server is not started directly.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// It may not run, or not in this mode; the sentence says why.
    #[error("{0}")]
    Refused(String),
    /// The library could not be read.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Prepares the connection to an approved server, without starting or reaching anything.
///
/// # Errors
/// When no skill that is on needs the server, what it would be started with now is not approved, a secret is
/// not available, or it has no direct mode.
pub async fn prepare(machine: Machine, server: &str) -> Result<Direct, DirectError> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    let prepared = engine.gateway().direct(server).await.map_err(DirectError::Refused);
    engine.stop().await;
    prepared
}
