//! Clients and servers that we did not add: listed, followed, and left as they are.

use std::fs;

use api::{ServerRuns, Standing};

use super::home::{ADD, Home, PLACE, THEIRS};
use crate::actions::{configured_servers, read_again};

#[tokio::test]
async fn every_server_in_every_clients_file_is_listed_with_its_place_and_without_its_secrets() {
    let home = Home::new().await;
    let token = format!("ghp_{}", "a1B2".repeat(9));
    home.give("claude-desktop", THEIRS.replace("k-12345", &token));
    home.give("codex", "[mcp_servers.docs]\nurl = \"https://example.org/mcp\"\n");
    home.make("codex", ADD).await.unwrap();
    home.give("goose", "extensions:\n  todo:\n    type: stdio\n    cmd: todo\n    args: [serve]\n");
    let goose = home.engine.machine().place(&home.file_of("goose"));
    let servers = configured_servers(&home.engine).await.unwrap();
    let told: Vec<_> = servers
        .iter()
        .map(|server| (server.client.as_str(), server.name.as_str(), server.place.as_str(), server.line))
        .collect();
    assert_eq!(
        told,
        [
            ("claude-desktop", "a", PLACE, 3),
            ("codex", "docs", "~/.codex/config.toml", 1),
            ("goose", "todo", goose.as_str(), 2),
        ]
    );
    assert_eq!(servers[0].runs, ServerRuns::Command { words: vec!["x".to_owned()] });
    assert_eq!(servers[0].secrets, ["API_KEY"]);
    assert_eq!(servers[1].runs, ServerRuns::Address { address: "https://example.org/mcp".to_owned() });
    assert_eq!(servers[2].runs, ServerRuns::Command { words: vec!["todo".to_owned(), "serve".to_owned()] });
    assert!(!format!("{servers:?}").contains(&token));
}

#[tokio::test]
async fn a_server_that_somebody_adds_shows_up_by_itself() {
    let home = Home::new().await;
    home.give("cursor", "{}");
    assert_eq!(home.until("cursor", |client| client.found).await.others, 0);
    home.give("cursor", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"url\": \"http://b\"}}}");
    home.until("cursor", |client| client.others == 2).await;
}

#[tokio::test]
async fn an_entry_of_our_name_that_is_somebody_elses_is_one_of_the_others() {
    let home = Home::new().await;
    home.give("cursor", "{\"mcpServers\": {\"skilltender\": {\"command\": \"/else\"}}}");
    let client = home.until("cursor", |client| client.standing == Standing::Different).await;
    assert_eq!(client.transport, None);
    let servers = configured_servers(&home.engine).await.unwrap();
    assert_eq!(servers.len(), 1);
    assert_eq!(servers[0].name, "skilltender");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let home = Home::new().await;
    home.give("cursor", "{ broken");
    home.give("codex", "[mcp_servers.docs]\ncommand = \"docs\"\n");
    let servers = configured_servers(&home.engine).await.unwrap();
    assert_eq!(servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["docs"]);
}

#[tokio::test]
async fn a_client_that_was_installed_meanwhile_is_found_when_somebody_looks_again() {
    let home = Home::new().await;
    let program = if cfg!(windows) { "/codex.exe" } else { "/codex" };
    fs::write(home.made(".local/bin") + program, "").unwrap();
    assert!(!home.client_of("codex").found);
    read_again(&home.engine).await.unwrap();
    assert!(home.client_of("codex").found);
}

#[tokio::test]
async fn a_client_that_npm_installed_on_windows_is_found_by_the_ending_of_its_programs() {
    let home = Home::with(|mut machine| {
        machine.places.platform = clients::Platform::Windows;
        machine
    })
    .await;
    let programs = home.made(".local/bin");
    fs::write(format!("{programs}/codex"), "").unwrap();
    assert!(!home.look("codex").await.found, "a script for another shell");
    fs::write(format!("{programs}/codex.cmd"), "").unwrap();
    assert!(home.look("codex").await.found);
}
