//! Undo: restores the original bytes if the file was not edited since, and otherwise changes only our entry.

use std::fs;

use api::{ClientChange, ErrorKind, LastChange, Standing, Transport};
use machine::Machine;

use super::home::{ADD, CLIENT, Home, OVER_HTTP, REDO, REMOVE, THEIRS, UNDO, UPDATE};

#[tokio::test]
async fn adding_is_undone_and_made_again() {
    let home = Home::holding(THEIRS).await;
    assert_eq!(home.client().undo, None);
    assert_eq!(home.plan(CLIENT, UNDO).await.unwrap_err().kind, ErrorKind::NotFound);
    home.connect().await.unwrap();
    let added = home.text();
    assert!(matches!(home.client().undo, Some(LastChange { added: true, .. })));

    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!((home.text().as_str(), home.client().standing), (THEIRS, Standing::Absent));
    assert_eq!(home.plan(CLIENT, UNDO).await.unwrap_err().kind, ErrorKind::NotFound, "redo is its own word");
    assert!(matches!(home.client().redo, Some(LastChange { added: true, .. })));
    home.make(CLIENT, REDO).await.unwrap();
    assert_eq!((home.text(), home.client().standing), (added, Standing::Added));
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
}

#[tokio::test]
async fn taking_out_is_undone_with_the_entry_in_its_old_place() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    let elsewhere = home.text().replacen("    \"a\"", "    \"b\": {},\n    \"a\"", 1);
    fs::write(home.file(), &elsewhere).unwrap();
    home.disconnect().await.unwrap();
    assert!(!home.text().contains("skilltender"));
    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!(home.text(), elsewhere);
    assert_eq!(home.client().standing, Standing::Added);
}

#[tokio::test]
async fn what_somebody_edited_since_stays() {
    let home = Home::holding(THEIRS).await;
    let edit = |text: &str| text.replacen("{\n", "{\n  \"theme\": \"dark\",\n", 1);
    home.connect().await.unwrap();
    fs::write(home.file(), edit(&home.text())).unwrap();
    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!(home.text(), edit(THEIRS));

    fs::write(home.file(), edit(&home.text())).unwrap();
    home.make(CLIENT, REDO).await.unwrap();
    assert_eq!(home.client().standing, Standing::Added);
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), edit(&edit(THEIRS)));
}

#[tokio::test]
async fn an_update_is_undone() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    let old = home.text();
    let home = home.again(|machine| Machine { default_data: false, ..machine }).await;
    home.make(CLIENT, UPDATE).await.unwrap();
    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!(home.text(), old);
    assert!(matches!(home.client().standing, Standing::Outdated { .. }));
    home.make(CLIENT, UPDATE).await.unwrap();
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
}

#[tokio::test]
async fn a_file_that_we_made_goes_with_its_folders_and_comes_back() {
    let home = Home::new().await;
    home.make("codex", ADD).await.unwrap();
    let text = home.text_of("codex");
    home.make("codex", UNDO).await.unwrap();
    assert!(!home.file_of("codex").parent().unwrap().exists());
    home.make("codex", REDO).await.unwrap();
    assert_eq!(home.text_of("codex"), text);
    home.make("codex", REMOVE).await.unwrap();
    assert!(!home.file_of("codex").parent().unwrap().exists());
}

#[tokio::test]
async fn another_way_to_reach_us_is_undone() {
    let home = Home::new().await;
    home.make("cursor", ADD).await.unwrap();
    let over_stdio = home.text_of("cursor");
    let over_http = ClientChange::Update { transport: Some(Transport::Http), project: None };
    home.make("cursor", over_http).await.unwrap();
    assert_eq!(home.client_of("cursor").transport, Some(Transport::Http));
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), over_stdio);
    assert_eq!(home.client_of("cursor").transport, Some(Transport::Stdio));
}

#[tokio::test]
async fn an_entry_with_a_token_that_is_brought_back_opens_the_door_again() {
    let home = Home::new().await;
    home.make("cursor", OVER_HTTP).await.unwrap();
    home.make("cursor", REMOVE).await.unwrap();
    assert!(!home.client_of("cursor").token);
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.client_of("cursor").standing, Standing::Added);
    assert!(home.client_of("cursor").token);
}

#[tokio::test]
async fn undo_walks_back_one_change_at_a_time_and_redo_walks_forth() {
    let home = Home::new().await;
    home.give("cursor", THEIRS);
    home.make("cursor", ADD).await.unwrap();
    let over_stdio = home.text_of("cursor");
    home.make("cursor", OVER_HTTP).await.unwrap();
    let over_http = home.text_of("cursor");

    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), over_stdio);
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), THEIRS);
    assert_eq!(home.plan("cursor", UNDO).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(home.client_of("cursor").undo, None);

    home.make("cursor", REDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), over_stdio);
    home.make("cursor", REDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), over_http);
    assert_eq!(home.plan("cursor", REDO).await.unwrap_err().kind, ErrorKind::NotFound);
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), over_stdio);

    // After another change there is nothing to redo.
    home.make("cursor", REMOVE).await.unwrap();
    assert_eq!((home.text_of("cursor").as_str(), home.client_of("cursor").redo), (THEIRS, None));
    home.make("cursor", UNDO).await.unwrap();
    home.make("cursor", UNDO).await.unwrap();
    assert_eq!(home.text_of("cursor"), THEIRS);
}
