//! The files in the data folder are those that the README names.

use std::{fs, path::Path};

use api::{ClientChange, PlaceWay, Transport};
use engine::{Machine, actions};

use crate::{
    home::{ADD, Home, change_client, enable, row, until},
    servers::{approve, home, running, skill},
};

const README: &str = include_str!("../../../../README.md");

/// What a file that is being written is called, a moment long; after a crash the next engine removes it (`files::store`).
const UNFINISHED: &str = ".skilltender-";

/// Whether the README names it, between backticks.
fn is_named(name: &str) -> bool {
    let (_, told) = README.split_once("## Where things are kept").unwrap();
    let told = told.split("\n## ").next().unwrap();
    told.split('`').skip(1).step_by(2).any(|word| word == name)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names.into_iter().map(|name| name.into_string().unwrap()).collect()
}

#[tokio::test]
async fn everything_that_a_busy_day_leaves_in_our_own_folder_is_named_in_the_readme() {
    let home = home();
    let program = home.path("skilltender");
    fs::copy(&home.machine.program, &program).unwrap();
    let bus = Some("unix:path=/nowhere".to_owned());
    let home = Home { machine: Machine { program, bus, ..home.machine.clone() }, ..home };
    let more = "    env: {MODE: \"${MODE}\"}\n    parameters:\n      MODE: {description: How strong, required: true}\n";
    skill(&home, "tea", "good", more);
    home.skill("milk", "Warms milk. Use when somebody is cold.");
    let engine = home.start_with_library().await;
    let (tea, milk) = (row(&engine.snapshot(), "tea").key.clone(), row(&engine.snapshot(), "milk").key.clone());
    actions::set_value(&engine, &tea, "teapot", "MODE", Some("weak".to_owned())).await.unwrap();
    enable(&engine, &tea).await;
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    approve(&engine).await;
    running(&engine).await;
    change_client(&engine, "cursor", ADD).await;
    let over_http = ClientChange::Connect { transport: Some(Transport::Http), project: None, again: false };
    change_client(&engine, "windsurf", over_http).await;
    fs::create_dir_all(home.path(".claude/skills")).unwrap();
    let target = actions::client_folders(&engine).await.unwrap().remove(0).path;
    let plan = actions::plan_client_folder(&engine, &target, Some(PlaceWay::Copy)).await.unwrap();
    actions::link_skills(&engine, &target, PlaceWay::Copy, &plan.id).await.unwrap();
    let page = actions::read_skill(&engine, &milk).await.unwrap();
    actions::keep_version(&engine, &milk, page.text.unwrap() + "More.", true).await.unwrap();
    actions::trash_skill(&engine, &milk).await.unwrap();

    let during = names(&home.machine.data);
    engine.stop().await;
    let all: Vec<_> = during.into_iter().chain(names(&home.machine.data)).collect();
    for there in ["approvals.json", "bin", "journal", "kept", "running", "session-bus", "tokens.json", "trash"] {
        assert!(all.iter().any(|name| name == there), "this day was not busy enough for {there}: {all:?}");
    }
    let untold: Vec<_> = all.iter().filter(|name| !is_named(name) && !name.starts_with(UNFINISHED)).collect();
    assert!(untold.is_empty(), "{untold:?} are in our folder and not in the README");
}
