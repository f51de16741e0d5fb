//! A skill moves to another folder of the library with everything that is known of it, or stays where it is.

use std::fs;

use api::{ErrorKind, Readiness};
use engine::{Engine, actions};

use crate::home::{Home, add_folder, enable, ids, row, until, write_skill};

const NEEDS: &str = "---\nname: notes\ndescription: Writes notes. Use when notes are wanted.\n\
    requires-mcp-servers:\n  - name: github\n    command: no-such-program\n    env: {OWNER: \"${OWNER}\", TOKEN: \"${TOKEN}\"}\n    \
    parameters:\n      OWNER: {description: An owner, required: true}\n      \
    TOKEN: {description: A token, required: true, sensitive: true}\n---\nNotes.\n";

/// A library with the skill `deep/notes` in its first folder, and an empty second one.
async fn library(home: &Home) -> Engine {
    let notes = home.library().join("deep/notes");
    fs::create_dir_all(notes.join("more")).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS).unwrap();
    fs::write(notes.join("more/data"), [0, 255]).unwrap();
    fs::create_dir_all(home.path("others")).unwrap();
    let engine = home.start_with_library().await;
    add_folder(&engine, &home.path("others")).await;
    engine
}

#[tokio::test]
async fn a_skill_moves_with_its_files_choices_sets_values_and_secrets() {
    let home = Home::new();
    let engine = library(&home).await;
    enable(&engine, "f1/deep/notes").await;
    actions::set_value(&engine, "f1/deep/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    actions::set_secret(&engine, "f1/deep/notes", "github", "TOKEN", "canary".to_owned()).await.unwrap();
    actions::make_set(&engine, "Mine", &["f1/deep/notes".to_owned()]).await.unwrap();

    assert_eq!(actions::move_skill(&engine, "f1/deep/notes", "f2").await.unwrap(), "f2/notes");
    let given = |readiness: &Readiness| matches!(readiness, Readiness::NoProgram { .. });
    let snapshot = until(&engine, |snapshot| given(&row(snapshot, "notes").readiness)).await;
    assert_eq!((row(&snapshot, "notes").key.as_str(), row(&snapshot, "notes").enabled), ("f2/notes", true));
    assert_eq!(snapshot.sets[0].skills, ["f2/notes"]);
    assert_eq!((snapshot.trash.len(), snapshot.skills.len()), (0, 1));
    assert_eq!(fs::read(home.path("others/notes/more/data")).unwrap(), [0, 255]);
    assert!(!home.library().join("deep/notes").exists());
    assert_eq!(home.choices()["folders"][1]["skills"], serde_json::json!({}));

    // Back again: to the top of its folder.
    assert_eq!(actions::move_skill(&engine, "f2/notes", "f1").await.unwrap(), "f1/notes");
    until(&engine, |snapshot| given(&row(snapshot, "notes").readiness)).await;
    assert_eq!(actions::move_skill(&engine, "f1/notes", "f1").await.unwrap(), "f1/notes", "it is there already");
}

#[tokio::test]
async fn a_skill_that_is_off_stays_off_where_new_ones_are_switched_on() {
    let home = Home::new();
    let engine = library(&home).await;
    actions::switch_new_skills(&engine, "f2", true).await.unwrap();
    let key = actions::move_skill(&engine, "f1/deep/notes", "f2").await.unwrap();
    let snapshot = until(&engine, |snapshot| ids(snapshot) == ["notes"]).await;
    assert_eq!((row(&snapshot, "notes").key.as_str(), row(&snapshot, "notes").enabled), (key.as_str(), false));
}

#[tokio::test]
async fn a_taken_place_a_missing_folder_and_a_skill_that_is_not_there_change_nothing() {
    let home = Home::new();
    let engine = library(&home).await;
    write_skill(&home.path("others/notes/SKILL.md"), "Mine.");
    actions::read_again(&engine).await.unwrap();
    let before = fs::read(home.path("others/notes/SKILL.md")).unwrap();
    let taken = actions::move_skill(&engine, "f1/deep/notes", "f2").await.unwrap_err();
    assert_eq!(taken.kind, ErrorKind::Refused);
    assert!(taken.message.contains("is there already"), "{}", taken.message);
    assert_eq!(fs::read(home.path("others/notes/SKILL.md")).unwrap(), before);
    assert_eq!(actions::move_skill(&engine, "f1/deep/notes", "f9").await.unwrap_err().kind, ErrorKind::NotFound);
    assert!(actions::move_skill(&engine, "f1/nothing", "f2").await.is_err());
    assert!(home.library().join("deep/notes/SKILL.md").exists());
    assert_eq!(engine.snapshot().trash.len(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_stays_where_it_leads_somewhere() {
    let home = Home::new();
    let engine = library(&home).await;
    write_skill(&home.path("elsewhere/cocoa/SKILL.md"), "Hot.");
    std::os::unix::fs::symlink(home.path("elsewhere/cocoa"), home.library().join("cocoa")).unwrap();
    actions::read_again(&engine).await.unwrap();
    until(&engine, |snapshot| ids(snapshot).contains(&"cocoa")).await;
    let link = actions::move_skill(&engine, "f1/cocoa", "f2").await.unwrap_err();
    assert!(link.message.contains("is a link"), "{}", link.message);
    assert!(home.library().join("cocoa").is_symlink());
}
