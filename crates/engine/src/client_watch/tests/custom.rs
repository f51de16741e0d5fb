//! Clients that the user describes.

use std::fs;

use api::{CustomClient, ErrorKind, Standing};

use super::home::{ADD, Home, REMOVE};
use crate::actions::{add_client, remove_client};

fn described(home: &Home, name: &str, below: &str, like: &str) -> CustomClient {
    let path = home.engine.machine().home.join(below).to_str().unwrap().to_owned();
    CustomClient { name: name.to_owned(), path, like: like.to_owned() }
}

#[tokio::test]
async fn a_described_client_behaves_like_the_row_that_it_is_like() {
    let home = Home::new().await;
    let file = home.engine.machine().home.join("my editor/servers.toml");
    home.made("my editor");
    fs::write(&file, "# mine\n").unwrap();
    let id = add_client(&home.engine, described(&home, "My Editor", "my editor/servers.toml", "codex")).await.unwrap();
    assert_eq!(id, "custom-my-editor");
    let client = home.client_of(&id);
    assert!(client.custom && client.found && !client.takes_projects);
    assert_eq!(client.place, "~/my editor/servers.toml");

    home.make(&id, ADD).await.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\n") && text.contains("\"--client\", \"custom-my-editor\""), "{text}");
    assert_eq!(remove_client(&home.engine, &id).await.unwrap_err().kind, ErrorKind::Refused);

    let home = home.again(|machine| machine).await;
    assert_eq!(home.client_of(&id).standing, Standing::Added, "it is remembered");
    let theirs = text.replace("skilltender", "theirs").replace("mcp_servers.theirs", "mcp_servers.skilltender");
    fs::write(&file, theirs).unwrap();
    home.until(&id, |client| client.standing == Standing::Edited).await;
    home.make(&id, REMOVE).await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
    remove_client(&home.engine, &id).await.unwrap();
    assert!(home.engine.snapshot().clients.iter().all(|client| client.id != id));
}

#[tokio::test]
async fn what_cannot_be_a_client_is_refused_with_a_sentence() {
    let home = Home::new().await;
    for (name, below, like, says) in [
        ("", "a.json", "cursor", "one line"),
        ("Cursor", "a.json", "cursor", "already"),
        ("Mine", "", "cursor", "no file"),
        ("Mine", "a.json", "notepad", "notepad"),
        ("Mine", ".cursor/mcp.json", "cursor", "is the file of Cursor"),
    ] {
        let error = add_client(&home.engine, described(&home, name, below, like)).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Input);
        assert!(error.message.contains(says), "{}", error.message);
    }
    let relative = CustomClient { path: "a.json".to_owned(), ..described(&home, "Mine", "", "cursor") };
    assert_eq!(add_client(&home.engine, relative).await.unwrap_err().kind, ErrorKind::Input);
}

#[tokio::test]
async fn two_clients_of_like_names_have_ids_of_their_own() {
    let home = Home::new().await;
    let mut ids = Vec::new();
    for (name, below) in [("My (Editor)", "a.json"), ("My Editor", "b.json"), ("编辑器", "c.json")] {
        ids.push(add_client(&home.engine, described(&home, name, below, "cursor")).await.unwrap());
    }
    assert_eq!(ids, ["custom-my-editor", "custom-my-editor-2", "custom-client"]);
}
