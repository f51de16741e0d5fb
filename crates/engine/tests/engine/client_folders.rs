//! Skills in client folders.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use api::{ClientFolder, ClientFolderAct, ErrorKind, PlaceWay, PlacedState};
use engine::{
    Engine, actions,
    orders::{self, Order},
};

use crate::home::{Home, add_folder, comes, enable, ids, until, write_skill};

const CLIENT: &str = "claude-code";

async fn link(engine: &Engine, way: PlaceWay) {
    let plan = actions::plan_client_folder(engine, CLIENT, Some(way)).await.unwrap();
    actions::link_skills(engine, CLIENT, way, &plan.id).await.unwrap();
}

async fn unlink(engine: &Engine) {
    let plan = actions::plan_client_folder(engine, CLIENT, None).await.unwrap();
    actions::unlink_skills(engine, CLIENT, &plan.id).await.unwrap();
}

async fn folder(engine: &Engine) -> ClientFolder {
    let folders = actions::client_folders(engine).await.unwrap();
    folders.into_iter().find(|folder| folder.place == "~/.claude/skills").unwrap()
}

fn states(folder: &ClientFolder) -> Vec<(&str, PlacedState)> {
    folder.skills.iter().map(|skill| (skill.id.as_str(), skill.state)).collect()
}

/// Waits until something holds on the disk.
async fn on_disk(holds: impl Fn() -> bool) {
    comes(async || holds()).await;
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

fn there(path: &Path) -> Vec<String> {
    let names = fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

async fn home() -> (Home, Engine, PathBuf) {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("coffee", "Black.");
    let engine = home.start_with_library().await;
    let folder = home.path(".claude/skills");
    (home, engine, folder)
}

#[tokio::test]
async fn enabled_skills_are_linked_and_follow_their_switches() {
    let (home, engine, place) = home().await;
    let plan = actions::plan_client_folder(&engine, CLIENT, Some(PlaceWay::Link)).await.unwrap();
    assert!(plan.creates && plan.readers.contains(&"opencode".to_owned()), "several clients read it: {plan:?}");
    assert_eq!(
        plan.steps.iter().map(|step| step.does).collect::<Vec<_>>(),
        [ClientFolderAct::Link, ClientFolderAct::Link]
    );
    assert!(!place.exists(), "a plan does nothing");

    link(&engine, PlaceWay::Link).await;
    assert_eq!(fs::read_link(place.join("tea")).unwrap(), home.library().join("tea"));
    assert_eq!(states(&folder(&engine).await), [("coffee", PlacedState::Linked), ("tea", PlacedState::Linked)]);

    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    on_disk(|| there(&place) == ["coffee"]).await;
    enable(&engine, "f1/tea").await;
    on_disk(|| there(&place) == ["coffee", "tea"]).await;

    unlink(&engine).await;
    assert!(!home.path(".claude").exists(), "the folders that we made are gone too");
    assert!(home.library().join("tea/SKILL.md").is_file());
    assert_eq!(folder(&engine).await.way, None);
}

#[tokio::test]
async fn a_copy_follows_its_skill_until_somebody_edits_it() {
    let (home, engine, place) = home().await;
    link(&engine, PlaceWay::Copy).await;
    let copy = place.join("tea/SKILL.md");
    assert!(!is_link(&place.join("tea")) && fs::read_to_string(&copy).unwrap().contains("Green."));

    home.skill("tea", "Oolong.");
    on_disk(|| fs::read_to_string(&copy).is_ok_and(|text| text.contains("Oolong."))).await;

    fs::write(&copy, "mine").unwrap();
    home.skill("tea", "White.");
    until(&engine, |snapshot| snapshot.skills.iter().any(|skill| skill.description == "White.")).await;
    actions::enable_skill(&engine, "f1/coffee", false).await.unwrap();
    on_disk(|| !place.join("coffee").exists()).await;
    assert_eq!(fs::read_to_string(&copy).unwrap(), "mine");
    assert_eq!(states(&folder(&engine).await), [("tea", PlacedState::Edited)]);

    actions::settle_copy(&engine, CLIENT, "tea", true).await.unwrap();
    assert!(fs::read_to_string(&copy).unwrap().contains("White."));
    fs::write(&copy, "mine again").unwrap();
    actions::settle_copy(&engine, CLIENT, "tea", false).await.unwrap();
    unlink(&engine).await;
    assert_eq!(fs::read_to_string(&copy).unwrap(), "mine again", "it is theirs now");
    let none = actions::settle_copy(&engine, CLIENT, "tea", true).await.unwrap_err();
    assert_eq!(none.kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn what_is_not_ours_is_never_touched() {
    let (home, engine, place) = home().await;
    write_skill(&place.join("tea/SKILL.md"), "Somebody else's.");
    link(&engine, PlaceWay::Link).await;
    assert!(fs::read_to_string(place.join("tea/SKILL.md")).unwrap().contains("Somebody else's."));
    assert_eq!(states(&folder(&engine).await), [("coffee", PlacedState::Linked), ("tea", PlacedState::Taken)]);

    // A placed link that a person pointed elsewhere is theirs.
    fs::remove_file(place.join("coffee")).unwrap();
    symlink(home.elsewhere(), place.join("coffee")).unwrap();
    unlink(&engine).await;
    assert_eq!(there(&place), ["coffee", "tea"]);
    assert_eq!(fs::read_link(place.join("coffee")).unwrap(), home.elsewhere());
}

#[tokio::test]
async fn a_library_that_holds_the_folder_shows_no_skill_twice_and_links_none_onto_itself() {
    let (_home, engine, place) = home().await;
    write_skill(&place.join("milk/SKILL.md"), "White.");
    add_folder(&engine, &place).await;
    link(&engine, PlaceWay::Link).await;
    assert!(is_link(&place.join("tea")) && !is_link(&place.join("milk")));
    actions::read_again(&engine).await.unwrap();
    let snapshot = engine.snapshot();
    assert_eq!(ids(&snapshot), ["coffee", "milk", "tea"]);
    assert!(snapshot.skills.iter().all(|skill| skill.problems.error == 0), "{:?}", snapshot.skills);
    let folder = folder(&engine).await;
    assert_eq!(folder.library.as_deref(), Some("f2"));
    let expected = [("coffee", PlacedState::Linked), ("milk", PlacedState::Here), ("tea", PlacedState::Linked)];
    assert_eq!(states(&folder), expected);
    unlink(&engine).await;
    assert_eq!(there(&place), ["milk"]);
}

#[tokio::test]
async fn the_next_start_knows_what_was_made_and_does_what_is_due() {
    let (home, engine, place) = home().await;
    actions::add_folder(&engine, home.path(".claude").to_str().unwrap(), None).await.unwrap_err();
    link(&engine, PlaceWay::Link).await;
    actions::add_folder(&engine, place.to_str().unwrap(), None).await.unwrap();
    assert_eq!(ids(&engine.snapshot()), ["coffee", "tea"], "a folder that we filled has no skills of its own");
    engine.stop().await;
    drop(engine);
    fs::remove_dir_all(home.library().join("tea")).unwrap();
    let engine = home.start().await;
    assert_eq!(ids(&engine.snapshot()), ["coffee"]);
    on_disk(|| there(&place) == ["coffee"]).await;
}

#[tokio::test]
async fn a_library_folder_that_is_away_takes_no_copies_with_it() {
    let (home, engine, place) = home().await;
    link(&engine, PlaceWay::Copy).await;
    let (here, away) = (home.library(), home.path("away"));
    fs::rename(&here, &away).unwrap();
    until(&engine, |snapshot| snapshot.skills.is_empty()).await;
    actions::add_folder(&engine, home.path(".claude").to_str().unwrap(), None).await.unwrap();
    assert_eq!(there(&place), ["coffee", "tea"]);
    fs::rename(&away, &here).unwrap();
    let back = until(&engine, |snapshot| ids(snapshot) == ["coffee", "tea"]).await;
    assert!(back.skills.iter().all(|skill| skill.enabled), "{:?}", back.skills);
    let copied = [("coffee", PlacedState::Copied), ("tea", PlacedState::Copied)];
    comes(async || states(&folder(&engine).await) == copied).await;
}

#[tokio::test]
async fn a_folder_that_leads_out_of_the_home_is_refused() {
    let (home, engine, place) = home().await;
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    symlink(home.elsewhere(), &place).unwrap();
    let refused = actions::plan_client_folder(&engine, CLIENT, Some(PlaceWay::Link)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused);
    let unknown = actions::plan_client_folder(&engine, "~/Documents", Some(PlaceWay::Link)).await.unwrap_err();
    assert_eq!(unknown.kind, ErrorKind::Unknown);
}

#[tokio::test]
async fn a_plan_that_is_another_one_now_is_not_done() {
    let (_home, engine, place) = home().await;
    let plan = actions::plan_client_folder(&engine, CLIENT, Some(PlaceWay::Link)).await.unwrap();
    write_skill(&place.join("tea/SKILL.md"), "Somebody else's.");
    let changed = actions::link_skills(&engine, CLIENT, PlaceWay::Link, &plan.id).await.unwrap_err();
    assert_eq!(changed.kind, ErrorKind::Changed);
    assert_eq!(there(&place), ["tea"]);
}

#[tokio::test]
async fn the_command_line_keeps_folders_up_without_a_running_engine() {
    let (home, engine, place) = home().await;
    link(&engine, PlaceWay::Link).await;
    engine.stop().await;
    drop(engine);
    let off = Order::Enable { skills: vec!["f1/tea".to_owned()], on: false, seen: BTreeMap::new() };
    orders::give(home.machine.clone(), off).await.unwrap();
    assert_eq!(there(&place), ["coffee"]);
}

#[tokio::test]
async fn a_folder_that_a_variable_moved_out_of_the_home_gets_the_skills() {
    let mut home = Home::new();
    home.skill("tea", "Green.");
    let moved = home.elsewhere().canonicalize().unwrap().join("qwen");
    home.machine.places.variables.insert("QWEN_HOME", moved.clone());
    let engine = home.start_with_library().await;
    let plan = actions::plan_client_folder(&engine, "qwen-code", Some(PlaceWay::Link)).await.unwrap();
    assert_eq!(PathBuf::from(&plan.path), moved.join("skills"));
    actions::link_skills(&engine, "qwen-code", PlaceWay::Link, &plan.id).await.unwrap();
    assert_eq!(fs::read_link(moved.join("skills/tea")).unwrap(), home.library().join("tea"));
    assert!(!home.path(".qwen").exists());
    let folders = actions::client_folders(&engine).await.unwrap();
    let readers = |place: &str| folders.iter().find(|folder| folder.place == place).map(|folder| folder.readers.len());
    assert_eq!(readers("~/.qwen/skills"), None, "nobody reads it now");

    // The person named the folder, but not the target of a link in it.
    let plan = actions::plan_client_folder(&engine, "qwen-code", None).await.unwrap();
    actions::unlink_skills(&engine, "qwen-code", &plan.id).await.unwrap();
    fs::create_dir_all(&moved).unwrap();
    fs::create_dir(home.elsewhere().join("other")).unwrap();
    symlink(home.elsewhere().join("other"), moved.join("skills")).unwrap();
    let refused = actions::plan_client_folder(&engine, "qwen-code", Some(PlaceWay::Link)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Refused);
}
