//! Servers that end, flood or stay silent.

use std::{
    fs,
    time::{Duration, Instant},
};

use api::{Readiness, ServerState};
use engine::actions;
use mcp::Host as _;

use super::{approve, call, cursor, home, is_alive, offered, running, server, skill};
use crate::home::{row, until};

#[tokio::test]
async fn a_server_that_does_not_start_says_why_and_its_log_stays() {
    let home = home();
    skill(&home, "tea", "good", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    // The launch spec that is approved now ends at once.
    skill(&home, "tea", "crash", "");
    until(&engine, |snapshot| server(snapshot).state == ServerState::NeedsConsent { changed: true }).await;
    approve(&engine).await;
    let down = until(&engine, |snapshot| matches!(server(snapshot).state, ServerState::Down { .. })).await;
    let ServerState::Down { message } = &server(&down).state else { unreachable!() };
    assert!(message.contains("ended before it answered") && message.contains("cannot find the teapot"), "{message}");
    assert!(matches!(row(&down, "tea").readiness, Readiness::ServerDown { .. }));
    actions::stop_server(&engine, "teapot").await.unwrap();
    let log = actions::read_server(&engine, "teapot").await.unwrap().log;
    assert!(log.iter().any(|line| line.text == "cannot find the teapot"), "{log:?}");
    engine.stop().await;
}

#[tokio::test]
async fn what_a_server_wrote_before_it_answered_is_counted() {
    let home = home();
    skill(&home, "tea", "good", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    until(&engine, |snapshot| server(snapshot).lines == 1).await;
    let log = actions::read_server(&engine, "teapot").await.unwrap().log;
    assert_eq!(log.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["listening on stdio"]);
    engine.stop().await;
}

/// The memory that this process holds, in MiB, and the most that it ever held.
fn held() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    (of("VmRSS:"), of("VmHWM:"))
}

/// Alone in its process, because it measures how much memory that holds.
#[tokio::test]
#[ignore = "cargo xtask test runs it by itself"]
async fn servers_that_flood_stay_silent_or_will_not_end_harm_nobody() {
    let home = home();
    skill(&home, "tea", "flood", "");
    let engine = home.start_with_library().await;
    let (before, _) = held();
    approve(&engine).await;
    let down = until(&engine, |snapshot| matches!(server(snapshot).state, ServerState::Down { .. })).await;
    let ServerState::Down { message } = &server(&down).state else { unreachable!() };
    assert!(message.contains("more than 16 MiB without an end"), "{message}");
    let (_, most) = held();
    assert!(most < before + 64, "{before} MiB, then {most}");

    skill(&home, "tea", "silent", "");
    until(&engine, |snapshot| server(snapshot).state == ServerState::NeedsConsent { changed: true }).await;
    approve(&engine).await;
    until(&engine, |snapshot| matches!(server(snapshot).state, ServerState::Starting { .. })).await;
    assert_eq!(engine.snapshot().skills.len(), 1, "the engine goes on");
    actions::stop_server(&engine, "teapot").await.unwrap();

    skill(&home, "tea", "stubborn", "");
    until(&engine, |snapshot| server(snapshot).state == ServerState::NeedsConsent { changed: true }).await;
    approve(&engine).await;
    let process = running(&engine).await;
    let since = Instant::now();
    engine.stop().await;
    assert!(!is_alive(process));
    assert!(since.elapsed() < Duration::from_secs(15));
}

/// Its pauses take fifteen seconds.
#[tokio::test]
#[ignore = "cargo xtask test runs it by itself"]
async fn a_server_that_ends_five_times_in_two_minutes_waits_for_a_person() {
    let home = home();
    skill(&home, "tea", "good", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    actions::stop_server(&engine, "teapot").await.unwrap();
    let description = home.path("description");
    let before = fs::read_to_string(&description).unwrap();
    fs::write(&description, "crash").unwrap();
    for _ in 0..5 {
        let refused = call(&engine, "teapot__echo", "1").await.unwrap_err();
        assert!(refused.contains("ended before it answered"), "{refused}");
    }
    until(&engine, |snapshot| matches!(server(snapshot).state, ServerState::Stopped { .. })).await;
    assert_eq!(offered(&engine), [""; 0]);
    let refused = call(&engine, "teapot__echo", "1").await.unwrap_err();
    assert!(refused.contains("ended 5 times within 120 seconds"), "{refused}");
    assert!(refused.contains("`skilltender servers restart teapot`"), "{refused}");
    assert_eq!(
        engine.not_offered(&cursor(), "teapot__echo"),
        Some(refused),
        "what a client is told in place of a tool"
    );
    assert_eq!(engine.not_offered(&cursor(), "coffeepot__echo"), None);
    let checkup = actions::doctor(&engine).await.unwrap();
    let said = checkup.checks.iter().find(|check| check.id == "servers").unwrap();
    assert!(said.what.contains("teapot") && said.command.as_ref().unwrap().contains("teapot"), "{said:?}");
    assert!(matches!(row(&engine.snapshot(), "tea").readiness, Readiness::ServerDown { .. }));

    fs::write(&description, before).unwrap();
    actions::restart_server(&engine, "teapot").await.unwrap();
    running(&engine).await;
    assert_eq!(call(&engine, "teapot__echo", "1").await.unwrap(), "1");
    engine.stop().await;
}
