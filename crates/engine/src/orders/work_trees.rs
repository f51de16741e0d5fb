//! Orders about library folders in git work trees. Looking is an order too: a pull is fetched before it is shown, which the
//! running engine lists in *Activity*.

use api::ActionError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Engine, actions};

/// One request about the work tree that a library folder lies in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum WorkTreeOrder {
    /// Answers with a [`WorkTreeStatus`](api::WorkTreeStatus).
    Status,
    /// Fetches, and answers with a [`PullPlan`](api::PullPlan).
    PlanPull,
    /// Pulls; answers with the commit.
    Pull {
        /// What the person was shown.
        plan: String,
    },
    /// Sets whether the switches and sets go along; answers with nothing.
    Share {
        /// On or off.
        on: bool,
    },
    /// Answers with a [`CommitPlan`](api::CommitPlan).
    PlanCommit,
    /// Commits and pushes; answers with [`Pushed`](api::Pushed).
    Commit {
        /// What the person was shown.
        plan: String,
        /// The commit's message.
        message: String,
    },
}

pub(super) async fn carry_out(engine: &Engine, folder: &str, order: WorkTreeOrder) -> Result<Value, ActionError> {
    Ok(match order {
        WorkTreeOrder::Status => json!(actions::work_tree_status(engine, folder).await?),
        WorkTreeOrder::PlanPull => json!(actions::plan_pull(engine, folder).await?),
        WorkTreeOrder::Pull { plan } => actions::pull(engine, folder, &plan).await?.into(),
        WorkTreeOrder::Share { on } => json!(actions::share_switches(engine, folder, on).await?),
        WorkTreeOrder::PlanCommit => json!(actions::plan_commit(engine, folder).await?),
        WorkTreeOrder::Commit { plan, message } => {
            json!(actions::commit_and_push(engine, folder, &plan, &message).await?)
        }
    })
}
