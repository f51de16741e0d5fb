//! Clients connected for one project alone, and files that several clients read.

use std::{fs, path::Path};

use api::{ClientChange, ErrorKind, Standing, Transport};

use super::home::Home;

fn add(project: &str) -> ClientChange {
    ClientChange::Connect { transport: None, project: Some(project.to_owned()), again: false }
}

fn remove(project: &str) -> ClientChange {
    ClientChange::Disconnect { project: Some(project.to_owned()) }
}

#[tokio::test]
async fn a_project_has_its_own_entry_which_is_watched_and_goes_again() {
    let home = Home::new().await;
    let project = home.made("work/site");
    let file = Path::new(&project).join(".mcp.json");
    fs::write(&file, "{\"mcpServers\": {}}").unwrap();
    let plan = home.plan("claude-code", add(&project)).await.unwrap();
    assert_eq!(plan.place, "~/work/site/.mcp.json");
    home.make("claude-code", add(&project)).await.unwrap();

    let client = home.client_of("claude-code");
    assert_eq!(client.standing, Standing::Absent, "the user's own file is another");
    assert_eq!(client.projects.len(), 1);
    assert_eq!(
        (client.projects[0].project.as_str(), &client.projects[0].standing),
        (project.as_str(), &Standing::Added)
    );

    fs::write(&file, fs::read_to_string(&file).unwrap().replace("\"mcp\", ", "")).unwrap();
    let edited = home.until("claude-code", |client| client.projects[0].standing == Standing::Edited).await;
    assert_eq!(edited.projects[0].place, "~/work/site/.mcp.json");
    home.make("claude-code", remove(&project)).await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mcpServers\": {}}");
    assert_eq!(home.client_of("claude-code").projects, []);
}

#[tokio::test]
async fn a_project_file_never_gets_a_token() {
    let home = Home::new().await;
    let project = home.made("site");
    let over_http =
        ClientChange::Connect { transport: Some(Transport::Http), project: Some(project.clone()), again: false };
    let error = home.plan("claude-code", over_http).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.message.contains("no token is written into it"), "{}", error.message);

    home.make("claude-code", add(&project)).await.unwrap();
    let update = ClientChange::Update { transport: Some(Transport::Http), project: Some(project) };
    assert_eq!(home.plan("claude-code", update).await.unwrap_err().kind, ErrorKind::Refused);
}

#[tokio::test]
async fn a_client_without_project_files_and_a_folder_that_is_none_are_refused() {
    let home = Home::new().await;
    let project = home.made("site");
    let error = home.plan("claude-desktop", add(&project)).await.unwrap_err();
    assert_eq!(error.message, "Claude Desktop reads no file of a project. Connect it for yourself.");
    for nowhere in ["site", "/no/such/folder"] {
        let error = home.plan("claude-code", add(nowhere)).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.message.contains(nowhere), "{}", error.message);
    }
}

#[tokio::test]
async fn a_second_client_of_the_same_file_finds_the_entry_of_the_first() {
    let home = Home::new().await;
    let project = home.made("site");
    let plan = home.plan("claude-code", add(&project)).await.unwrap();
    assert!(plan.notes.iter().any(|note| note.contains("Copilot CLI")), "{:?}", plan.notes);
    home.make("claude-code", add(&project)).await.unwrap();

    for (change, kind) in [(add(&project), ErrorKind::Already), (remove(&project), ErrorKind::Refused)] {
        let error = home.plan("copilot-cli", change).await.unwrap_err();
        assert_eq!(error.kind, kind);
        assert!(error.message.contains("added for Claude Code"), "{}", error.message);
    }
}

#[tokio::test]
async fn a_file_in_the_project_that_the_client_prefers_is_taken() {
    let home = Home::new().await;
    let project = home.made("site");
    let file = Path::new(&project).join("opencode.jsonc");
    fs::write(&file, "{\n  // ours\n}\n").unwrap();
    home.make("opencode", add(&project)).await.unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("skilltender"));
    assert!(!Path::new(&project).join("opencode.json").exists());
}
