//! Containers: which program of this computer runs them.

use std::path::PathBuf;

use skills::Container;

use super::{form::find_program, wanted::Unfilled};

/// The programs that run containers, the usual one first.
const ENGINES: &[&str] = &["docker", "podman"];

/// Where the port that a container publishes stands in its command line until it is started.
pub(super) const PORT: u16 = 0;

/// The command line that runs a container as a server. On which port of this computer it is reached is chosen anew at
/// each start, so it stands there as 0.
pub(super) fn argv(container: &Container, server: &str, search: &[PathBuf]) -> Result<Vec<String>, Unfilled> {
    let engine = ENGINES.iter().find(|engine| find_program(engine, search).is_some()).ok_or(Unfilled::NoContainers)?;
    Ok(container.argv(engine, &format!("skilltender-{server}"), container.port.map(|_| PORT)))
}
