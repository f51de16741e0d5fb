//! A server in a client's own file counts as present for that client (decision 56), and for no other.

use std::fs;

use api::ClientChange;
use engine::{Engine, actions};
use mcp::{Caller, Host as _};

use crate::{
    home::{REMOVE, change_client, comes, enable, until},
    servers::{approve, cursor, home, running, skill},
};

const SECRET: &str = "    env: {KEY: \"${KEY}\"}\n    parameters:\n      KEY: {description: Opens it, sensitive: true, required: true}\n";

fn goose() -> Caller {
    Caller::of("goose")
}

fn tools(engine: &Engine, caller: &Caller) -> usize {
    let offered = engine.offered(caller);
    assert_eq!(offered.tools.len(), offered.listed.len());
    offered.tools.len()
}

fn sees(engine: &Engine, caller: &Caller) -> bool {
    engine.seen(caller).get("tea").is_some()
}

fn remark(engine: &Engine, caller: &Caller) -> Option<String> {
    let entry = engine.seen(&goose()).get("tea").or(engine.seen(caller).get("tea")).cloned();
    engine.remark(caller, &entry.expect("nobody sees it"))
}

async fn others(engine: &Engine, count: u32) {
    until(engine, |snapshot| snapshot.clients.iter().any(|client| client.id == "cursor" && client.others == count))
        .await;
}

#[tokio::test]
async fn a_skill_whose_server_a_client_has_without_us_is_ready_for_that_client() {
    let home = home();
    skill(&home, "tea", "good", SECRET);
    let file = home.machine.home.join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let engine = home.start_with_library().await;
    enable(&engine, "f1/tea").await;
    until(&engine, |snapshot| snapshot.servers.len() == 1).await;
    assert!(remark(&engine, &cursor()).is_some_and(|remark| remark.contains("KEY")));
    actions::set_withhold(&engine, true).await.unwrap();
    assert!(!sees(&engine, &cursor()) && !sees(&engine, &goose()));
    actions::set_withhold(&engine, false).await.unwrap();

    fs::write(&file, r#"{"mcpServers": {"teapot": {"command": "x"}}}"#).unwrap();
    others(&engine, 1).await;
    assert_eq!(remark(&engine, &cursor()), None);
    assert!(remark(&engine, &goose()).is_some(), "it is that client's alone");
    actions::set_withhold(&engine, true).await.unwrap();
    assert!(sees(&engine, &cursor()) && !sees(&engine, &goose()));

    fs::write(&file, r#"{"mcpServers": {"teapot": {"command": "x", "disabled": true}}}"#).unwrap();
    // A disabled server is not present.
    comes(async || !sees(&engine, &cursor())).await;
    engine.stop().await;
}

#[tokio::test]
async fn the_tools_of_a_server_that_a_client_has_without_us_stand_there_once() {
    let home = home();
    skill(&home, "tea", "good", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    assert_eq!((tools(&engine, &cursor()), tools(&engine, &goose())), (2, 2));

    let direct = ClientChange::Direct { servers: Some(vec!["teapot".to_owned()]), project: None };
    change_client(&engine, "cursor", direct).await;
    assert_eq!((tools(&engine, &cursor()), tools(&engine, &goose())), (0, 2));
    change_client(&engine, "cursor", REMOVE).await;
    assert_eq!(tools(&engine, &cursor()), 2);
    engine.stop().await;
}
