//! No process of a server is left, however it ends and however we end.

use std::{process::Stdio, time::Duration};

use tokio::task::JoinSet;

use super::*;
use crate::{stat, sweep};

/// The number of sleeps in a [`Marker::tree`].
const SLEEPS: usize = 6;

/// Repeats a round [`rounds`] times, ten at a time.
async fn repeatedly<F: Future<Output = ()> + Send + 'static>(round: impl Fn() -> F) {
    for _ in 0..rounds() / 10 {
        let tasks: JoinSet<()> = (0..10).map(|_| round()).collect();
        tasks.join_all().await;
    }
}

/// wire contract 46
#[tokio::test]
async fn nothing_is_left_after_a_stop() {
    repeatedly(async || {
        let marker = Marker::new();
        let (home, child) = shell(&marker.tree()).await;
        marker.sleeps(SLEEPS).await;
        child.stop().await;
        assert_eq!(marker.alive(), []);
        assert_eq!(records(home.path()), [] as [PathBuf; 0]);
    })
    .await;
}

#[tokio::test]
async fn nothing_is_left_after_a_drop() {
    repeatedly(async || {
        let marker = Marker::new();
        let (_home, child) = shell(&marker.tree()).await;
        marker.sleeps(SLEEPS).await;
        drop(child);
        marker.nothing_is_left().await;
    })
    .await;
}

#[tokio::test]
async fn nothing_is_left_of_a_server_that_ends_by_itself() {
    repeatedly(async || {
        let marker = Marker::new();
        let (_home, mut child) = shell(&marker.tree().replace("; sleep", "; exit 5; sleep")).await;
        assert_eq!(child.ended().await, Ending::Code(5));
        assert_eq!(marker.alive(), []);
    })
    .await;
}

/// wire contract 46
#[tokio::test]
async fn nothing_is_left_when_we_are_killed() {
    repeatedly(async || {
        let marker = Marker::new();
        let home = tempfile::tempdir().unwrap();
        let mut parent = parent(home.path(), &marker);
        marker.sleeps(SLEEPS).await;
        parent.kill().unwrap();
        parent.wait().unwrap();
        marker.nothing_is_left().await;
    })
    .await;
}

#[tokio::test]
async fn a_server_that_heeds_nothing_is_killed() {
    let marker = Marker::new();
    let (_home, child) = shell(&format!("trap '' TERM INT HUP; sleep {0} & sleep {0}", marker.0)).await;
    marker.sleeps(2).await;
    assert_eq!(child.stop().await, Ending::Signal(9));
    assert_eq!(marker.alive(), []);
}

#[tokio::test]
async fn what_a_killed_supervisor_leaves_is_ended_with_it() {
    let marker = Marker::new();
    let (home, mut child) = shell(&marker.tree()).await;
    marker.sleeps(SLEEPS).await;
    child.started.kill();
    assert_eq!(child.ended().await, Ending::Signal(9));
    assert_eq!(records(home.path()), [] as [PathBuf; 0]);
    // A process in a session of its own whose parent ended before is out of reach then.
    marker.sleeps(2).await;
}

#[tokio::test]
async fn the_next_start_ends_what_a_killed_supervisor_of_a_killed_engine_left() {
    let marker = Marker::new();
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path());
    let script = format!("sleep {0} & setsid sleep {0} & sleep {0}", marker.0);
    let mut parent = parent_of(home.path(), &script);
    marker.sleeps(3).await;

    let (record, _) = recorded(home.path()).await;
    sweep(&machine);
    assert_eq!(records(home.path()), std::slice::from_ref(&record), "a supervisor that lives is left alone");
    let supervisor: i32 = record.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    // Stopped first, so that the supervisor does not notice the end of its parent.
    kill_process(Pid::from_raw(supervisor).unwrap(), Signal::STOP).unwrap();
    parent.kill().unwrap();
    parent.wait().unwrap();
    kill_process(Pid::from_raw(supervisor).unwrap(), Signal::KILL).unwrap();
    let since = Instant::now();
    while stat::one(Path::new("/proc"), supervisor).is_some_and(|process| !process.ended) {
        assert!(since.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    marker.sleeps(3).await;

    sweep(&machine);
    marker.nothing_is_left().await;
    assert_eq!(records(home.path()), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn a_record_of_another_boot_ends_nobody() {
    let marker = Marker::new();
    let (home, child) = shell(&format!("sleep {}", marker.0)).await;
    marker.sleeps(1).await;
    let (_, record) = recorded(home.path()).await;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let other = tempfile::tempdir().unwrap();
    let machine = machine(other.path());
    let running = machine.data.join(crate::orphans::FOLDER);
    fs::create_dir_all(&running).unwrap();
    let gone = record.replace(&format!("\"id\":{}", child.id()), "\"id\":1");
    fs::write(running.join("1.json"), gone.replace(boot.trim(), "another")).unwrap();
    sweep(&machine);
    assert_eq!(records(other.path()), [] as [PathBuf; 0]);
    marker.sleeps(1).await;
    child.stop().await;
}

#[test]
fn a_sweep_takes_only_the_records_of_supervisors() {
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path());
    let running = machine.data.join(crate::orphans::FOLDER);
    fs::create_dir_all(&running).unwrap();
    for name in ["1.json", "a1.container"] {
        fs::write(running.join(name), "{").unwrap();
    }
    sweep(&machine);
    assert_eq!(records(home.path()), [running.join("a1.container")]);
}

/// Runs these tests again as a process that starts a tree and is then killed.
fn parent(home: &Path, marker: &Marker) -> std::process::Child {
    parent_of(home, &marker.tree())
}

fn parent_of(home: &Path, script: &str) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "tests::left_behind::a_parent_that_another_test_kills"])
        .env(PARENT, home)
        .env("SKILLTENDER_TEST_SCRIPT", script)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
#[ignore = "other tests run it as a process of its own"]
async fn a_parent_that_another_test_kills() {
    let Some(home) = std::env::var_os(PARENT) else { return };
    let script = std::env::var("SKILLTENDER_TEST_SCRIPT").unwrap();
    let _child = start(&machine(Path::new(&home)), recipe("sh", &["-c", &script])).await.unwrap();
    tokio::time::sleep(Duration::from_secs(300)).await;
}
