//! Values and secrets of servers' parameters, without a keychain: see `tests/keychain` for one.

use std::fs;

use api::{ActionError, ErrorKind, Keychain, Readiness, ValueState};
use engine::{Engine, actions};

use crate::home::{Home, enable, until};

const KEY: &str = "f1/notes";

/// An engine whose library contains a skill that needs a secret TOKEN and a value OWNER.
async fn start(home: &Home) -> Engine {
    let folder = home.library().join("notes");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), SKILL).unwrap();
    home.start_with_library().await
}

const SKILL: &str = include_str!("../skills/notes/SKILL.md");

async fn set(engine: &Engine, name: &str, value: &str) -> Result<(), ActionError> {
    actions::set_secret(engine, KEY, "github", name, value.to_owned()).await
}

async fn states(engine: &Engine) -> Vec<(String, ValueState)> {
    let page = actions::read_skill(engine, KEY).await.unwrap();
    page.needs[0].values.iter().map(|value| (value.name.clone(), value.state.clone())).collect()
}

fn readiness(engine: &Engine) -> Readiness {
    engine.snapshot().skills.iter().find(|row| row.key == KEY).unwrap().readiness.clone()
}

#[tokio::test]
async fn a_skill_is_ready_when_it_has_what_it_declares() {
    let home = Home::new();
    let engine = start(&home).await;
    enable(&engine, KEY).await;
    // All that is missing is told at once; the program is looked for beside the loop.
    until(&engine, |snapshot| {
        let row = snapshot.skills.iter().find(|row| row.key == KEY);
        matches!(row.map(|row| &row.readiness), Some(Readiness::NeedsValues { names, secret: true, runtime: Some(program), .. })
            if names.len() == 2 && program == "npx")
    })
    .await;
    set(&engine, "TOKEN", "canary").await.unwrap();
    assert!(matches!(readiness(&engine), Readiness::NeedsValues { secret: false, .. }));
    actions::set_value(&engine, KEY, "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    // All values are set, but the program to run its server is missing.
    let (server, program) = ("github".to_owned(), "npx".to_owned());
    assert_eq!(readiness(&engine), Readiness::NoProgram { server, program });
    actions::delete_secret(&engine, KEY, "github", "TOKEN").await.unwrap();
    assert!(matches!(readiness(&engine), Readiness::NeedsValues { secret: true, .. }));
}

#[tokio::test]
async fn without_a_keychain_the_snapshot_says_so_and_no_file_holds_the_secret() {
    let home = Home::new();
    let engine = start(&home).await;
    set(&engine, "TOKEN", "canary").await.unwrap();
    assert!(matches!(engine.snapshot().keychain, Keychain::Absent { .. }));
    assert!(matches!(states(&engine).await[0].1, ValueState::SecretStored { only_this_run: true, .. }));
    assert!(!home.machine.data.join("secrets.json").exists());
    actions::retry_keychain(&engine).await.unwrap();
    assert!(matches!(states(&engine).await[0].1, ValueState::SecretStored { only_this_run: true, .. }));
    actions::delete_secret(&engine, KEY, "github", "TOKEN").await.unwrap();
    assert!(matches!(engine.snapshot().keychain, Keychain::Absent { .. }), "there still is none");
}

#[tokio::test]
async fn nothing_is_kept_that_no_skill_asks_for_or_no_program_can_be_given() {
    let home = Home::new();
    let engine = start(&home).await;
    for (name, value, kind) in [
        ("TOKEN", "", ErrorKind::Input),
        ("TOKEN", "a\0b", ErrorKind::Input),
        ("TOKEN", &"a".repeat(40_000), ErrorKind::Input),
        ("OWNER", "ada", ErrorKind::NotFound),
        ("OTHER", "ada", ErrorKind::NotFound),
    ] {
        let refused = set(&engine, name, value).await.unwrap_err();
        assert_eq!(refused.kind, kind, "{name}: {}", refused.message);
    }
    let secret_as_value = actions::set_value(&engine, KEY, "github", "TOKEN", Some("canary".to_owned())).await;
    assert_eq!(secret_as_value.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(states(&engine).await[0].1, ValueState::SecretMissing);
}

#[tokio::test]
async fn values_survive_a_restart_and_secrets_in_memory_do_not() {
    let home = Home::new();
    let engine = start(&home).await;
    set(&engine, "TOKEN", "canary").await.unwrap();
    actions::set_value(&engine, KEY, "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    engine.stop().await;
    drop(engine);

    let engine = home.start().await;
    let [(_, secret), (_, value)] = &states(&engine).await[..] else { panic!("two values") };
    assert_eq!(*secret, ValueState::SecretMissing);
    assert!(matches!(value, ValueState::Plain { value: Some(value), .. } if value == "ada"));
    actions::set_value(&engine, KEY, "github", "OWNER", None).await.unwrap();
    assert!(matches!(states(&engine).await[1].1, ValueState::Plain { value: None, .. }));
}

#[tokio::test]
async fn what_a_skill_names_in_the_words_of_other_programs_is_told_and_nothing_more() {
    let home = Home::new();
    let folder = home.library().join("tea");
    fs::create_dir_all(folder.join("agents")).unwrap();
    let text =
        "---\nname: tea\ndescription: Brews tea. Use when somebody is thirsty.\nrequires:\n  mcp: [rube]\n---\nBoil.\n";
    fs::write(folder.join("SKILL.md"), text).unwrap();
    let codex = "dependencies:\n  tools:\n    - type: mcp\n      value: figma\n      transport: streamable_http\n      url: https://mcp.figma.com/mcp\n";
    fs::write(folder.join("agents/openai.yaml"), codex).unwrap();
    let engine = home.start_with_library().await;
    let page = actions::read_skill(&engine, "f1/tea").await.unwrap();
    let servers: Vec<_> = page.suggested.iter().map(|one| (one.server.as_deref(), one.from.as_str())).collect();
    assert_eq!(servers, [(Some("rube"), "requires.mcp"), (Some("figma"), "dependencies.tools")]);
    assert!(page.needs.is_empty() && engine.snapshot().servers.is_empty());
}
