//! Servers that are stopped, whatever they are doing: one run after the other, and the state is that of the
//! last.

use std::fs;

use api::ServerState;
use engine::{Engine, actions};

use crate::{
    home::{Home, comes, until},
    servers::{approve, call, home, running, skill, state},
};

/// The number of the server's processes: each has the home's own file among its arguments.
fn processes(home: &Home) -> usize {
    let mark = home.path("description").display().to_string();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let words = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    words.filter(|words| String::from_utf8_lossy(words).contains(&mark)).count()
}

async fn stop(engine: &Engine) {
    actions::stop_server(engine, "teapot").await.unwrap();
}

/// Waits until the server wrote this.
async fn wrote(engine: &Engine, words: &str) {
    comes(async || {
        let log = actions::read_server(engine, "teapot").await.unwrap().log;
        log.iter().any(|line| line.text == words)
    })
    .await;
}

#[tokio::test]
async fn a_call_during_a_stop_waits_for_the_end_and_is_answered_by_the_one_run_that_is_there() {
    let home = home();
    skill(&home, "tea", "slow", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    let first = running(&engine).await;
    let stopping = tokio::spawn({
        let engine = engine.clone();
        async move { stop(&engine).await }
    });
    // Before the stop has begun, the old run would get the call.
    wrote(&engine, "hears nothing more").await;
    let answered = async {
        assert_eq!(call(&engine, "teapot__echo", "1").await.unwrap(), "1");
        stopping.await.unwrap();
    };
    tokio::select! {
        () = answered => {}
        () = comes(async || processes(&home) > 1) => panic!("two processes of one server at a time"),
    }
    assert_ne!(running(&engine).await, first);
    assert_eq!(processes(&home), 1);
    stop(&engine).await;
    assert_eq!((state(&engine), processes(&home)), (ServerState::Resting, 0));
    engine.stop().await;
}

#[tokio::test]
async fn a_stop_while_a_server_starts_leaves_nothing_of_it() {
    for mode in ["silent", "mute"] {
        let home = home();
        skill(&home, "tea", mode, "");
        let engine = home.start_with_library().await;
        approve(&engine).await;
        comes(async || processes(&home) > 0).await;
        until(&engine, |snapshot| matches!(snapshot.servers[0].state, ServerState::Starting { .. })).await;
        stop(&engine).await;
        assert_eq!((state(&engine), processes(&home)), (ServerState::Resting, 0), "{mode}");
        engine.stop().await;
    }
}

#[tokio::test]
async fn a_call_under_way_hears_at_once_that_its_server_is_stopped() {
    let home = home();
    skill(&home, "tea", "slow", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    running(&engine).await;
    let calling = tokio::spawn({
        let engine = engine.clone();
        async move { call(&engine, "teapot__environment", "{}").await }
    });
    wrote(&engine, "says nothing to environment").await;
    actions::revoke_server(&engine, "teapot").await.unwrap();
    assert_eq!(calling.await.unwrap().unwrap_err(), "The server teapot was stopped. Try again.");
    assert_eq!(processes(&home), 0);
    let refused = call(&engine, "teapot__echo", "1").await.unwrap_err();
    assert!(refused.contains("has not approved"), "{refused}");
    engine.stop().await;
}

#[tokio::test]
async fn two_stops_and_a_restart_at_once_leave_one_process_that_is_shown() {
    let home = home();
    skill(&home, "tea", "slow", "");
    let engine = home.start_with_library().await;
    approve(&engine).await;
    let first = running(&engine).await;
    let (_, _, restarted) = tokio::join!(stop(&engine), stop(&engine), actions::restart_server(&engine, "teapot"));
    restarted.unwrap();
    assert_ne!(running(&engine).await, first);
    assert_eq!(processes(&home), 1);
    engine.stop().await;
    assert_eq!(processes(&home), 0);
    let refused = call(&engine, "teapot__echo", "1").await.unwrap_err();
    assert!(refused.contains("Skilltender is quitting"), "{refused}");
}
