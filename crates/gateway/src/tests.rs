//! The gateway with real processes under real supervisors, with a stand-in for docker, and with a server that speaks
//! HTTP.

mod containers;
mod crashes;
mod docker;
mod ports;
mod teapot;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use machine::{KeychainKind, Machine};
use secrets::{Index, Secrets};
use servers::{Kind, LaunchSpec, containers::ContainerRun, search_programs};
use state::{State, StateHandle};
use tempfile::TempDir;

use crate::{
    gateway::{Gateway, Parts},
    process::Process,
    start::recipe,
};

/// A test that waits longer has failed; the limit allows for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A machine whose supervisor is the example `child` of `processes`, and which finds programs in `search` first.
fn machine(home: &Path, search: &Path) -> Machine {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(program).clone();
    let search = vec![search.to_path_buf(), "/usr/bin".into(), "/bin".into()];
    Machine { program, search, processes: "/proc".into(), ..Machine::at(home).unwrap() }
}

fn program() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package=processes", "--example=child"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    // `cargo xtask test` has built it with all tests.
    assert!(std::env::var_os("SKILLTENDER_EXAMPLES").is_some() || cargo.status().unwrap().success());
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().join("examples/child")
}

/// A gateway on this machine, in which nothing is wanted.
fn gateway(machine: &Machine) -> Gateway {
    let machine = Arc::new(machine.clone());
    let state = State::new(Arc::clone(&machine), Default::default());
    let secrets = Secrets::new(machine.data.join("secrets.json"), Index::default(), KeychainKind::StandIn);
    Gateway::new(Parts {
        machine,
        secrets,
        digests: Arc::default(),
        state: StateHandle::start(state, false, true).unwrap(),
        over: Box::new(|| {}),
    })
}

/// The launch spec of the server `teapot` with this command line.
fn spec(machine: &Machine, program: &Path, argv: &[String]) -> LaunchSpec {
    let kind = Kind::Program {
        program: program.to_path_buf(),
        real: dunce::canonicalize(program).ok().filter(|real| real != program),
        content: None,
        argv: argv.to_vec(),
        env: BTreeMap::new(),
        cwd: machine.data.join("servers/teapot"),
        files: BTreeMap::new(),
        held: None,
        image: None,
        port: None,
    };
    LaunchSpec { name: "teapot".to_owned(), kind, secrets: BTreeMap::new() }
}

/// The process of `teapot` with this command line, as it is started.
async fn started(machine: &Machine, program: &Path, argv: &[String]) -> Process {
    let container = ContainerRun::new(machine, "teapot", argv);
    let argv = container.as_ref().map_or_else(|| argv.to_vec(), |container| container.argv(argv));
    let cwd = machine.data.join("servers/teapot");
    let parts = (&program.to_path_buf(), argv.as_slice(), &BTreeMap::new(), &cwd, None);
    let recipe = recipe(machine, &search_programs(machine), parts, &BTreeMap::new()).unwrap();
    Process::start(machine, recipe, container).await.unwrap()
}

/// A home, and a server that runs in a shell.
async fn shell(script: &str) -> (TempDir, Process) {
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path(), home.path());
    let argv = ["sh", "-c", script].map(str::to_owned);
    let process = started(&machine, Path::new("/bin/sh"), &argv).await;
    (home, process)
}

/// Waits until something holds.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < PATIENCE, "not yet: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
