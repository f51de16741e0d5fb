//! Tests with a disk that does not answer: the loop continues, clients get answers, and stopping ends in time. The disk
//! is simulated by [`Hangs`].

use std::{fs, time::Duration};

use api::ClientChange;
use machine::{Machine, waiting::Hangs};
use mcp::{Caller, ClientEvent, Host, Surface};
use state::client_activity;
use tempfile::TempDir;
use tokio::time::timeout;

use super::{Engine, Mode};
use crate::actions;

const ADD: ClientChange = ClientChange::Connect { transport: None, project: None, again: false };

/// An engine with one skill.
async fn engine() -> (TempDir, Engine) {
    let home = ::tests::watched_folder();
    let machine = Machine::at(&dunce::canonicalize(home.path()).unwrap()).unwrap();
    let library = machine.home.join("skills");
    fs::create_dir_all(library.join("tea")).unwrap();
    fs::write(library.join("tea/SKILL.md"), "---\nname: tea\ndescription: Brews tea.\n---\n").unwrap();
    let folder = serde_json::json!({"id": "f1", "path": library, "enable_new": false, "enable_first": true});
    let choices = serde_json::json!({"version": 1, "last_folder": 1, "folders": [folder]});
    fs::write(choices::file(&machine), choices.to_string()).unwrap();
    (home, Engine::start(machine, Mode::Writing).await.unwrap())
}

fn cursor() -> Caller {
    Caller::of("cursor")
}

/// How many skills a client gets.
async fn listed(engine: &Engine) -> usize {
    Host::catalog(engine, &cursor()).await.entries().len()
}

/// Records a call whose audit line has this length.
fn called(engine: &Engine, length: usize) {
    engine.note(ClientEvent::Called {
        caller: cursor(),
        surface: Surface::Resources,
        method: "resources/read".to_owned(),
        target: "x".repeat(length),
        skill: None,
        ok: true,
        why: None,
        took: Duration::ZERO,
        bytes_in: 0,
        bytes_out: 0,
    });
}

/// The loop applies and publishes a change.
async fn goes_on(engine: &Engine) {
    let before = engine.snapshot().revision;
    let told = engine.state().apply(|state| state.notice("goes-on", "It goes on.".to_owned()));
    timeout(Duration::from_secs(5), told).await.expect("the loop goes on").unwrap();
    assert!(engine.snapshot().revision > before);
}

/// Stops the engine within the ten seconds that callers allow, plus a margin for a loaded machine.
async fn stops(engine: &Engine) {
    timeout(Duration::from_secs(14), engine.stop()).await.expect("it stops in time");
}

/// The saved number of the client's calls.
fn calls_kept(machine: &Machine) -> u64 {
    let kept: serde_json::Value =
        serde_json::from_slice(&fs::read(machine.data.join(client_activity::FILE)).unwrap()).unwrap();
    kept["clients"]["cursor"]["calls"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_that_the_disk_does_not_take_holds_and_keeps_nobody() {
    let (_home, engine) = engine().await;
    let hangs = Hangs::at(&choices::file(engine.machine()));
    let pausing = tokio::spawn({
        let engine = engine.clone();
        async move { actions::pause(&engine, true).await }
    });
    hangs.keeps(1).await;
    assert!(engine.paused(), "it holds");
    goes_on(&engine).await;
    assert_eq!(listed(&engine).await, 1);
    let why = pausing.await.unwrap().unwrap_err();
    assert!(
        why.message.starts_with("This holds until Skilltender quits, but it is not saved: the disk has not"),
        "{why:?}"
    );
    stops(&engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_calls_that_hangs_keeps_no_client_and_what_else_is_to_be_saved_is() {
    let (_home, engine) = engine().await;
    called(&engine, 10);
    let hangs = Hangs::at(&engine.machine().data.join("audit"));
    called(&engine, 10);
    hangs.keeps(1).await;
    (0..1_000).for_each(|_| called(&engine, 1_000));
    goes_on(&engine).await;
    assert_eq!(listed(&engine).await, 1);
    stops(&engine).await;
    assert_eq!(calls_kept(engine.machine()), 1_002);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_the_library_that_hangs_is_served_as_it_was_and_holds_up_neither_others_nor_the_end() {
    let (_home, engine) = engine().await;
    called(&engine, 10);
    let hangs = Hangs::at(&engine.machine().home.join("skills/tea"));
    let looking = tokio::spawn({
        let engine = engine.clone();
        async move { engine.sweep(library::walk::Scope::All).await }
    });
    hangs.keeps(1).await;
    goes_on(&engine).await;
    called(&engine, 10);
    // However many clients ask, and whatever the watch reports.
    let lists = (0..20).map(|_| {
        let engine = engine.clone();
        tokio::spawn(async move {
            engine.refresh(Duration::ZERO).await;
            listed(&engine).await
        })
    });
    for list in lists.collect::<Vec<_>>() {
        assert_eq!(timeout(Duration::from_secs(30), list).await.expect("a client is answered").unwrap(), 1);
    }
    actions::pause(&engine, true).await.unwrap();
    stops(&engine).await;
    assert_eq!(calls_kept(engine.machine()), 2, "what is on another disk is saved");
    assert!(!looking.is_finished());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clients_file_that_hangs_keeps_that_client_alone() {
    let (_home, engine) = engine().await;
    let file = engine.machine().home.join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{}").unwrap();
    let hangs = Hangs::at(&file);
    let planning = tokio::spawn({
        let engine = engine.clone();
        async move { actions::plan_client(&engine, "cursor", ADD).await }
    });
    hangs.keeps(1).await;
    goes_on(&engine).await;
    actions::pause(&engine, true).await.unwrap();
    assert_eq!(listed(&engine).await, 1);
    let other = timeout(Duration::from_secs(10), actions::plan_client(&engine, "windsurf", ADD));
    assert!(other.await.expect("the other's file answers").is_ok());
    stops(&engine).await;
    assert!(!planning.is_finished());
    drop(hangs);
    assert_eq!(fs::read(&file).unwrap(), b"{}");
}
