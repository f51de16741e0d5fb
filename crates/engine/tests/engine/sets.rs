//! Sets of skills: a client with a set sees its enabled skills, and no others.

use api::ErrorKind;
use engine::{Engine, actions};
use mcp::{Caller, Host as _};

use crate::home::{Home, enable, until, write_skill};

async fn seen(engine: &Engine, client: &str) -> Vec<String> {
    let catalog = engine.catalog(&Caller::of(client)).await;
    catalog.served().map(|entry| entry.key()).collect()
}

fn keys<const N: usize>(keys: [&str; N]) -> Vec<String> {
    keys.map(str::to_owned).into()
}

async fn home() -> (Home, Engine) {
    let home = Home::new();
    for skill in ["tea", "coffee", "milk"] {
        home.skill(skill, "A drink.");
    }
    let engine = home.start_with_library().await;
    (home, engine)
}

#[tokio::test]
async fn a_client_with_a_set_sees_the_skills_of_it_that_are_on() {
    let (_home, engine) = home().await;
    let set = actions::make_set(&engine, " Hot ", &keys(["f1/tea", "f1/coffee", "f1/gone"])).await.unwrap();
    actions::give_set(&engine, "claude-desktop", Some(set.clone())).await.unwrap();
    assert_eq!(seen(&engine, "claude-desktop").await, ["f1/coffee", "f1/tea"]);
    assert_eq!(seen(&engine, "by-hand").await, ["f1/coffee", "f1/milk", "f1/tea"]);

    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert_eq!(seen(&engine, "claude-desktop").await, ["f1/coffee"]);
    let snapshot = engine.snapshot();
    assert_eq!(snapshot.sets.len(), 1);
    let view = &snapshot.sets[0];
    assert_eq!((view.name.as_str(), view.served), ("Hot", 1));
    assert_eq!(view.skills, ["f1/coffee", "f1/tea"]);
    assert_eq!(view.clients, ["claude-desktop"]);
    let sees =
        |id: &str| snapshot.clients.iter().find(|client| client.id == id).map(|one| (one.set.clone(), one.skills));
    assert_eq!(sees("claude-desktop"), Some((Some(set), 1)));

    actions::give_set(&engine, "claude-desktop", None).await.unwrap();
    assert_eq!(seen(&engine, "claude-desktop").await, ["f1/coffee", "f1/milk"]);
}

#[tokio::test]
async fn sets_hold_over_a_restart_and_an_id_is_not_used_again() {
    let (home, engine) = home().await;
    let first = actions::make_set(&engine, "First", &keys(["f1/tea"])).await.unwrap();
    actions::delete_set(&engine, &first).await.unwrap();
    let second = actions::make_set(&engine, "First", &keys(["f1/milk"])).await.unwrap();
    assert_ne!(first, second);
    actions::give_set(&engine, "by-hand", Some(second)).await.unwrap();
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    assert_eq!(seen(&engine, "by-hand").await, ["f1/milk"]);
    assert_eq!(seen(&engine, "claude-desktop").await.len(), 3);
}

#[tokio::test]
async fn among_the_skills_of_a_set_it_is_decided_anew_which_of_two_is_served() {
    let (home, engine) = home().await;
    write_skill(&home.library().join("team/tea/SKILL.md"), "Another tea.");
    until(&engine, |snapshot| snapshot.skills.len() == 4).await;
    enable(&engine, "f1/team/tea").await;
    let set = actions::make_set(&engine, "Team", &keys(["f1/team/tea"])).await.unwrap();
    actions::give_set(&engine, "claude-desktop", Some(set)).await.unwrap();
    assert_eq!(seen(&engine, "claude-desktop").await, ["f1/team/tea"]);
    assert!(!seen(&engine, "by-hand").await.contains(&"f1/team/tea".to_owned()));
}

#[tokio::test]
async fn a_set_gets_other_skills_and_keeps_those_that_are_away() {
    let (home, engine) = home().await;
    let set = actions::make_set(&engine, "Hot", &keys(["f1/tea", "f1/coffee"])).await.unwrap();
    std::fs::remove_dir_all(home.library().join("tea")).unwrap();
    until(&engine, |snapshot| snapshot.skills.len() == 2).await;
    actions::change_set(&engine, &set, "Warm", &keys(["f1/tea", "f1/milk", "f1/never"])).await.unwrap();
    let snapshot = engine.snapshot();
    assert_eq!((snapshot.sets[0].name.as_str(), snapshot.sets[0].served), ("Warm", 1));
    assert_eq!(snapshot.sets[0].skills, ["f1/milk", "f1/tea"]);
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_nothing_changes() {
    let (_home, engine) = home().await;
    let set = actions::make_set(&engine, "Hot", &keys(["f1/tea"])).await.unwrap();
    actions::give_set(&engine, "claude-desktop", Some(set.clone())).await.unwrap();
    let before = engine.snapshot();
    for name in ["", "  ", "two\nlines", "hot", &"x".repeat(81)] {
        assert_eq!(actions::make_set(&engine, name, &[]).await.unwrap_err().kind, ErrorKind::Input, "{name}");
    }
    let gone = Some("s9".to_owned());
    assert_eq!(actions::give_set(&engine, "claude-desktop", gone).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(
        actions::give_set(&engine, "nobody", None).await.unwrap_err().message,
        "Skilltender knows no client \"nobody\"."
    );
    assert_eq!(actions::change_set(&engine, "s9", "Cold", &[]).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(actions::delete_set(&engine, "s9").await.unwrap_err().kind, ErrorKind::NotFound);
    let error = actions::delete_set(&engine, &set).await.unwrap_err();
    assert_eq!(error.message, "Claude Desktop would see every skill without this set.");
    assert_eq!(engine.snapshot(), before);
}
