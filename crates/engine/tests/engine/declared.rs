//! What skills declare about their servers, and the values for it: folders, passwords, containers.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use api::{ErrorKind, Readiness, ServerState, WayKind};
use engine::{Engine, actions};

use crate::{
    home::{Home, enable, row, until},
    servers,
};

/// A skill whose server is declared like this, switched on.
async fn declared(home: &Home, block: &str) -> (Engine, String) {
    let file = home.library().join("tea/SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let head = "name: tea\ndescription: Brews tea. Use when somebody is thirsty.";
    let server = "  - name: teapot\n    description: To brew";
    fs::write(&file, format!("---\n{head}\nrequires-mcp-servers:\n{server}\n{block}---\nBoil water.\n")).unwrap();
    let engine = home.start_with_library().await;
    let key = row(&engine.snapshot(), "tea").key.clone();
    enable(&engine, &key).await;
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    (engine, key)
}

async fn give(engine: &Engine, key: &str, name: &str, value: &str) -> Result<(), (ErrorKind, String)> {
    let given = actions::set_value(engine, key, "teapot", name, Some(value.to_owned())).await;
    given.map_err(|error| (error.kind, error.message))
}

/// A program `docker` that reports whether its engine runs.
fn docker(home: &Home, runs: bool) -> PathBuf {
    let folder = home.path("engines");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("docker");
    fs::write(&file, if runs { "#!/bin/sh\nexit 0\n" } else { "#!/bin/sh\nexit 1\n" }).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[tokio::test]
async fn a_password_in_a_plain_value_is_refused_and_sent_to_a_secret() {
    let home = servers::home();
    let block = "    command: server\n    args: [\"${URL}\"]\n    env: {PGPASSWORD: \"${PW}\", ALSO: \"${ALSO}\"}\n    parameters:\n      URL: {description: Where}\n      ALSO: {description: Also}\n      PW: {description: Opens it, sensitive: true}\n";
    let (engine, key) = declared(&home, block).await;
    for (name, value) in [
        ("URL", "postgresql://u:canary@h/x"),
        ("ALSO", "postgresql://u:canary@h/x"),
        ("URL", "postgresql://h/x?user=u&password=canary"),
        ("URL", "host=h password=canary"),
    ] {
        let (kind, message) = give(&engine, &key, name, value).await.unwrap_err();
        assert_eq!(kind, ErrorKind::Refused);
        assert!(message.contains(&format!("{name} would hold a password")), "{message}");
        assert!(
            message.contains("`skilltender secrets set tea teapot PW`") && !message.contains("canary"),
            "{message}"
        );
    }
    assert!(!fs::read_to_string(home.machine.data.join("values.json")).unwrap_or_default().contains("canary"));
    give(&engine, &key, "URL", "postgresql://u@h:5432/x").await.unwrap();
    engine.stop().await;
}

#[tokio::test]
async fn a_folder_is_given_whole_and_has_to_be_there() {
    let home = servers::home();
    fs::create_dir_all(home.path("notes")).unwrap();
    let (engine, key) = declared(&home, "    command: server\n    args: [\"${WORKSPACE}\"]\n").await;
    for value in ["notes", "./notes", "~/milk", "/nowhere/at/all"] {
        assert_eq!(give(&engine, &key, "WORKSPACE", value).await.unwrap_err().0, ErrorKind::Input, "{value}");
    }
    give(&engine, &key, "WORKSPACE", "~/notes").await.unwrap();
    let consent = actions::plan_server(&engine, "teapot").await.unwrap();
    assert_eq!(consent.now.command, ["server", &home.path("notes").display().to_string()]);

    fs::remove_dir(home.path("notes")).unwrap();
    actions::list_servers(&engine).await;
    let ServerState::Refused { message } = servers::state(&engine) else { panic!("{:?}", servers::state(&engine)) };
    assert!(message.contains("WORKSPACE") && message.contains("is not there"), "{message}");
    engine.stop().await;
}

#[tokio::test]
async fn a_container_comes_before_its_program_only_while_an_engine_answers() {
    let mut home = servers::home();
    home.machine.search.insert(0, docker(&home, true));
    let block = "    transport: http\n    docker: {image: \"tea/pot:1\", port: 3001}\n    command: server\n";
    let (engine, key) = declared(&home, block).await;
    let way = async || actions::read_skill(&engine, &key).await.unwrap().needs[0].way;
    let argv = async || actions::plan_server(&engine, "teapot").await.unwrap().now.command;
    assert!(argv().await.contains(&"tea/pot:1".to_owned()));
    assert_eq!(way().await, Some(WayKind::Docker));

    docker(&home, false);
    assert_eq!(argv().await, ["server"]);
    assert_eq!(way().await, Some(WayKind::Stdio));

    // A person's choice applies whether it can run or not.
    actions::pick_way(&engine, &key, "teapot", Some(WayKind::Docker)).await.unwrap();
    assert_eq!(servers::state(&engine), ServerState::ContainersDown { program: "Docker".to_owned() });
    actions::pick_way(&engine, &key, "teapot", None).await.unwrap();
    fs::remove_file(home.path("engines/docker")).unwrap();
    assert_eq!(argv().await, ["server"]);
    engine.stop().await;
}

#[tokio::test]
async fn an_engine_that_does_not_run_is_told_from_one_that_is_not_there() {
    let mut home = servers::home();
    home.machine.search.insert(0, docker(&home, false));
    let (engine, _) = declared(&home, "    docker: {image: \"tea/pot:1\"}\n").await;
    // Not asked for yet: a file alone starts no program.
    assert_eq!(servers::state(&engine), ServerState::NeedsConsent { changed: false });

    let refused = actions::plan_server(&engine, "teapot").await.unwrap_err();
    assert!(refused.message.contains("Docker is not running. Start it"), "{refused:?}");
    assert_eq!(servers::state(&engine), ServerState::ContainersDown { program: "Docker".to_owned() });
    let down = Readiness::ContainersDown { server: "teapot".to_owned(), program: "Docker".to_owned() };
    assert_eq!(row(&engine.snapshot(), "tea").readiness, down);

    // The start of the engine needs no report.
    docker(&home, true);
    until(&engine, |snapshot| snapshot.servers[0].state == ServerState::NeedsConsent { changed: false }).await;
    fs::remove_file(home.path("engines/docker")).unwrap();
    assert!(actions::plan_server(&engine, "teapot").await.is_err());
    assert_eq!(servers::state(&engine), ServerState::NoContainers);
    engine.stop().await;
}

#[tokio::test]
async fn a_mount_is_a_part_of_what_is_agreed_to() {
    let mut home = servers::home();
    home.machine.search.insert(0, docker(&home, true));
    fs::create_dir_all(home.path("notes")).unwrap();
    let (engine, key) =
        declared(&home, "    docker: {image: \"tea/pot:1\", mounts: [\"${WORKSPACE}:/work:ro\"]}\n").await;
    assert_eq!(
        servers::state(&engine),
        ServerState::NeedsValues { names: vec!["WORKSPACE".to_owned()], runtime: None }
    );
    give(&engine, &key, "WORKSPACE", "~/notes").await.unwrap();
    let consent = actions::plan_server(&engine, "teapot").await.unwrap();
    let mount = format!("type=bind,source={},target=/work,readonly", home.path("notes").display());
    let at = consent.now.command.iter().position(|word| *word == mount).unwrap();
    assert_eq!(consent.now.command[at - 1], "--mount");
    engine.stop().await;
}
