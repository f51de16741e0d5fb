//! What Skilltender wrote is listed, newest first, and undone.

use std::fs;

use api::{Edit, EditorSplice, OwnWrite, Wrote};
use engine::{Engine, actions};

use crate::home::{Home, add_folder, ids, row, write_skill};

async fn writes(engine: &Engine) -> Vec<OwnWrite> {
    actions::own_writes(engine).await.unwrap()
}

/// Undoes the newest.
async fn undo(engine: &Engine) {
    let newest = writes(engine).await.remove(0);
    assert!(newest.undo && !newest.undone, "{newest:?}");
    actions::undo_write(engine, newest.id).await.unwrap();
    let undone = writes(engine).await.into_iter().find(|write| write.id == newest.id).unwrap();
    assert!(undone.undone && !undone.undo, "{undone:?}");
    assert!(actions::undo_write(engine, newest.id).await.is_err(), "once");
}

fn one(name: &str) -> Vec<String> {
    vec![name.to_owned()]
}

#[tokio::test]
async fn switching_moving_and_throwing_away_are_listed_and_undone() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("team/milk", "White.");
    let engine = home.start_with_library().await;
    let other = home.path("other");
    fs::create_dir(&other).unwrap();
    add_folder(&engine, &other).await;
    let before = writes(&engine).await.len();

    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert_eq!(writes(&engine).await[0].what, Wrote::Switched { skills: one("tea"), on: false });
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert_eq!(writes(&engine).await.len(), before + 1, "what is so already is no write");
    undo(&engine).await;
    assert!(row(&engine.snapshot(), "tea").enabled);

    assert_eq!(actions::move_skill(&engine, "f1/tea", "f2").await.unwrap(), "f2/tea");
    let moved = Wrote::Moved { skill: "tea".to_owned(), from: "~/skills/tea".to_owned(), to: "~/other/tea".to_owned() };
    let all = writes(&engine).await;
    assert_eq!((&all[0].what, all.len()), (&moved, before + 3), "a move is one write");
    undo(&engine).await;
    assert_eq!(row(&engine.snapshot(), "tea").key, "f1/tea");
    assert_eq!(actions::move_skill(&engine, "f1/team/milk", "f2").await.unwrap(), "f2/milk");
    assert!(!writes(&engine).await[0].undo, "it would not come back to where it was");

    actions::trash_skill(&engine, "f1/tea").await.unwrap();
    undo(&engine).await;
    assert_eq!(ids(&engine.snapshot()), ["milk", "tea"]);
    assert!(matches!(writes(&engine).await[0].what, Wrote::Restored { .. }), "the undo is told too");

    // They outlive the engine.
    let told = writes(&engine).await;
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    assert_eq!(writes(&engine).await.len(), told.len());
}

#[tokio::test]
async fn new_skills_go_to_the_trash_and_edits_back_to_the_same_bytes() {
    let home = Home::new();
    let tea = home.skill("tea", "Green.");
    let before = fs::read(&tea).unwrap();
    let outside = home.path("outside/milk");
    write_skill(&outside.join("SKILL.md"), "White.");
    let engine = home.start_with_library().await;
    let source = outside.to_str().unwrap();
    let plan = actions::look_at_import(&engine, source, None).await.unwrap();
    actions::import_skill(&engine, source, &plan.id, "f1", None).await.unwrap();
    let imported = Wrote::Added { skills: one("milk"), place: "~/skills".to_owned(), imported: true };
    assert_eq!(writes(&engine).await[0].what, imported);
    undo(&engine).await;
    assert_eq!(ids(&engine.snapshot()), ["tea"]);
    actions::duplicate_skill(&engine, "f1/tea", "green").await.unwrap();
    undo(&engine).await;
    assert_eq!(ids(&engine.snapshot()), ["tea"]);

    let page = actions::read_skill(&engine, "f1/tea").await.unwrap();
    let splices = vec![EditorSplice { from: 4, to: 4, insert: "license: MIT\n".to_owned() }];
    actions::save_skill(&engine, "f1/tea", &page.digest, splices).await.unwrap();
    assert_eq!(writes(&engine).await[0].what, Wrote::Edited { skill: "tea".to_owned(), how: Edit::Saved });
    let edited = fs::read(&tea).unwrap();
    undo(&engine).await;
    assert_eq!(fs::read(&tea).unwrap(), before);
    // The undo is an edit as well, and can be undone.
    undo(&engine).await;
    assert_eq!(fs::read(&tea).unwrap(), edited);

    let last = writes(&engine).await.remove(0);
    fs::write(&tea, "---\nname: tea\ndescription: Another.\n---\nBoil.\n").unwrap();
    assert!(actions::undo_write(&engine, last.id).await.is_err(), "somebody edited it since");
    assert!(fs::read_to_string(&tea).unwrap().contains("Another."));
}

#[cfg(unix)]
#[tokio::test]
async fn skills_in_a_client_folder_are_taken_out_again() {
    let home = Home::new();
    home.skill("tea", "Green. Use when tea is wanted.");
    let engine = home.start_with_library().await;
    crate::home::enable(&engine, "f1/tea").await;
    let there = home.path(".codex/skills");
    fs::create_dir_all(&there).unwrap();
    let target = there.to_str().unwrap();
    let way = api::PlaceWay::Link;
    let plan = actions::plan_client_folder(&engine, target, Some(way)).await.unwrap();
    actions::link_skills(&engine, target, way, &plan.id).await.unwrap();
    assert!(there.join("tea/SKILL.md").exists());
    assert_eq!(writes(&engine).await[0].what, Wrote::Placed { place: "~/.codex/skills".to_owned(), there: true });
    undo(&engine).await;
    assert!(!there.join("tea").exists());
    undo(&engine).await;
    assert!(there.join("tea/SKILL.md").exists(), "taking out is undone too");
}

#[tokio::test]
async fn the_list_is_bounded_and_an_unreadable_one_begins_anew() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    fs::write(home.machine.data.join("wrote.json"), "half a li").unwrap();
    for on in (0..210).map(|number| number % 2 == 1) {
        actions::enable_skill(&engine, "f1/tea", on).await.unwrap();
    }
    let all = writes(&engine).await;
    assert_eq!((all.len(), &all[0].what), (200, &Wrote::Switched { skills: one("tea"), on: true }));
    assert!(all.windows(2).all(|pair| pair[0].id > pair[1].id), "newest first, each with a number of its own");
}
