//! Orders of the command line, with and without a running engine.

use std::collections::BTreeMap;

use api::ErrorKind;
use engine::{
    actions,
    orders::{Order, give, take_over},
};
use serde_json::json;

use crate::home::{Home, row};

fn off(skill: &str) -> Order {
    Order::Enable { skills: vec![skill.to_owned()], on: false, seen: BTreeMap::new() }
}

#[tokio::test]
async fn the_engine_that_runs_carries_an_order_out_and_shows_it() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    assert_eq!(give(home.machine.clone(), off("tea")).await.unwrap(), json!(["f1/tea"]));
    assert!(!row(&engine.snapshot(), "tea").enabled);

    let unknown = give(home.machine.clone(), off("tee")).await.unwrap_err();
    assert_eq!((unknown.kind, unknown.message.as_str()), (ErrorKind::Unknown, "No skill has the id tee."));
    assert_eq!(unknown.hints, ["Did you mean tea?"]);
}

#[tokio::test]
async fn without_an_engine_the_order_is_carried_out_here_and_the_lock_is_free_again() {
    let home = Home::new();
    let file = home.skill("team/tea", "Green.");
    home.start_with_library().await.stop().await;
    let by_path = file.parent().unwrap().to_str().unwrap().to_owned();
    for skill in ["f1/team/tea", "tea", by_path.as_str(), file.to_str().unwrap()] {
        assert_eq!(give(home.machine.clone(), off(skill)).await.unwrap(), json!(["f1/team/tea"]), "{skill}");
    }
    let engine = home.start().await;
    assert!(!row(&engine.snapshot(), "tea").enabled);
}

#[tokio::test]
async fn of_two_skills_with_one_id_the_served_one_is_meant() {
    let home = Home::new();
    home.skill("a/tea", "Green.");
    home.skill("b/tea", "Black.");
    let engine = home.start_with_library().await;
    assert_eq!(actions::find_skill(&engine, "tea").unwrap(), "f1/a/tea");
    for key in ["f1/a/tea", "f1/b/tea"] {
        actions::enable_skill(&engine, key, false).await.unwrap();
    }
    let several = actions::find_skill(&engine, "tea").unwrap_err();
    assert_eq!(several.message, "2 skills have the id tea. Name one by its key: f1/a/tea, f1/b/tea.");
}

#[tokio::test]
async fn a_running_engine_hears_that_another_takes_over_and_is_awaited() {
    let home = Home::new();
    assert!(!take_over(&home.machine).await.unwrap(), "nobody runs");
    let first = home.start_with_library().await;
    let program = tokio::spawn(async move {
        first.asked_to_end().await;
        first.stop().await;
    });
    assert!(take_over(&home.machine).await.unwrap());
    let second = home.start().await;
    program.await.unwrap();
    second.stop().await;
}

#[tokio::test]
async fn nobody_takes_over_from_an_engine_that_is_deaf() {
    let home = Home::new();
    let _held = machine::lock::Lock::take(&home.machine.data).unwrap();
    let error = take_over(&home.machine).await.unwrap_err();
    let process = std::process::id();
    assert_eq!(error.message, format!("The running Skilltender (process {process}) does not answer on its socket."));
}
