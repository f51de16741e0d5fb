//! Orders of the command line, with and without a running engine.

use std::collections::BTreeMap;

use api::ErrorKind;
use engine::{
    actions,
    orders::{Order, give},
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
