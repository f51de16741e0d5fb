//! What servers offer to clients.

use api::{ServerState, ToolMode};
use engine::{Engine, actions};
use mcp::Host as _;

use super::{approve, call, cursor, home, offered, running, server, skill};
use crate::home::{comes, row, until};

#[tokio::test]
async fn clients_get_the_tools_of_the_skills_that_they_see_in_the_way_they_want() {
    let home = home();
    skill(&home, "tea", "good", "");
    home.skill("milk", "Warms milk. Use when somebody is cold.");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    actions::switch_tool(&engine, Some("cursor".to_owned()), "teapot", Some("environment".to_owned()), false)
        .await
        .unwrap();
    assert_eq!(offered(&engine), ["teapot__echo"]);
    assert!(call(&engine, "teapot__environment", "{}").await.is_err(), "off is off, listed or not");
    let nobody = actions::set_tool_mode(&engine, "nobody", ToolMode::OnDemand).await.unwrap_err();
    assert_eq!(nobody.message, "Skilltender knows no client \"nobody\".");
    actions::set_tool_mode(&engine, "cursor", ToolMode::OnDemand).await.unwrap();
    assert_eq!(offered(&engine), [""; 0]);
    assert_eq!(call(&engine, "teapot__echo", "1").await.unwrap(), "1");
    let catalog = engine.catalog(&cursor()).await;
    engine.opened(&cursor(), catalog.get("tea").unwrap());
    comes(async || !offered(&engine).is_empty()).await;

    let milk = row(&engine.snapshot(), "milk").key.clone();
    let set = actions::make_set(&engine, "warm", &[milk]).await.unwrap();
    actions::give_set(&engine, "cursor", Some(set)).await.unwrap();
    assert_eq!(offered(&engine), [""; 0]);
    assert!(call(&engine, "teapot__echo", "1").await.is_err(), "who does not see the skill does not get its server");
    engine.stop().await;
}

#[tokio::test]
async fn a_skill_that_is_not_ready_can_be_kept_from_clients_until_it_is() {
    let home = home();
    skill(&home, "tea", "good", "");
    home.skill("milk", "Warms milk. Use when somebody is cold.");
    let engine = home.start_with_library().await;
    let sees =
        |engine: &Engine| engine.seen(&cursor()).served().map(|entry| entry.skill.id.clone()).collect::<Vec<_>>();
    assert_eq!(sees(&engine), ["milk", "tea"]);
    actions::set_withhold(&engine, true).await.unwrap();
    assert_eq!(sees(&engine), ["milk"]);
    assert_eq!(engine.snapshot().skills.len(), 2, "a person sees it all the same");
    approve(&engine).await;
    until(&engine, |snapshot| matches!(server(snapshot).state, ServerState::Running { .. })).await;
    assert_eq!(sees(&engine), ["milk", "tea"]);
    assert_eq!(offered(&engine), ["teapot__echo", "teapot__environment"]);
    engine.stop().await;
}
