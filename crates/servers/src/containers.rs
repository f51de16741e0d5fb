//! Containers: which program of this computer runs them, and whether it has an engine to run them with.
//!
//! Only that program knows which engine its person chose, so it is the one to ask whether an engine answers.
//! Asking runs a program, so it happens only when a person looks at a server or one is started, never because a
//! skill exists (security rule 6); until then the engine is assumed to run.

use std::{env, path::PathBuf, process::Stdio, time::Duration};

use machine::Machine;
use secrets::of_tool;
use skills::Container;
use tokio::time::timeout;

use crate::{Unfilled, paths, paths::find_program};

/// The programs that run containers, the usual one first.
const ENGINES: &[&str] = &["docker", "podman"];

/// The variables by which these programs find their engine and its settings, as their person set them: the
/// question whether an engine answers and the start of a container must use the same engine. None of them reach
/// the container.
const THEIR_VARIABLES: &[&str] = &["DOCKER_", "CONTAINER", "XDG_", "DBUS_SESSION_BUS_ADDRESS"];

/// Placeholder for the port that a container publishes, in its command line until it is started.
pub const PORT: u16 = 0;

/// How long an engine may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is known about running containers here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Containers {
    /// Not asked yet.
    #[default]
    Unknown,
    /// This program has an engine.
    Run(&'static str),
    /// This program exists, but its engine does not run.
    Down(&'static str),
    /// Neither program exists.
    Absent,
}

impl Containers {
    /// Whether it is known that no container can run now.
    pub fn cannot_run(self) -> bool {
        matches!(self, Self::Down(_) | Self::Absent)
    }

    /// The same, updated to the programs that exist now.
    pub fn seen(self, search: &[PathBuf]) -> Self {
        let there = |engine: &str| find_program(engine, search).is_some();
        match self {
            _ if !ENGINES.iter().any(|engine| there(engine)) => Self::Absent,
            Self::Run(engine) | Self::Down(engine) if there(engine) => self,
            _ => Self::Unknown,
        }
    }
}

/// The usual program that runs containers, if none is on this computer.
pub fn absent(containers: Containers, search: &[PathBuf]) -> Option<&'static str> {
    (containers.seen(search) == Containers::Absent).then_some(ENGINES[0])
}

/// The command line that runs a container as a server. Each start chooses a new port of this computer for it,
/// so the port is written as 0.
///
/// # Errors
/// When no container can run here.
pub fn argv(
    container: &Container,
    server: &str,
    containers: Containers,
    search: &[PathBuf],
) -> Result<Vec<String>, Unfilled> {
    let engine = match containers {
        Containers::Run(engine) => engine,
        Containers::Down(engine) => return Err(Unfilled::ContainersDown(engine.to_owned())),
        Containers::Absent => return Err(Unfilled::NoContainers),
        Containers::Unknown => {
            ENGINES.iter().find(|engine| find_program(engine, search).is_some()).ok_or(Unfilled::NoContainers)?
        }
    };
    Ok(container.argv(engine, &format!("skilltender-{server}"), container.port.map(|_| PORT)))
}

/// Whether a command line runs a container.
pub fn is_one(argv: &[String]) -> bool {
    matches!(argv, [engine, run, ..] if ENGINES.contains(&engine.as_str()) && run == "run")
}

/// The names of the variables that a command line gets because it runs a container.
pub fn its_variables(argv: &[String]) -> &'static [&'static str] {
    if is_one(argv) { THEIR_VARIABLES } else { &[] }
}

/// The first program whose engine answers. `None` when one took too long: a busy computer may well have an
/// engine.
pub async fn answering(machine: &Machine) -> Option<Containers> {
    let search = paths::search(machine);
    let mut down = None;
    for &engine in ENGINES {
        let Some(program) = find_program(engine, &search) else { continue };
        let mut command = machine::background(program);
        // The shortest question that only an engine can answer.
        command.args(["ps", "--quiet"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        of_tool(env::vars_os(), &search, THEIR_VARIABLES).give(&mut command);
        let mut command = tokio::process::Command::from(command);
        match timeout(PATIENCE, command.kill_on_drop(true).status()).await {
            Ok(Ok(status)) if status.success() => return Some(Containers::Run(engine)),
            Ok(_) => down = down.or(Some(engine)),
            Err(_) => return None,
        }
    }
    Some(down.map_or(Containers::Absent, Containers::Down))
}

/// The program's name as people write it.
pub(crate) fn named(program: &str) -> &str {
    match program {
        "docker" => "Docker",
        "podman" => "Podman",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use secrets::begins;

    use super::*;

    #[test]
    fn whatever_runs_containers_gets_what_its_engine_is_found_by_and_no_other_server_does() {
        let argv = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for argv in [argv("docker run -i teapot"), argv("podman run teapot")] {
            for name in ["DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "CONTAINERS_CONF", "XDG_RUNTIME_DIR"] {
                assert!(begins(name.as_ref(), its_variables(&argv)), "{name}");
            }
            for name in ["SSH_AUTH_SOCK", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "MY_DOCKER_HOST"] {
                assert!(!begins(name.as_ref(), its_variables(&argv)), "{name}");
            }
        }
        for argv in [argv("docker"), argv("docker mcp gateway"), argv("npx docker run"), argv("sh run")] {
            assert!(its_variables(&argv).is_empty(), "{argv:?}");
        }
    }
}
