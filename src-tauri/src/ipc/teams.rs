//! Joining a team. The main window looks at its file, connects clients and follows; the yes, and the values that go with it,
//! are given in the window that asks.

use std::collections::BTreeMap;

use api::{ClientCall, TeamLeft, TeamPage, TeamQuestion, TeamYes};
use engine::{Engine, actions};
use tauri::{AppHandle, State, command};

use super::done::Done;
use crate::{consent, teams::Teams};

/// Finds the file of a team in what a person wrote, fetches what it names, and shows all that would come and run.
#[command]
pub(super) async fn look_at_team(engine: State<'_, Engine>, teams: State<'_, Teams>, written: &str) -> Done<TeamPage> {
    let page = actions::find_team(&engine, written).await?;
    teams.keep(page.clone());
    Ok(page)
}

/// Opens the window that asks on the page of a team, or brings it to the front. With a folder, skills come into that.
#[command]
pub(super) async fn ask_team(app: AppHandle, teams: State<'_, Teams>, plan_id: &str, folder: Option<String>) -> Done {
    let name = teams.choose(plan_id, folder)?;
    consent::ask_team(&app, plan_id, name)
}

/// The page of a team that is asked about, and what is left of it once somebody said yes.
#[command]
pub(super) async fn team_asked(
    engine: State<'_, Engine>,
    teams: State<'_, Teams>,
    plan_id: &str,
) -> Done<TeamQuestion> {
    teams.question(plan_id, engine.snapshot().keychain.clone())
}

/// Does everything on the page that needs no answer, and lets its servers run with these plain values.
#[command]
pub(super) async fn join_team(
    engine: State<'_, Engine>,
    teams: State<'_, Teams>,
    plan_id: &str,
    values: BTreeMap<String, BTreeMap<String, String>>,
) -> Done<TeamLeft> {
    let (text, folder, joining) = teams.begin(plan_id, &values)?;
    let yes = TeamYes { servers: true, values: Some(values) };
    let left = actions::join_team(&engine, &text, plan_id, &folder, &yes).await?;
    teams.joined(plan_id, &left);
    drop(joining);
    Ok(left)
}

/// What is left of a team, once no join is under way; nothing where nobody said yes.
#[command]
pub(super) async fn team_left(teams: State<'_, Teams>, plan_id: &str) -> Done<Option<TeamLeft>> {
    Ok(teams.left(plan_id).await)
}

/// Calls Skilltender as a client's entry does.
#[command]
pub(super) async fn call_client(engine: State<'_, Engine>, client: &str) -> Done<ClientCall> {
    actions::call_client(&engine, client).await
}
