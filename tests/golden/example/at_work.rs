//! Servers at work: approved, called, stopped, changed, pinned, each as a real process (`server.sh`). The one elsewhere,
//! sentry, is not asked for anything: a recording makes no connection.

use std::fs;

use api::{ActionError, ServerState};
use engine::actions;
use mcp::{CallContext, Caller, Host as _, UpstreamRequest};
use serde_json::json;

use super::{home::Home, recording::Recording};

const PLANS: &str = "team/skills/query-plans/SKILL.md";

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    recording.keep("").await;
    changed_command(recording, home).await;
    changed_tools(recording, home).await;
    for server in ["figma", "filesystem"] {
        approve(recording, server).await.unwrap();
        runs(recording, server).await;
    }
    call(recording).await;
    actions::stop_server(&recording.engine, "filesystem").await.unwrap();
    is(recording, "filesystem", |state| *state == ServerState::Resting).await;
    approve(recording, "notion").await.unwrap();
    is(recording, "notion", |state| matches!(state, ServerState::Down { .. })).await;
    recording.until_page("notion", |page| page.log.len() == 1).await;
    approve(recording, "linear-2").await.unwrap();
    is(recording, "linear-2", |state| matches!(state, ServerState::Starting { .. })).await;
    recording.keep("work").await;
    asked(recording).await;
}

/// What a person can ask of them.
async fn asked(recording: &mut Recording) {
    restart(recording, "figma").await;
    stop(recording, "figma").await;
    restart(recording, "figma").await;
    revoke(recording, "figma").await;
    restart(recording, "filesystem").await;
    stop(recording, "filesystem").await;
    revoke(recording, "filesystem").await;
    stop(recording, "linear-2").await;
    restarted(recording, "linear-2", |state| matches!(state, ServerState::Starting { .. })).await;
    revoke(recording, "linear-2").await;
    restarted(recording, "notion", |state| matches!(state, ServerState::Down { .. })).await;
    revoke(recording, "notion").await;
    let engine = recording.engine.clone();
    for server in ["postgres", "linear", "filesystem", "figma"] {
        let plan = actions::plan_server(&engine, server).await.unwrap();
        let done = approve(recording, server).await;
        runs(recording, server).await;
        let arguments = json!([server, plan.digest, plan.redirects]);
        recording.change(&format!("server {server}"), "approveServer", arguments, &done).await;
        revoke(recording, server).await;
    }
    let page = actions::read_server(&engine, "grafana").await.unwrap();
    let digest = page.changed.unwrap().digest;
    recording.refusal("approveTools", &json!([]), actions::approve_tools(&engine, "grafana", "another digest").await);
    let agreed = actions::approve_tools(&engine, "grafana", &digest).await;
    recording.until(|snapshot| shows(snapshot, "grafana", |row| row.tools == Some(3))).await;
    runs(recording, "grafana").await;
    recording.change("server grafana", "approveTools", json!(["grafana", digest]), &agreed).await;
    stop(recording, "grafana").await;
    revoke(recording, "grafana").await;
    pin(recording).await;
}

/// A package without a version gets the one that its registry names.
async fn pin(recording: &mut Recording) {
    let engine = recording.engine.clone();
    let offer = actions::offer_version(&engine, "linear").await;
    recording.answer("server linear", "offerVersion", json!(["linear"]), &offer);
    let version = offer.unwrap().version;
    let pinned = actions::pin_server(&engine, "linear", &version).await;
    recording.change("server linear", "pinServer", json!(["linear", version]), &pinned).await;
}

/// Postgres was approved with another command.
async fn changed_command(recording: &mut Recording, home: &Home) {
    let file = home.path(PLANS);
    let text = fs::read_to_string(&file).unwrap();
    let before = text.replace("@0.6.2", "@latest").replace("--schema=public\", \"--allow-write", "--schema=all");
    fs::write(&file, before.replace("      HTTPS_PROXY: http://proxy.example:3128\n", "")).unwrap();
    actions::read_again(&recording.engine).await.unwrap();
    recording
        .until(|snapshot| shows(snapshot, "postgres", |row| row.command.iter().any(|word| word == "--schema=all")))
        .await;
    approve(recording, "postgres").await.unwrap();
    runs(recording, "postgres").await;
    fs::write(&file, text).unwrap();
    actions::read_again(&recording.engine).await.unwrap();
    is(recording, "postgres", |state| *state == ServerState::NeedsConsent { changed: true }).await;
}

/// Grafana has other tools when it starts again.
async fn changed_tools(recording: &mut Recording, home: &Home) {
    approve(recording, "grafana").await.unwrap();
    runs(recording, "grafana").await;
    let tools = home.path(".local/bin/servers/mcp-grafana/tools");
    fs::rename(tools.join("later.json"), tools.join("list.json")).unwrap();
    actions::restart_server(&recording.engine, "grafana").await.unwrap();
    is(recording, "grafana", |state| *state == ServerState::ToolsChanged).await;
    recording.until_page("grafana", |page| page.log.len() == 1).await;
}

/// A client calls a tool.
async fn call(recording: &Recording) {
    let request = UpstreamRequest::Tool { name: "figma__get_metadata", arguments: None };
    let caller = Caller::of("claude-code");
    assert!(recording.engine.ask(&caller, request, CallContext::default()).await.is_ok());
    recording.until(|snapshot| shows(snapshot, "figma", |row| row.calls == 1)).await;
    recording.until_page("figma", |page| page.log.len() == 3).await;
}

async fn approve(recording: &Recording, server: &str) -> Result<(), ActionError> {
    let plan = actions::plan_server(&recording.engine, server).await.unwrap();
    actions::approve_server(&recording.engine, server, &plan.digest, &plan.redirects).await
}

async fn restart(recording: &mut Recording, server: &str) {
    // The run that ends is not taken for the one that begins.
    actions::stop_server(&recording.engine, server).await.unwrap();
    is(recording, server, |state| *state == ServerState::Resting).await;
    let done = actions::restart_server(&recording.engine, server).await;
    runs(recording, server).await;
    recording.change(&format!("server {server}"), "restartServer", json!([server]), &done).await;
}

/// Starts one that gets no further than this.
async fn restarted(recording: &mut Recording, server: &str, holds: impl Fn(&ServerState) -> bool) {
    let done = actions::restart_server(&recording.engine, server).await;
    is(recording, server, holds).await;
    recording.until_page(server, |page| server != "notion" || page.log.len() == 1).await;
    recording.change(&format!("server {server}"), "restartServer", json!([server]), &done).await;
}

async fn stop(recording: &mut Recording, server: &str) {
    let done = actions::stop_server(&recording.engine, server).await;
    is(recording, server, |state| *state == ServerState::Resting).await;
    recording.change(&format!("server {server}"), "stopServer", json!([server]), &done).await;
}

async fn revoke(recording: &mut Recording, server: &str) {
    let done = actions::revoke_server(&recording.engine, server).await;
    is(recording, server, |state| matches!(state, ServerState::NeedsConsent { .. })).await;
    recording.change(&format!("server {server}"), "revokeServer", json!([server]), &done).await;
}

/// Waits until it runs, has said what it offers, and has written what it writes first.
async fn runs(recording: &Recording, server: &str) {
    is(recording, server, |state| matches!(state, ServerState::Running { .. })).await;
    recording.until(|snapshot| shows(snapshot, server, |row| row.tools.is_some())).await;
    let (lines, prompts) = if server == "figma" { (2, 1) } else { (1, 0) };
    recording.until_page(server, |page| page.log.len() == lines && page.prompts.len() == prompts).await;
}

async fn is(recording: &Recording, server: &str, holds: impl Fn(&ServerState) -> bool) {
    recording.until(|snapshot| shows(snapshot, server, |row| holds(&row.state))).await;
}

fn shows(snapshot: &api::Snapshot, server: &str, holds: impl Fn(&api::ServerRow) -> bool) -> bool {
    snapshot.servers.iter().any(|row| row.name == server && holds(row))
}
