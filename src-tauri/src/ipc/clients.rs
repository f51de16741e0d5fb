//! Clients: Skilltender's entry in their files, the skills in the folders that they read, their sets and their calls.

use api::{
    Call, ClientChange, ClientFolder, ClientFolderPlan, ClientSees, ConfiguredServer, ConnectPlan, CustomClient, Drift,
    DriftChoice, EntryText, OwnWrite, PlaceWay, Transport, UsageReport,
};
use engine::{Engine, actions};
use tauri::{State, command};

use super::done::Done;
use crate::{
    chosen::{Chosen, Kind},
    desktop, meant,
};

/// A change's project is a chosen folder, or one that the client is connected for.
#[command]
pub(super) async fn plan_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    change: ClientChange,
) -> Done<ConnectPlan> {
    let change = meant::change(&engine, &chosen, client, change)?;
    actions::plan_client(&engine, client, change).await
}

/// Writes what the plan showed; fails with `changed` when that is out of date.
#[command]
pub(super) async fn change_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    change: ClientChange,
    plan_id: &str,
) -> Done {
    let change = meant::change(&engine, &chosen, client, change)?;
    actions::change_client(&engine, client, change, plan_id).await
}

/// The entry as Skilltender wrote it, as it is now, and as it was, when its status is `edited` or `dropped`.
#[command]
pub(super) async fn read_drift(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    project: Option<String>,
) -> Done<Drift> {
    let project = meant::project(&engine, &chosen, client, project)?;
    actions::read_drift(&engine, client, project).await
}

#[command]
pub(super) async fn settle_drift(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    project: Option<String>,
    drift_id: &str,
    choice: DriftChoice,
) -> Done {
    let project = meant::project(&engine, &chosen, client, project)?;
    actions::settle_drift(&engine, client, project, drift_id, choice).await
}

/// Skilltender's entry, for adding by hand; without a transport, in the client's usual way.
#[command]
pub(super) async fn entry_text(
    engine: State<'_, Engine>,
    client: &str,
    transport: Option<Transport>,
) -> Done<EntryText> {
    actions::entry_text(&engine, client, transport).await
}

/// The servers in all clients' files that Skilltender did not add.
#[command]
pub(super) async fn configured_servers(engine: State<'_, Engine>) -> Done<Vec<ConfiguredServer>> {
    actions::configured_servers(&engine).await
}

/// `source`: its chosen file. Returns the new client's id.
#[command]
pub(super) async fn add_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    name: String,
    source: &str,
    like: String,
) -> Done<String> {
    let path = chosen.path(source, &[Kind::File])?;
    actions::add_client(&engine, CustomClient { name, path, like }).await
}

#[command]
pub(super) async fn remove_client(engine: State<'_, Engine>, client: &str) -> Done {
    actions::remove_client(&engine, client).await
}

#[command]
pub(super) async fn show_config(engine: State<'_, Engine>, client: &str) -> Done {
    desktop::show_config(&engine.snapshot(), client)
}

/// What the client sees of the enabled skills, and their cost for its model; with a set, in the folders of that set.
#[command]
pub(super) async fn client_sees(engine: State<'_, Engine>, client: &str, set: Option<String>) -> Done<ClientSees> {
    let from = set.map_or(actions::SeenFrom::Anywhere, actions::SeenFrom::Set);
    actions::client_sees(&engine, client, from).await
}

/// Invalidates the client's token. The new one is not returned: the next change writes it to the client's file.
#[command]
pub(super) async fn replace_token(engine: State<'_, Engine>, client: &str) -> Done {
    actions::replace_token(&engine, client).await.map(drop)
}

/// Every folder that a client reads directly, and the skills that Skilltender placed there.
#[command]
pub(super) async fn client_folders(engine: State<'_, Engine>) -> Done<Vec<ClientFolder>> {
    actions::client_folders(&engine).await
}

/// The plan for placing enabled skills in a folder; without a way, for removing Skilltender's.
#[command]
pub(super) async fn plan_client_folder(
    engine: State<'_, Engine>,
    target: &str,
    way: Option<PlaceWay>,
) -> Done<ClientFolderPlan> {
    actions::plan_client_folder(&engine, target, way).await
}

#[command]
pub(super) async fn link_skills(engine: State<'_, Engine>, target: &str, way: PlaceWay, plan_id: &str) -> Done {
    actions::link_skills(&engine, target, way, plan_id).await.map(drop)
}

#[command]
pub(super) async fn unlink_skills(engine: State<'_, Engine>, target: &str, plan_id: &str) -> Done {
    actions::unlink_skills(&engine, target, plan_id).await
}

/// Replaces an edited copy, or leaves it to the person.
#[command]
pub(super) async fn settle_copy(engine: State<'_, Engine>, target: &str, skill: &str, replace: bool) -> Done {
    actions::settle_copy(&engine, target, skill, replace).await
}

#[command]
pub(super) async fn make_set(engine: State<'_, Engine>, name: &str, keys: Vec<String>) -> Done<String> {
    actions::make_set(&engine, name, &keys).await
}

#[command]
pub(super) async fn change_set(engine: State<'_, Engine>, id: &str, name: &str, keys: Vec<String>) -> Done {
    actions::change_set(&engine, id, name, &keys).await
}

/// Binds the set to exactly these folders, written as patterns.
#[command]
pub(super) async fn set_folders(engine: State<'_, Engine>, id: &str, patterns: Vec<String>) -> Done {
    actions::set_folders(&engine, id, &patterns).await
}

#[command]
pub(super) async fn delete_set(engine: State<'_, Engine>, id: &str) -> Done {
    actions::delete_set(&engine, id).await
}

#[command]
pub(super) async fn give_set(engine: State<'_, Engine>, client: &str, set: Option<String>) -> Done {
    actions::give_set(&engine, client, set).await
}

/// The latest calls of clients, newest first.
#[command]
pub(super) async fn read_calls(engine: State<'_, Engine>, most: usize) -> Done<Vec<Call>> {
    actions::read_calls(&engine, most).await
}

/// What Skilltender itself wrote lately, besides clients' files, newest first.
#[command]
pub(super) async fn own_writes(engine: State<'_, Engine>) -> Done<Vec<OwnWrite>> {
    actions::own_writes(&engine).await
}

/// Undoes something that Skilltender wrote.
#[command]
pub(super) async fn undo_write(engine: State<'_, Engine>, moment: u64) -> Done {
    actions::undo_write(&engine, moment).await
}

/// What skills and servers were used in the last days, today included.
#[command]
pub(super) async fn read_usage(engine: State<'_, Engine>, days: u16) -> Done<UsageReport> {
    actions::usage(&engine, days.into()).await
}

/// Writes the counts of these days to a file, in lines with commas.
#[command]
pub(super) async fn save_usage(engine: State<'_, Engine>, chosen: State<'_, Chosen>, days: u16, save_to: &str) -> Done {
    actions::save_usage(&engine, days.into(), &chosen.take_save(save_to)?).await
}

/// Forgets everything that was counted.
#[command]
pub(super) async fn wipe_usage(engine: State<'_, Engine>) -> Done {
    actions::wipe_usage(&engine).await
}
