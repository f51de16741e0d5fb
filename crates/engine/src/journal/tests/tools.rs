//! Required tools of these tests. Without them the tests report it and skip; on CI a missing tool is a failure.

use std::{env, process::Command, thread};

/// Whether all of these programs are installed.
pub(super) fn are_there(tools: &[&str]) -> bool {
    let missing: Vec<_> =
        tools.iter().filter(|tool| Command::new(tool).arg("--version").output().is_err()).copied().collect();
    if missing.is_empty() {
        return true;
    }
    assert!(env::var_os("CI").is_none(), "missing: {missing:?}");
    skip(&format!("{} not installed", missing.join(", ")));
    false
}

/// Says why a test is not run.
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
pub(super) fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// Runs `act` on each of many cases, on all cores.
pub(super) fn each<T: Sync>(cases: &[T], act: impl Fn(&T) + Sync) {
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for worker in 0..workers {
            let act = &act;
            scope.spawn(move || cases.iter().skip(worker).step_by(workers).for_each(act));
        }
    });
}

/// Runs a program that must succeed.
pub(super) fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
