//! Where skills come from: looking at a source, adding from it, updates as reviews, and versions.

use api::{Answers, ManagedSkill, SkillVersion, SourcePlan, UpdatePlan};
use engine::{Engine, actions};
use tauri::{State, command};

use super::done::Done;

/// Fetches what a person wrote as a source, and shows what it holds.
#[command]
pub(super) async fn look_at_source(engine: State<'_, Engine>, written: &str) -> Done<SourcePlan> {
    actions::look_at_source(&engine, written, None).await
}

/// Adds the skills at these paths of the plan, or all, to a folder; returns their keys.
#[command]
pub(super) async fn add_source(
    engine: State<'_, Engine>,
    written: &str,
    commit: &str,
    plan_id: &str,
    folder: &str,
    only: Option<Vec<String>>,
) -> Done<Vec<String>> {
    actions::add_source(&engine, written, commit, plan_id, folder, only).await
}

/// Ends what is being fetched.
#[command]
pub(super) async fn cancel_fetching(engine: State<'_, Engine>) -> Done {
    actions::cancel_fetching(&engine);
    Ok(())
}

/// Asks the sources of all skills, or of these, whether they have other versions; the snapshot has the answers.
#[command]
pub(super) async fn ask_sources(engine: State<'_, Engine>, keys: Option<Vec<String>>) -> Done {
    actions::ask_sources(&engine, keys.as_deref()).await
}

/// What updating a skill would change.
#[command]
pub(super) async fn plan_update(engine: State<'_, Engine>, key: &str) -> Done<UpdatePlan> {
    actions::plan_update(&engine, key).await
}

/// Updates a skill as the plan showed, with an answer for each conflict.
#[command]
pub(super) async fn update_skill(
    engine: State<'_, Engine>,
    key: &str,
    commit: &str,
    plan_id: &str,
    answers: Answers,
) -> Done {
    actions::update_skill(&engine, key, commit, plan_id, answers).await
}

/// The present version of a skill and those before it, the latest first.
#[command]
pub(super) async fn skill_versions(engine: State<'_, Engine>, key: &str) -> Done<Vec<SkillVersion>> {
    actions::skill_versions(&engine, key).await
}

/// What going back to a version, by its number, would change.
#[command]
pub(super) async fn plan_back(engine: State<'_, Engine>, key: &str, number: u32) -> Done<UpdatePlan> {
    actions::plan_back(&engine, key, number).await
}

/// Goes back to a version as the plan showed.
#[command]
pub(super) async fn go_back_to(engine: State<'_, Engine>, key: &str, number: u32, plan_id: &str) -> Done {
    actions::go_back_to(&engine, key, number, plan_id).await
}

/// The skills, or those of these, that another program installed and Skilltender does not follow.
#[command]
pub(super) async fn managed_skills(engine: State<'_, Engine>, keys: Option<Vec<String>>) -> Done<Vec<ManagedSkill>> {
    actions::managed_skills(&engine, keys.as_deref()).await
}

/// Follows the source that another program recorded for a skill.
#[command]
pub(super) async fn adopt_skill(engine: State<'_, Engine>, key: &str) -> Done {
    actions::adopt_skill(&engine, key).await
}

/// Forgets where skills came from, with their versions.
#[command]
pub(super) async fn forget_origins(engine: State<'_, Engine>, keys: Vec<String>) -> Done {
    actions::forget_origins(&engine, &keys).await
}
