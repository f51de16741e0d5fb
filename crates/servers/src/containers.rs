//! Containers: which program of this computer runs them, whether it has an engine to run them with, and what is left of
//! one ([`ContainerRun`]).
//!
//! Only that program knows which engine its person chose, so it is the one to ask whether an engine answers.
//! Asking runs a program, so it happens only when a person looks at a server or one is started, never because a
//! skill exists (security rule 6); until then the engine is assumed to run.

mod container_run;

use std::{
    env,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use machine::Machine;
use secrets::of_tool;
use skills::Container;
use tokio::{process::Command, time::timeout};

pub use container_run::ContainerRun;

use crate::{Unfilled, paths, paths::find_program};

/// The programs that run containers, the usual one first.
const ENGINES: &[&str] = &["docker", "podman"];

/// The variables by which these programs find their engine and its settings, as their person set them: the
/// question whether an engine answers and the start of a container must use the same engine. None of them reach
/// the container.
const THEIR_VARIABLES: &[&str] = &["DOCKER_", "CONTAINER", "XDG_", "DBUS_SESSION_BUS_ADDRESS"];

/// Placeholder for the port that a container publishes, in its command line until it is started.
pub const PORT: u16 = 0;

/// The label of each container that Skilltender starts.
const LABEL: &str = "skilltender";

/// Placeholder for the value of this label, in a command line until it is started.
pub(crate) const RUN: &str = "0";

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

/// A command line as it is started: if it runs a container, that has a label with this value. Each run has another
/// ([`ContainerRun`]), so it is no part of what is approved, as the port's number is not.
pub(crate) fn labelled(argv: &[String], run: &str) -> Vec<String> {
    let mut argv = argv.to_vec();
    if is_one(&argv) {
        argv.insert(2, format!("--label={LABEL}={run}"));
    }
    argv
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
        // The shortest question that only an engine can answer.
        match timeout(PATIENCE, command(&program, &search).args(["ps", "--quiet"]).status()).await {
            Ok(Ok(status)) if status.success() => return Some(Containers::Run(engine)),
            Ok(_) => down = down.or(Some(engine)),
            Err(_) => return None,
        }
    }
    Some(down.map_or(Containers::Absent, Containers::Down))
}

/// A question for the engine behind this program, which finds it as its person does. It says nothing, and a dropped
/// one ends.
fn command(program: &Path, search: &[PathBuf]) -> Command {
    let mut command = machine::background(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    of_tool(env::vars_os(), search, THEIR_VARIABLES).give(&mut command);
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    command
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
    use crate::consent;

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

    #[test]
    fn what_is_shown_is_what_runs_but_for_the_number_of_the_run_and_is_approved_without_it() {
        let home = tempfile::tempdir().unwrap();
        let machine = Machine::at(home.path()).unwrap();
        let argv = ["docker", "run", "--rm", "tea/pot"].map(str::to_owned);
        let run = ContainerRun::new(&machine, "teapot", &argv).unwrap();
        let other = ContainerRun::new(&machine, "teapot", &argv).unwrap();
        assert_ne!(run.argv(&argv), other.argv(&argv));

        let kind = serde_json::json!({"program": {"program": "/bin/docker", "argv": argv, "env": {}, "cwd": "/"}});
        let spec = serde_json::json!({"name": "teapot", "kind": kind});
        let shown = consent::shown(&machine, &serde_json::from_value(spec).unwrap(), Vec::new()).command;
        assert_eq!(shown.join(" "), "docker run --label=skilltender=0 --rm tea/pot");
        let (number, started) = (run.argv(&argv)[2].replace("--label=skilltender=", ""), run.argv(&argv).join(" "));
        assert_eq!(started.replace(&number, "0"), shown.join(" "));

        let program = ["node", "run", "tea.js"].map(str::to_owned);
        assert!(ContainerRun::new(&machine, "teapot", &program).is_none());
        assert_eq!(labelled(&program, RUN), program);
    }
}
