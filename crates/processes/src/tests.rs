//! Real servers under real supervisors. Each has a number that no other process on the computer has among its
//! arguments, which is used to find what is left of it, and to kill that when a test fails.

mod left_behind;
mod streams;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::{Duration, Instant},
};

use machine::{Machine, random};
use rustix::process::{Pid, Signal, kill_process};
use secrets::{Environment, Secret, environment};
use skills::Launch;
use tempfile::TempDir;

use super::{Child, Ending, Recipe, start};

/// Set in the processes that [`left_behind`] starts and kills.
const PARENT: &str = "SKILLTENDER_TEST_PARENT";

/// A test that waits longer has failed; the limit allows for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A secret that must appear only in the server's environment.
const SECRET: &str = "canary-4711-\"of\" a secret";

/// A machine whose supervisor is the example `child`.
pub(super) fn machine(home: &Path) -> Machine {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(program).clone();
    Machine { program, processes: "/proc".into(), ..Machine::at(home).unwrap() }
}

/// Cargo builds examples only in a `cargo test` of everything: when only some tests run, the last build may be
/// outdated.
fn program() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package=processes", "--example=child"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    // `cargo xtask test` has built them with all tests. A process that is part of a test uses that build, and must not
    // wait for others.
    let built = ["SKILLTENDER_EXAMPLES", PARENT].iter().any(|variable| std::env::var_os(variable).is_some());
    assert!(built || cargo.status().unwrap().success());
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().join("examples/child")
}

/// A unique number of seconds to sleep.
pub(super) struct Marker(String);

impl Marker {
    pub(super) fn new() -> Self {
        Self(format!("9{:010}", u32::from_be_bytes(random::bytes())))
    }

    /// A server with children and grandchildren, some of them in sessions of their own, that reads nothing.
    pub(super) fn tree(&self) -> String {
        "sh -c 'sleep N & sleep N & wait' & setsid sleep N & (setsid sh -c 'sleep N & sleep N' &) ; sleep N"
            .replace('N', &self.0)
    }

    /// Waits until `count` of the tree's sleeps are running.
    pub(super) async fn sleeps(&self, count: usize) {
        let since = Instant::now();
        while self.alive().iter().filter(|(_, words)| words.starts_with("sleep")).count() != count {
            assert!(since.elapsed() < PATIENCE, "{:?}", self.alive());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until nothing of it is left.
    pub(super) async fn nothing_is_left(&self) {
        let since = Instant::now();
        while !self.alive().is_empty() {
            assert!(since.elapsed() < PATIENCE, "{:?}", self.alive());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The processes with this number among their arguments.
    pub(super) fn alive(&self) -> Vec<(i32, String)> {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let found = entries.filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let words = fs::read(entry.path().join("cmdline")).ok()?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            words.contains(&self.0).then_some((id, words))
        });
        found.collect()
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        for (id, _) in self.alive() {
            let _it_may_just_have_ended = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
        }
    }
}

/// The environment of a server that needs one secret.
pub(super) fn declared() -> Environment {
    let launch = Launch {
        argv: vec![],
        env: [("MODE".to_owned(), "read-only".to_owned())].into(),
        secrets: [("API_KEY".to_owned(), "KEY".to_owned())].into(),
        cwd: None,
    };
    let secret = |text: &str| Secret::new(text.to_owned()).unwrap_or_else(|refused| panic!("{refused}"));
    let secrets = BTreeMap::from([("KEY".to_owned(), secret(SECRET)), ("OTHER".to_owned(), secret("of another"))]);
    let ours = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/home/ada"),
        ("LC_ALL", "C"),
        ("https_proxy", "http://proxy:3128"),
        ("GITHUB_TOKEN", "of the person"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("LD_PRELOAD", "/tmp/evil.so"),
    ];
    environment(ours.map(|(name, value)| (name.into(), value.into())), &launch, &secrets).unwrap()
}

pub(super) fn recipe(program: &str, args: &[&str]) -> Recipe {
    Recipe {
        program: program.into(),
        args: args.iter().map(|&word| word.to_owned()).collect(),
        environment: declared(),
        cwd: "/".into(),
    }
}

/// A home, and a server that runs in a shell.
pub(super) async fn shell(script: &str) -> (TempDir, Child) {
    let home = tempfile::tempdir().unwrap();
    let child = start(&machine(home.path()), recipe("sh", &["-c", script])).await.unwrap();
    (home, child)
}

/// The records in this home.
pub(super) fn records(home: &Path) -> Vec<PathBuf> {
    let running = machine(home).data.join(super::orphans::FOLDER);
    fs::read_dir(running).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

/// The record of the only server of this home, whole. The supervisor writes it once the server runs, so a server can be
/// heard of before.
pub(super) async fn recorded(home: &Path) -> (PathBuf, String) {
    let since = Instant::now();
    loop {
        let at = records(home).pop();
        let record = at.and_then(|at| Some((fs::read_to_string(&at).ok().filter(|record| record.ends_with('}'))?, at)));
        if let Some((record, at)) = record {
            return (at, record);
        }
        assert!(since.elapsed() < PATIENCE, "the server is not recorded");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How often a test with possible races is repeated.
pub(super) fn rounds() -> usize {
    if std::env::var_os("SKILLTENDER_LONG").is_some_and(|long| !long.is_empty()) { 100 } else { 10 }
}

#[tokio::test]
async fn how_a_server_ends_is_said_in_a_sentence() {
    for (script, sentence) in [
        ("exit 0", "It ended with exit code 0."),
        ("exit 1", "It ended with exit code 1."),
        ("exit 126", "It ended with exit code 126."),
        ("kill -9 $$", "It was ended by signal 9."),
    ] {
        let (home, mut child) = shell(script).await;
        assert_eq!(child.ended().await.to_string(), sentence);
        assert_eq!(child.ended().await.to_string(), sentence);
        assert_eq!(records(home.path()), [] as [PathBuf; 0]);
    }
}

#[tokio::test]
async fn a_program_that_is_missing_is_told_from_one_that_may_not_be_run() {
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path());
    let script = home.path().join("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    let path = script.to_str().unwrap();

    let refused = async |program: &str, cwd: &str| {
        let recipe = Recipe { cwd: cwd.into(), ..recipe(program, &[]) };
        match start(&machine, recipe).await {
            Err(error) => error.to_string(),
            Ok(mut child) => match child.ended().await {
                Ending::NotStarted(sentence) => format!("(later) {sentence}"),
                other => other.to_string(),
            },
        }
    };
    assert_eq!(
        refused("/no/such/program", "/").await,
        "The program /no/such/program is not there. Install it, or correct its name."
    );
    assert_eq!(
        refused("no-such-program", "/").await,
        "(later) The program no-such-program is not there. Install it, or correct its name."
    );
    assert_eq!(
        refused("true", "/no/such/folder").await,
        "The folder /no/such/folder is not there, in which the server is to run. Make it, or correct the path."
    );
    assert_eq!(
        refused(path, "/").await,
        format!("{path} may not be run: it is no program, or its permissions do not allow it.")
    );
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(
        refused(path, "/").await,
        format!("(later) {path} is there, but what it is run by is not. Install what its first line names.")
    );
    let machine = Machine { program: "/no/skilltender".into(), ..machine };
    let error = start(&machine, recipe("true", &[])).await.err().unwrap().to_string();
    assert!(error.starts_with("Skilltender's own program /no/skilltender could not be started: "), "{error}");
    assert_eq!(records(home.path()), [] as [PathBuf; 0]);
}
