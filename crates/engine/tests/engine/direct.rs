//! Servers as entries of their own in a client's file: only approved ones run, and every byte comes back.

use std::{fs, path::PathBuf};

use api::{Client, ClientChange, ErrorKind, Standing};
use engine::{Engine, Machine, actions};

use crate::home::{ADD, Home, REMOVE, change_client, enable};

const UNDO: ClientChange = ClientChange::Undo;
const THEIRS: &str = "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}\n";

fn direct(servers: Option<&[&str]>) -> ClientChange {
    let servers = servers.map(|servers| servers.iter().map(|name| (*name).to_owned()).collect());
    ClientChange::Direct { servers, project: None }
}

/// A home with a client and two servers, one of them approved.
async fn home() -> (Home, Engine, PathBuf) {
    let mut home = Home::new();
    home.machine = Machine { search: vec!["/usr/bin".into(), "/bin".into()], ..home.machine };
    fs::write(home.machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#).unwrap();
    for name in ["pot", "cup"] {
        let file = home.library().join(name).join("SKILL.md");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: tea{name}\n    command: cat\n---\nBoil water.\n"
        );
        fs::write(file, text).unwrap();
    }
    let file = home.machine.home.join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, THEIRS).unwrap();
    let engine = home.start_with_library().await;
    for key in ["f1/pot", "f1/cup"] {
        enable(&engine, key).await;
    }
    let digest = actions::plan_server(&engine, "teapot").await.unwrap().digest;
    actions::approve_server(&engine, "teapot", &digest, &[]).await.unwrap();
    (home, engine, file)
}

#[tokio::test]
async fn what_may_run_stands_there_as_an_entry_of_its_own_and_undoing_gives_every_byte_back() {
    let (_home, engine, file) = home().await;
    let refused = actions::plan_client(&engine, "cursor", direct(Some(&["teacup"]))).await.unwrap_err();
    assert!(refused.kind == ErrorKind::Refused && refused.message.contains("teacup cannot be started"), "{refused:?}");

    change_client(&engine, "cursor", direct(None)).await;
    let text = fs::read_to_string(&file).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let args = json["mcpServers"]["teapot"]["args"].as_array().unwrap();
    assert_eq!(args[..2], ["run", "teapot"]);
    assert!(json["mcpServers"].get("teacup").is_none() && json["mcpServers"].get("a").is_some(), "{text}");
    let already = actions::plan_client(&engine, "cursor", direct(None)).await.unwrap_err();
    assert_eq!(already.kind, ErrorKind::Already, "{already:?}");

    change_client(&engine, "cursor", UNDO).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), THEIRS);
    engine.stop().await;
}

#[tokio::test]
async fn what_somebody_edited_since_stays_and_so_does_an_entry_of_theirs() {
    let (_home, engine, file) = home().await;
    change_client(&engine, "cursor", direct(Some(&["teapot"]))).await;
    let edit = |text: &str| text.replacen("{\n", "{\n  \"theme\": \"dark\",\n", 1);
    fs::write(&file, edit(&fs::read_to_string(&file).unwrap())).unwrap();
    change_client(&engine, "cursor", UNDO).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), edit(THEIRS));

    fs::write(&file, THEIRS.replace("\"a\"", "\"teapot\"")).unwrap();
    let refused = actions::plan_client(&engine, "cursor", direct(None)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused);
    assert!(fs::read_to_string(&file).unwrap().contains("\"x\""));
    engine.stop().await;
}

fn cursor(engine: &Engine) -> Client {
    engine.snapshot().clients.iter().find(|client| client.id == "cursor").unwrap().clone()
}

#[tokio::test]
async fn entries_of_servers_are_ours_replace_our_own_and_go_when_the_client_is_disconnected() {
    let (_home, engine, file) = home().await;
    let text = || fs::read_to_string(&file).unwrap();
    change_client(&engine, "cursor", ADD).await;
    let connected = text();
    change_client(&engine, "cursor", direct(None)).await;
    assert!(!text().contains("\"mcp\"") && text().contains("\"teapot\""), "nothing is there twice: {}", text());
    let client = cursor(&engine);
    assert_eq!((client.standing, client.direct, client.others), (Standing::Absent, vec!["teapot".to_owned()], 1));
    let others = actions::configured_servers(&engine).await.unwrap();
    assert_eq!(others.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["a"]);

    change_client(&engine, "cursor", UNDO).await;
    assert_eq!((text(), cursor(&engine).standing), (connected.clone(), Standing::Added));
    change_client(&engine, "cursor", ClientChange::Redo).await;
    assert_eq!(cursor(&engine).direct, ["teapot"]);
    change_client(&engine, "cursor", REMOVE).await;
    assert_eq!(text(), THEIRS);
    let already = actions::plan_client(&engine, "cursor", REMOVE).await.unwrap_err();
    assert_eq!(already.kind, ErrorKind::Already, "{already:?}");

    // In a file that others edited since, only Skilltender's entry changes.
    let edit = |text: &str| text.replacen("{\n", "{\n  \"theme\": \"dark\",\n", 1);
    change_client(&engine, "cursor", ADD).await;
    change_client(&engine, "cursor", direct(None)).await;
    fs::write(&file, edit(&text())).unwrap();
    change_client(&engine, "cursor", UNDO).await;
    assert_eq!(text(), edit(&connected));
    change_client(&engine, "cursor", direct(Some(&["teapot"]))).await;
    assert!(text().contains("\"mcp\"") && text().contains("\"teapot\""), "{}", text());
    change_client(&engine, "cursor", REMOVE).await;
    assert_eq!(text(), edit(THEIRS));
    engine.stop().await;
}

#[tokio::test]
async fn a_file_that_was_made_for_entries_of_servers_goes_with_its_folder() {
    let (home, engine, _) = home().await;
    let folder = home.machine.home.join(".codex");
    change_client(&engine, "codex", direct(None)).await;
    assert!(fs::read_to_string(folder.join("config.toml")).unwrap().contains("teapot"));
    change_client(&engine, "codex", REMOVE).await;
    assert!(!folder.exists());
    change_client(&engine, "codex", UNDO).await;
    change_client(&engine, "codex", UNDO).await;
    assert!(!folder.exists());
    engine.stop().await;
}

#[tokio::test]
async fn the_doctor_tells_of_an_entry_whose_server_may_not_run_any_more_and_direct_takes_it_out() {
    let (_home, engine, file) = home().await;
    let digest = actions::plan_server(&engine, "teacup").await.unwrap().digest;
    actions::approve_server(&engine, "teacup", &digest, &[]).await.unwrap();
    change_client(&engine, "cursor", direct(None)).await;
    assert_eq!(cursor(&engine).direct.len(), 2);
    actions::revoke_server(&engine, "teapot").await.unwrap();

    let checkup = actions::doctor(&engine).await.unwrap();
    let told = checkup.checks.iter().find(|check| check.id == "client-file" && check.what.contains("teapot"));
    assert!(
        told.is_some_and(|told| told.command.as_ref().unwrap().contains("connect cursor --direct")),
        "{checkup:#?}"
    );
    assert!(!told.unwrap().what.contains("teacup"));
    change_client(&engine, "cursor", direct(None)).await;
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("teacup") && !text.contains("teapot"), "{text}");
    engine.stop().await;
}
