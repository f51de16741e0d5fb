//! Containers: which program of this computer runs them, and whether it has an engine to run them with.
//!
//! Whether an engine answers is asked by that program itself, because only it knows which engine its person chose. It is a
//! program that runs, so it is asked only when a person looks at a server or one is started, and never because a skill is
//! there (security.md, R6); until then the engine is taken to be there.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use skills::{Catalog, Container, Way};
use tokio::time::timeout;

use super::{form::find_program, paths, wanted::Unfilled};
use crate::{Engine, Machine};

/// The programs that run containers, the usual one first.
const ENGINES: &[&str] = &["docker", "podman"];

/// Where the port that a container publishes stands in its command line until it is started.
pub(super) const PORT: u16 = 0;

/// How long an engine may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What runs containers here, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Containers {
    /// Nobody asked yet.
    #[default]
    Unknown,
    /// This program has an engine.
    Run(&'static str),
    /// This program is here, and its engine does not run.
    Down(&'static str),
    /// There is no such program.
    Absent,
}

impl Containers {
    /// Whether it is known that no container can run now.
    pub(crate) fn cannot_run(self) -> bool {
        matches!(self, Self::Down(_) | Self::Absent)
    }

    /// The same after a look at which programs are there.
    pub(super) fn seen(self, search: &[PathBuf]) -> Self {
        let there = |engine: &str| find_program(engine, search).is_some();
        match self {
            _ if !ENGINES.iter().any(|engine| there(engine)) => Self::Absent,
            Self::Run(engine) | Self::Down(engine) if there(engine) => self,
            _ => Self::Unknown,
        }
    }
}

/// The command line that runs a container as a server. On which port of this computer it is reached is chosen anew at
/// each start, so it stands there as 0.
pub(super) fn argv(
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
pub(super) fn is_one(argv: &[String]) -> bool {
    matches!(argv, [engine, run, ..] if ENGINES.contains(&engine.as_str()) && run == "run")
}

/// Whether some skill that is on may run in a container.
fn wants_any(catalog: &Catalog) -> bool {
    let mut ways = catalog.served().flat_map(|entry| &entry.skill.servers).flat_map(|server| &server.ways);
    ways.any(|way| matches!(way, Way::Docker { .. }))
}

/// Asks whether containers can run here, because a person or an agent wants a server that may be one.
pub(crate) async fn ask(engine: &Engine) {
    if !wants_any(&engine.catalog()) {
        return;
    }
    if let Some(found) = answering(engine.machine()).await {
        // A loop that is gone has nobody to tell.
        drop(engine.change(move |state| state.given.containers = found).await);
    }
}

/// The first program whose engine answers. `None` where one took too long: a busy computer is none without an engine.
async fn answering(machine: &Machine) -> Option<Containers> {
    let search = paths::search(machine);
    let mut down = None;
    for &engine in ENGINES {
        let Some(program) = find_program(engine, &search) else { continue };
        let mut command = Command::new(program);
        // The shortest question that only an engine can answer.
        command.args(["ps", "--quiet"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut command = tokio::process::Command::from(command);
        match timeout(PATIENCE, command.kill_on_drop(true).status()).await {
            Ok(Ok(status)) if status.success() => return Some(Containers::Run(engine)),
            Ok(_) => down = down.or(Some(engine)),
            Err(_) => return None,
        }
    }
    Some(down.map_or(Containers::Absent, Containers::Down))
}

/// The program as people call it.
pub(crate) fn named(program: &str) -> &str {
    match program {
        "docker" => "Docker",
        "podman" => "Podman",
        other => other,
    }
}
