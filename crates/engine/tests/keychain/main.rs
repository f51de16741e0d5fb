//! Secrets in a real keychain: a gnome-keyring of its own, on a session bus of its own, in a home of its own.
//!
//! A keychain belongs to a session, so each test runs twice: the outer half makes a home and starts this
//! program again under `dbus-run-session`, the inner half is the actual test. `cargo xtask test` runs these
//! tests, on Linux, where it installs what they need.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod scan;
mod session;

use std::{collections::BTreeMap, env, fs, process::Command};

use api::{Keychain, ValueState};
use engine::{Engine, Machine, Mode, actions, bridge};
use machine::KeychainKind;
use scan::{Commands, hits};
use secrets::Secret;
use session::{Bus, inside, is_inside, start_keyring, stored};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const KEY: &str = "f1/notes";
const SKILL: &str = include_str!("../skills/notes/SKILL.md");

#[test]
#[ignore = "needs gnome-keyring: `cargo xtask test` runs it"]
fn a_secret_goes_through_the_keychain_into_one_child_and_nowhere_else() {
    if !is_inside() {
        let canary = scan::canary();
        let (home, said) = inside("a_secret_goes_through_the_keychain", Bus::Usual, &canary);
        assert_eq!(hits(said.as_bytes(), &canary), [""; 0], "what was logged");
        let files = scan::files(home.path());
        assert!(files.len() > 5, "there are files to look through: {files:?}");
        for file in files {
            assert_eq!(hits(&fs::read(&file).unwrap(), &canary), [""; 0], "{}", file.display());
        }
        return;
    }
    let canary = session::canary();
    let commands = Commands::watch(&canary);
    start_keyring(Some("password"));
    runtime().block_on(async {
        let engine = start().await;
        actions::set_secret(&engine, KEY, "github", "TOKEN", canary.clone()).await.unwrap();
        assert_eq!(engine.snapshot().keychain, Keychain::Ready);
        assert!(matches!(state(&engine).await, ValueState::SecretStored { only_this_run: false, .. }));

        let found = stored();
        assert!(found.contains(&format!("secret = {canary}")), "secret-tool finds it");
        assert!(found.contains("label = Skilltender: TOKEN for github (f1/notes)"), "a person can tell what it is");
        engine.stop().await;

        // Another run finds it by its account, and passes it to one child.
        let engine = start().await;
        assert!(matches!(state(&engine).await, ValueState::SecretStored { only_this_run: false, .. }));
        let printed = child(&engine).await;
        assert_eq!(printed.lines().filter(|line| line.contains(&canary)).count(), 1);
        assert!(printed.contains(&format!("GITHUB_PERSONAL_ACCESS_TOKEN={canary}\n")));

        let page = actions::read_skill(&engine, KEY).await.unwrap();
        let shown = format!("{}{}", json(&*engine.snapshot()), json(&page));
        assert_eq!(hits(shown.as_bytes(), &canary), [""; 0], "what the window gets");
        let told = over_the_wire(&engine).await;
        assert!(told.contains("Ask the server."), "{told}");
        assert_eq!(hits(told.as_bytes(), &canary), [""; 0], "what clients get");

        let replaced = format!("{canary}-2");
        actions::set_secret(&engine, KEY, "github", "TOKEN", replaced.clone()).await.unwrap();
        assert_eq!(stored().matches("secret = ").count(), 1, "the old value is replaced");
        assert!(stored().contains(&replaced));

        let long = format!("{canary}{}", "-and-on".repeat(1_000));
        actions::set_secret(&engine, KEY, "github", "TOKEN", long.clone()).await.unwrap();
        assert!(!stored().contains(&long), "it is stored in parts");
        assert!(child(&engine).await.contains(&format!("GITHUB_PERSONAL_ACCESS_TOKEN={long}\n")));

        actions::delete_secret(&engine, KEY, "github", "TOKEN").await.unwrap();
        assert_eq!(stored(), "", "it is gone from the keychain");
        assert_eq!(state(&engine).await, ValueState::SecretMissing);
        engine.stop().await;
    });
    assert_eq!(commands.seen(), [""; 0], "command lines while it ran");
}

#[test]
#[ignore = "needs gnome-keyring: `cargo xtask test` runs it"]
fn without_a_keychain_a_secret_waits_in_memory_until_one_is_there() {
    if !is_inside() {
        drop(inside("without_a_keychain", Bus::WithoutServices, "canary"));
        return;
    }
    runtime().block_on(async {
        let engine = start().await;
        actions::set_secret(&engine, KEY, "github", "TOKEN", "canary".to_owned()).await.unwrap();
        assert!(matches!(state(&engine).await, ValueState::SecretStored { only_this_run: true, .. }));
        let Keychain::Absent { message } = engine.snapshot().keychain.clone() else { panic!("there is none") };
        assert!(message.starts_with("No keychain answers on this computer"), "{message}");
        assert!(child(&engine).await.contains("=canary\n"), "it is used all the same");

        start_keyring(Some("password"));
        actions::retry_keychain(&engine).await.unwrap();
        assert_eq!(engine.snapshot().keychain, Keychain::Ready);
        assert!(matches!(state(&engine).await, ValueState::SecretStored { only_this_run: false, .. }));
        assert!(stored().contains("secret = canary"));
        engine.stop().await;
    });
}

#[test]
#[ignore = "needs gnome-keyring: `cargo xtask test` runs it"]
fn a_locked_keychain_is_said_to_be_locked() {
    if !is_inside() {
        drop(inside("a_locked_keychain", Bus::WithoutServices, "canary"));
        return;
    }
    start_keyring(None);
    runtime().block_on(async {
        let engine = start().await;
        actions::set_secret(&engine, KEY, "github", "TOKEN", "canary".to_owned()).await.unwrap();
        let Keychain::Absent { message } = engine.snapshot().keychain.clone() else { panic!("it is locked") };
        assert!(message.starts_with("The keychain is locked"), "{message}");
        assert!(matches!(state(&engine).await, ValueState::SecretStored { only_this_run: true, .. }));
        engine.stop().await;
    });
}

/// An engine whose library contains one skill that needs a secret.
async fn start() -> Engine {
    engine::start_log();
    let home = env::home_dir().unwrap();
    let library = home.join("skills");
    fs::create_dir_all(library.join("notes")).unwrap();
    fs::write(library.join("notes/SKILL.md"), SKILL).unwrap();
    let machine = Machine { keychain: KeychainKind::System, ..Machine::at(&home).unwrap() };
    let engine = Engine::start(machine, Mode::Writing).await.unwrap();
    if engine.snapshot().skills.is_empty() {
        actions::add_folder(&engine, library.to_str().unwrap(), None).await.unwrap();
        let seen = actions::look_at_skill(&engine, KEY).await.unwrap().digest;
        actions::enable_skills(&engine, &[KEY.to_owned()], true, &[(KEY.to_owned(), seen)].into()).await.unwrap();
    }
    engine
}

async fn state(engine: &Engine) -> ValueState {
    actions::read_skill(engine, KEY).await.unwrap().needs[0].values[0].state.clone()
}

/// The output of a child that gets the environment of the declared server.
async fn child(engine: &Engine) -> String {
    let server = skills::read("notes", SKILL.as_bytes()).servers[0].clone();
    let start = skills::launch(&server, &server.ways[0], &|name| (name == "OWNER").then(|| "ada".to_owned())).unwrap();
    let skills::Start::Program(launch) = start else { panic!("{start:?} is no program") };
    let secrets: BTreeMap<String, Secret> = actions::secrets_for(engine, KEY, "github", &launch).await.unwrap();
    let mut command = Command::new("env");
    secrets::environment(env::vars_os(), &launch, &secrets).unwrap().give(&mut command);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// The answers to a client that lists, loads and reads.
async fn over_the_wire(engine: &Engine) -> String {
    const ASKED: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"scan","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_skills","arguments":{}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_skill","arguments":{"id":"notes"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"skill://notes/SKILL.md"}}"#,
        "\n",
    );
    let (near, far) = tokio::io::duplex(1 << 20);
    let (mut read, mut write) = tokio::io::split(near);
    let (far_read, far_write) = tokio::io::split(far);
    let (served, told) = tokio::join!(bridge::answer(engine, far_read, far_write), async {
        write.write_all(ASKED.as_bytes()).await.unwrap();
        write.shutdown().await.unwrap();
        let mut told = String::new();
        read.read_to_string(&mut told).await.unwrap();
        told
    });
    served.unwrap();
    told
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}
