//! What a test says that cannot run on this machine.

use std::{env, fs, process::Command};

use tests::able::has;

#[test]
#[ignore = "the other test runs it as a process of its own"]
fn one_that_needs_a_tool_that_nobody_has() {
    assert!(!has(&["no-such-tool"]));
}

#[test]
fn a_test_that_cannot_run_says_so_and_fails_in_ci_unless_the_machine_is_named_as_unable() {
    let folder = tempfile::tempdir().unwrap();
    let collected = folder.path().join("not-tested");
    let run = |ci: &str, unable: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "able::one_that_needs_a_tool_that_nobody_has", "--ignored"]);
        command.env("CI", ci).env("SKILLTENDER_UNABLE", unable).env("SKILLTENDER_NOT_TESTED", &collected);
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap().contains("not tested here: "))
    };
    assert_eq!(run("", ""), (true, true), "what a passing test prints is captured, but not this");
    assert_eq!(run("true", "no-such"), (false, false));
    assert_eq!(run("true", "mount no-such-tool"), (true, true));
    let collected = fs::read_to_string(collected).unwrap();
    assert_eq!(collected.matches("(no-such-tool: it is not installed)\n").count(), 2, "{collected}");
}
