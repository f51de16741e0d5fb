//! How a server is started, and with which values.

use api::{Readiness, ServerState, WayKind};
use engine::actions;

use super::{approve, call, home, running, server, skill, state, until_gone};
use crate::home::{enable, row, until};

#[tokio::test]
async fn of_several_ways_the_first_is_taken_until_a_person_picks_another() {
    let home = home();
    skill(&home, "tea", "good", "    docker: {image: \"ghcr.io/tea/pot:1.2\"}\n");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    let process = running(&engine).await;
    let key = row(&engine.snapshot(), "tea").key.clone();
    let need = async || actions::read_skill(&engine, &key).await.unwrap().needs.remove(0);
    assert_eq!((need().await.ways, need().await.way), (vec![WayKind::Stdio, WayKind::Docker], Some(WayKind::Stdio)));

    actions::pick_way(&engine, &key, "teapot", Some(WayKind::Docker)).await.unwrap();
    assert_eq!(state(&engine), ServerState::NoContainers, "it is a container now, and none can run here");
    assert_eq!(need().await.command, ["docker", "run", "ghcr.io/tea/pot:1.2"]);
    let wrong = actions::pick_way(&engine, &key, "teapot", Some(WayKind::Http)).await.unwrap_err();
    assert_eq!(wrong.message, "tea has no server teapot that is started as http.");

    // The program is completely gone, and its approval remains.
    until_gone(process).await;
    actions::pick_way(&engine, &key, "teapot", None).await.unwrap();
    until(&engine, |snapshot| server(snapshot).state == ServerState::Resting).await;
    engine.stop().await;
}

#[tokio::test]
async fn a_server_gets_the_declared_environment_and_its_secret_only_there() {
    let home = home();
    let more = "    env: {TEAPOT_KEY: \"${KEY}\", SECOND: \"${OPTIONAL}\"}\n    parameters:\n      KEY: {description: Opens it, sensitive: true, required: true}\n      OPTIONAL: {description: Not needed, sensitive: true, required: false}\n";
    skill(&home, "tea", "good", more);
    let engine = home.start_with_library().await;
    let key = row(&engine.snapshot(), "tea").key.clone();
    assert!(matches!(row(&engine.snapshot(), "tea").readiness, Readiness::Disabled | Readiness::NeedsValues { .. }));
    enable(&engine, &key).await;
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    assert_eq!(state(&engine), ServerState::NeedsValues { names: vec!["KEY".to_owned()], runtime: None });
    actions::set_secret(&engine, &key, "teapot", "KEY", "canary-4711".to_owned()).await.unwrap();
    until(&engine, |snapshot| server(snapshot).state == ServerState::NeedsConsent { changed: false }).await;
    let consent = actions::plan_server(&engine, "teapot").await.unwrap();
    assert_eq!(consent.now.values.len(), 1);
    assert_eq!(consent.now.values[0].secret.as_deref(), Some("KEY"));
    approve(&engine).await;
    running(&engine).await;
    let environment = call(&engine, "teapot__environment", "{}").await.unwrap();
    assert!(environment.contains("TEAPOT_KEY=11"), "{environment}");
    assert!(!environment.contains("SECOND") && !environment.contains("CARGO"), "{environment}");

    // Everything that the window can receive about it.
    let told = serde_json::json!([
        *engine.snapshot(),
        actions::read_skill(&engine, &key).await.unwrap(),
        actions::read_server(&engine, "teapot").await.unwrap(),
        actions::plan_server(&engine, "teapot").await.unwrap(),
        actions::read_needs(&engine),
        actions::list_servers(&engine).await,
    ]);
    let told = told.to_string();
    assert!(told.contains("TEAPOT_KEY") && !told.contains("canary"), "{told}");

    // Another value of the secret does not change the launch spec, but no server keeps running with the old one.
    actions::set_secret(&engine, &key, "teapot", "KEY", "canary-4711-new".to_owned()).await.unwrap();
    let environment = call(&engine, "teapot__environment", "{}").await.unwrap();
    assert!(environment.contains("TEAPOT_KEY=15"), "{environment}");
    engine.stop().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_container_is_run_by_the_program_that_is_there_and_held_in() {
    use std::fs;

    use super::{may_be_run, programs};
    use crate::home::Home;

    let home = home();
    let engines = home.path("engines");
    fs::create_dir_all(&engines).unwrap();
    let said = home.path("said");
    let docker = engines.join("docker");
    let stand_in = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > {}\nexec {} good\n",
        said.display(),
        programs().join("server").display()
    );
    let file = home.library().join("tea/SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = "---\nname: tea\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: teapot\n    description: To brew\n    docker:\n      image: ghcr.io/tea/pot:1.2\n      args: [\"--strong\"]\n      env: {MODE: weak, KEY: \"${KEY}\"}\n    parameters:\n      KEY: {description: Opens it, sensitive: true, required: true}\n---\nBoil water.\n";
    fs::write(&file, text).unwrap();
    let mut machine = home.machine.clone();
    machine.search = vec![engines.clone(), programs().to_path_buf(), "/bin".into()];
    let home = Home { machine, ..home };
    let engine = home.start_with_library().await;
    let key = row(&engine.snapshot(), "tea").key.clone();
    enable(&engine, &key).await;
    actions::set_secret(&engine, &key, "teapot", "KEY", "canary-4711".to_owned()).await.unwrap();
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    until(&engine, |snapshot| server(snapshot).state == ServerState::NoContainers).await;
    assert!(matches!(row(&engine.snapshot(), "tea").readiness, Readiness::NoProgram { .. }));

    fs::write(&docker, stand_in).unwrap();
    may_be_run(&docker);
    approve(&engine).await;
    running(&engine).await;
    let said = fs::read_to_string(&said).unwrap();
    // Each run has a number of its own.
    let words: Vec<_> = said.lines().filter(|word| !word.starts_with("--label=skilltender=")).collect();
    assert_eq!(said.lines().count(), words.len() + 1);
    assert_eq!(
        words,
        [
            "run",
            "--rm",
            "-i",
            "--init",
            "--name",
            "skilltender-teapot",
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            "--memory=1g",
            "--pids-limit=256",
            "-e",
            "MODE",
            "-e",
            "KEY",
            "ghcr.io/tea/pot:1.2",
            "--strong"
        ]
    );
    let environment = call(&engine, "teapot__environment", "{}").await.unwrap();
    assert!(environment.contains("KEY=11") && environment.contains("MODE=4"), "{environment}");
    engine.stop().await;
}

#[tokio::test]
async fn all_that_a_skill_lacks_is_told_at_once_and_what_is_done_first_comes_first() {
    let home = home();
    let text = "---\nname: tea\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  \
        - {name: asking, command: server, args: [good]}\n  \
        - {name: locked, command: server, env: {KEY: \"${KEY}\"}, parameters: {KEY: {description: Opens it, required: true, sensitive: true}}}\n  \
        - {name: absent, command: no-such-kettle}\n---\nBoil water.\n";
    let file = home.library().join("tea/SKILL.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let engine = home.start_with_library().await;
    let key = row(&engine.snapshot(), "tea").key.clone();
    enable(&engine, &key).await;
    let snapshot = until(&engine, |snapshot| snapshot.servers.len() == 3).await;
    let tea = row(&snapshot, "tea");
    let absent = Readiness::NoProgram { server: "absent".to_owned(), program: "no-such-kettle".to_owned() };
    let names = vec!["KEY".to_owned()];
    let locked = Readiness::NeedsValues { server: "locked".to_owned(), names, secret: true, runtime: None };
    let asking = |server: &str| Readiness::NeedsConsent { server: server.to_owned(), changed: false };
    assert_eq!((&tea.readiness, &tea.also), (&absent, &vec![locked, asking("asking")]));

    // Each that is done leaves the list, or makes room for what comes after it.
    actions::set_secret(&engine, &key, "locked", "KEY", "canary-4711".to_owned()).await.unwrap();
    let both = vec![asking("asking"), asking("locked")];
    until(&engine, |snapshot| row(snapshot, "tea").also == both).await;
    actions::enable_skill(&engine, &key, false).await.unwrap();
    assert_eq!(row(&engine.snapshot(), "tea").also, [], "a skill that is off asks for nothing");
    engine.stop().await;
}
