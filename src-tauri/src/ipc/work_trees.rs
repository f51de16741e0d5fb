//! Library folders in git work trees of the person's own: status, a pull as a review, a commit of the skills with its
//! push, and whether switches and sets go along.

use api::{CommitPlan, PullPlan, Pushed, WorkTreeStatus};
use engine::{Engine, actions};
use tauri::{State, command};

use super::done::Done;

/// The status of the work tree that a folder lies in, as of its last fetch.
#[command]
pub(super) async fn work_tree_status(engine: State<'_, Engine>, folder: &str) -> Done<WorkTreeStatus> {
    actions::work_tree_status(&engine, folder).await
}

/// Fetches the upstream of a folder's work tree, and shows what a pull would bring.
#[command]
pub(super) async fn plan_pull(engine: State<'_, Engine>, folder: &str) -> Done<PullPlan> {
    actions::plan_pull(&engine, folder).await
}

/// Pulls as the plan showed; returns the commit.
#[command]
pub(super) async fn pull(engine: State<'_, Engine>, folder: &str, plan_id: &str) -> Done<String> {
    actions::pull(&engine, folder, plan_id).await
}

/// Sets whether the switches and sets of a folder go along with its work tree. Nothing is written into it yet.
#[command]
pub(super) async fn share_switches(engine: State<'_, Engine>, folder: &str, on: bool) -> Done {
    actions::share_switches(&engine, folder, on).await
}

/// What a commit of the skills of a folder would hold, and what its push would bring along.
#[command]
pub(super) async fn plan_commit(engine: State<'_, Engine>, folder: &str) -> Done<CommitPlan> {
    actions::plan_commit(&engine, folder).await
}

/// Commits as the plan showed, with this message, and pushes it.
#[command]
pub(super) async fn commit_and_push(
    engine: State<'_, Engine>,
    folder: &str,
    plan_id: &str,
    message: &str,
) -> Done<Pushed> {
    actions::commit_and_push(&engine, folder, plan_id, message).await
}
