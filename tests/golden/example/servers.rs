//! What is asked of the values that servers need, and of how they are started.

use api::{ActionError, WayKind};
use engine::actions;
use serde_json::json;

use super::recording::Recording;

const SKILL: &str = "claude/release-notes";

pub(super) async fn record(recording: &mut Recording) {
    let engine = recording.engine.clone();
    for (server, name) in [("github", "GITHUB_TOKEN"), ("linear", "LINEAR_API_KEY")] {
        store(recording, SKILL, server, name).await;
        let gone = actions::delete_secret(&engine, SKILL, server, name).await;
        change(recording, SKILL, "deleteSecret", json!([SKILL, server, name]), gone).await;
    }
    store(recording, SKILL, "linear", "LINEAR_API_KEY").await;
    for value in [Some("issues".to_owned()), None] {
        let set = actions::set_value(&engine, SKILL, "github", "GITHUB_TOOLSETS", value.clone()).await;
        change(recording, SKILL, "setValue", json!([SKILL, "github", "GITHUB_TOOLSETS", value]), set).await;
    }
    let skill = "team/query-plans";
    for way in [Some(WayKind::Docker), None] {
        let picked = actions::pick_way(&engine, skill, "postgres", way).await;
        change(recording, skill, "pickWay", json!([skill, "postgres", way]), picked).await;
    }
    let skill = "team/sprint-plan";
    for with in [Some(SKILL.to_owned()), None] {
        let linked = actions::link_server(&engine, skill, "linear", with.clone()).await;
        change(recording, skill, "linkServer", json!([skill, "linear", with]), linked).await;
    }
    recording.refusal(
        "approveServer",
        &json!(["linear"]),
        actions::approve_server(&engine, "linear", "another digest", &[]).await,
    );
    let Ok(redirected) = actions::plan_server(&engine, "postgres").await else { panic!("postgres may be approved") };
    let unheard = actions::approve_server(&engine, "postgres", &redirected.digest, &[]).await;
    recording.answer("", "approveServer", json!(["postgres", redirected.digest, []]), &unheard);
    recording.refusal("planServer", &json!(["gone"]), actions::plan_server(&engine, "gone").await);
}

/// Keeps a secret; its value is in no recording.
async fn store(recording: &mut Recording, skill: &str, server: &str, name: &str) {
    let stored = actions::set_secret(&recording.engine, skill, server, name, "not-a-secret".to_owned()).await;
    change(recording, skill, "setSecret", json!([skill, server, name]), stored).await;
}

async fn change(
    recording: &mut Recording,
    skill: &str,
    command: &str,
    arguments: serde_json::Value,
    answer: Result<(), ActionError>,
) {
    recording.change(&format!("skill {skill}"), command, arguments, &answer).await;
}
