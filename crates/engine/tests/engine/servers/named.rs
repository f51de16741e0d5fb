//! The names of servers that several skills want.

use std::{collections::BTreeMap, fs};

use api::{Readiness, ServerRow, ServerState, Snapshot};
use engine::{Engine, actions};
use mcp::Host as _;

use super::{approve, call, cursor, home, running, server, skill};
use crate::home::{enable, row, until};

#[tokio::test]
async fn two_skills_share_what_is_equal_and_two_that_differ_both_work() {
    let home = home();
    skill(&home, "green-tea", "good", "");
    skill(&home, "black-tea", "good", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    assert_eq!(server(&engine.snapshot()).skills.len(), 2);

    // One more skill that wants the same asks too.
    skill(&home, "white-tea", "good", "");
    let key = until(&engine, |snapshot| snapshot.skills.iter().any(|row| row.id == "white-tea")).await;
    let key = row(&key, "white-tea").key.clone();
    enable(&engine, &key).await;
    until(&engine, |snapshot| server(snapshot).state == ServerState::NeedsConsent { changed: true }).await;
    approve(&engine).await;
    running(&engine).await;

    skill(&home, "white-tea", "good", "    env: {MODE: \"weak\"}\n");
    let second = |snapshot: &Snapshot| snapshot.servers.iter().any(|row| row.name == "teapot-2");
    let snapshot = until(&engine, second).await;
    assert_eq!(server(&snapshot).skills.len(), 2, "what was agreed to keeps its name");
    let with = row(&snapshot, "green-tea").key.clone();
    let renamed = &row(&snapshot, "white-tea").renamed[0];
    assert_eq!((renamed.server.as_str(), renamed.name.as_str()), ("teapot", "teapot-2"));
    assert!(row(&snapshot, "green-tea").renamed.is_empty());

    // Both work, each with what its skill declares.
    let consent = actions::plan_server(&engine, "teapot-2").await.unwrap();
    assert_eq!(consent.now.values[0].value.as_deref(), Some("weak"));
    actions::approve_server(&engine, "teapot-2", &consent.digest, &[]).await.unwrap();
    until(&engine, |snapshot| matches!(snapshot.servers[1].state, ServerState::Running { .. })).await;
    assert_eq!(row(&engine.snapshot(), "white-tea").readiness, Readiness::Ready);
    assert!(call(&engine, "teapot-2__environment", "{}").await.unwrap().contains("MODE=4"));
    assert!(!call(&engine, "teapot__environment", "{}").await.unwrap().contains("MODE"));
    let catalog = engine.catalog(&cursor()).await;
    let remark = engine.remark(&cursor(), catalog.get("white-tea").unwrap()).unwrap();
    assert!(remark.contains("its tools begin with teapot-2__"), "{remark}");
    assert_eq!(engine.remark(&cursor(), catalog.get("green-tea").unwrap()), None);
    let doctor = actions::doctor(&engine).await.unwrap();
    let found = doctor.checks.iter().find(|check| check.id == "server-names").unwrap();
    assert!(found.what.contains("call different servers teapot"), "{found:?}");

    // Switching a skill off does not affect the other.
    let green = row(&engine.snapshot(), "green-tea").key.clone();
    let black = row(&engine.snapshot(), "black-tea").key.clone();
    actions::enable_skills(&engine, &[green.clone(), black.clone()], false, &[].into()).await.unwrap();
    let alone = until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    assert_eq!(server(&alone).name, "teapot-2");
    for key in [&green, &black] {
        enable(&engine, key).await;
    }
    until(&engine, |snapshot| snapshot.servers.len() == 2).await;

    actions::link_server(&engine, &key, "teapot", Some(with)).await.unwrap();
    until(&engine, |snapshot| server(snapshot).skills.len() == 3).await;
    let shares = actions::read_skill(&engine, &key).await.unwrap().needs[0].shares_with.clone();
    assert_eq!(shares.unwrap().name, "green-tea");

    actions::link_server(&engine, &key, "teapot", None).await.unwrap();
    until(&engine, second).await;
    assert_eq!(actions::read_skill(&engine, &key).await.unwrap().needs[0].shares_with, None);
    engine.stop().await;
}

/// The name of the server that each of these skills gets, if it has one of its own.
fn names(engine: &Engine) -> BTreeMap<String, String> {
    let snapshot = engine.snapshot();
    let users = |row: &ServerRow| row.skills.iter().map(|skill| skill.name.clone()).collect::<Vec<_>>();
    snapshot.servers.iter().flat_map(|row| users(row).into_iter().map(|skill| (skill, row.name.clone()))).collect()
}

async fn agree(engine: &Engine, server: &str) {
    let consent = actions::plan_server(engine, server).await.unwrap();
    actions::approve_server(engine, server, &consent.digest, &[]).await.unwrap();
}

fn named<const N: usize>(all: [(&str, &str); N]) -> BTreeMap<String, String> {
    all.map(|(skill, server)| (skill.to_owned(), server.to_owned())).into()
}

#[tokio::test]
async fn a_name_that_was_agreed_to_stays_whatever_comes_goes_changes_or_ends() {
    let home = home();
    let env = |word: &str| format!("    env: {{MODE: \"{word}\"}}\n");
    let all = ["a", "b", "c"];
    for id in all {
        skill(&home, id, "good", &env(id));
    }
    let engine = home.start_with_library().await;
    assert_eq!(names(&engine), named([("a", "teapot"), ("b", "teapot-2"), ("c", "teapot-3")]));
    for server in ["teapot", "teapot-2", "teapot-3"] {
        agree(&engine, server).await;
    }
    let key = |id: &str| row(&engine.snapshot(), id).key.clone();
    let (a, b) = (key("a"), key("b"));
    actions::enable_skills(&engine, &[a.clone(), b.clone()], false, &[].into()).await.unwrap();
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    assert_eq!(names(&engine), named([("c", "teapot-3")]), "also where the first two are gone");

    // Its new declaration was not approved, but it is the same skill.
    skill(&home, "c", "good", &env("other"));
    until(&engine, |snapshot| snapshot.servers[0].state == ServerState::NeedsConsent { changed: true }).await;
    assert_eq!(names(&engine), named([("c", "teapot-3")]));
    agree(&engine, "teapot-3").await;

    // A skill that comes meanwhile may take only the plain name of one that is off, and takes nothing from it.
    skill(&home, "d", "good", &env("d"));
    skill(&home, "e", "good", &env("e"));
    until(&engine, |snapshot| snapshot.skills.len() == 5).await;
    for id in ["d", "e"] {
        enable(&engine, &row(&engine.snapshot(), id).key.clone()).await;
    }
    until(&engine, |snapshot| snapshot.servers.len() == 3).await;
    assert_eq!(names(&engine), named([("c", "teapot-3"), ("d", "teapot"), ("e", "teapot-4")]));
    agree(&engine, "teapot-4").await;
    engine.stop().await;
    drop(engine);

    let engine = home.start().await;
    assert_eq!(names(&engine), named([("c", "teapot-3"), ("d", "teapot"), ("e", "teapot-4")]), "after a restart");
    for key in [&a, &b] {
        enable(&engine, key).await;
    }
    until(&engine, |snapshot| snapshot.servers.len() == 5).await;
    let now = [("a", "teapot"), ("b", "teapot-2"), ("c", "teapot-3"), ("d", "teapot-5"), ("e", "teapot-4")];
    assert_eq!(names(&engine), named(now));
    let asked: Vec<_> = engine
        .snapshot()
        .servers
        .iter()
        .filter(|row| matches!(row.state, ServerState::NeedsConsent { .. }))
        .map(|row| row.name.clone())
        .collect();
    assert_eq!(asked, ["teapot-5"], "nobody lost what was agreed to");
    engine.stop().await;
}

#[tokio::test]
async fn a_name_far_down_the_row_is_found_again_and_a_skills_own_numbered_name_is_nobody_elses() {
    let home = home();
    let env = |word: &str| format!("    env: {{MODE: \"{word}\"}}\n");
    let many: Vec<_> = (10..24).map(|number| format!("s{number}")).collect();
    for id in &many {
        skill(&home, id, "good", &env(id));
    }
    let own = skill(&home, "z", "good", &env("z"));
    let text = fs::read_to_string(&own).unwrap().replace("name: teapot", "name: teapot-2");
    fs::write(&own, text).unwrap();
    let engine = home.start_with_library().await;
    let all = names(&engine);
    assert_eq!((all["z"].as_str(), all["s10"].as_str(), all["s11"].as_str()), ("teapot-2", "teapot", "teapot-3"));
    assert_eq!(all["s23"], "teapot-15");
    agree(&engine, "teapot-15").await;
    let keys: Vec<_> = many[..13].iter().map(|id| row(&engine.snapshot(), id).key.clone()).collect();
    actions::enable_skills(&engine, &keys, false, &[].into()).await.unwrap();
    until(&engine, |snapshot| snapshot.servers.len() == 2).await;
    assert_eq!(names(&engine), named([("s23", "teapot-15"), ("z", "teapot-2")]));
    engine.stop().await;
}
