//! The servers that skills need: their values and secrets, consent, running, signing in, and their tools. Which window may
//! ask for which is in `capabilities`.

use api::{Consent, PinOffer, ServerPage, ToolMode, WayKind};
use engine::{Engine, actions};
use tauri::{AppHandle, State, command};

use super::done::Done;
use crate::consent;

/// Sends the value once; no command returns it.
#[command]
pub(super) async fn set_secret(engine: State<'_, Engine>, key: &str, server: &str, name: &str, value: String) -> Done {
    actions::set_secret(&engine, key, server, name, value).await
}

#[command]
pub(super) async fn delete_secret(engine: State<'_, Engine>, key: &str, server: &str, name: &str) -> Done {
    actions::delete_secret(&engine, key, server, name).await
}

#[command]
pub(super) async fn set_value(
    engine: State<'_, Engine>,
    key: &str,
    server: &str,
    name: &str,
    value: Option<String>,
) -> Done {
    actions::set_value(&engine, key, server, name, value).await
}

/// Selects how a skill's server is started; without a way, by the skill's first one.
#[command]
pub(super) async fn pick_way(engine: State<'_, Engine>, key: &str, server: &str, way: Option<WayKind>) -> Done {
    actions::pick_way(&engine, key, server, way).await
}

#[command]
pub(super) async fn retry_keychain(engine: State<'_, Engine>) -> Done {
    actions::retry_keychain(&engine).await
}

/// Opens the consent window for a server, or brings it to the front.
#[command]
pub(super) async fn ask_consent(app: AppHandle, engine: State<'_, Engine>, server: &str) -> Done {
    consent::ask(&app, &engine.snapshot(), server)
}

#[command]
pub(super) async fn close_consent(app: AppHandle) {
    consent::close(&app);
}

/// Makes the consent window as high as its content, in pixels.
#[command]
pub(super) async fn fit_consent(app: AppHandle, height: u16) {
    consent::fit(&app, height);
}

/// What an approval would cover now.
#[command]
pub(super) async fn plan_server(engine: State<'_, Engine>, server: &str) -> Done<Consent> {
    actions::plan_server(&engine, server).await
}

/// Approves what the digest names, and starts the server; fails with `changed` when that is out of date.
#[command]
pub(super) async fn approve_server(
    engine: State<'_, Engine>,
    server: &str,
    digest: &str,
    variables: Vec<String>,
) -> Done {
    actions::approve_server(&engine, server, digest, &variables).await
}

/// Asks the package's own client for the current version; this makes a connection.
#[command]
pub(super) async fn offer_version(engine: State<'_, Engine>, server: &str) -> Done<PinOffer> {
    actions::offer_version(&engine, server).await
}

/// Pins the server's package to this version.
#[command]
pub(super) async fn pin_server(engine: State<'_, Engine>, server: &str, version: &str) -> Done {
    actions::pin_server(&engine, server, version).await
}

#[command]
pub(super) async fn approve_tools(engine: State<'_, Engine>, server: &str, digest: &str) -> Done {
    actions::approve_tools(&engine, server, digest).await
}

/// Revokes an approval: the server stops, and does not start again.
#[command]
pub(super) async fn revoke_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::revoke_server(&engine, server).await
}

#[command]
pub(super) async fn restart_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::restart_server(&engine, server).await
}

/// Stops it until the next call.
#[command]
pub(super) async fn stop_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::stop_server(&engine, server).await
}

/// Asks a server for its sign-in address, and waits for the sign-in; the snapshot has the address. Opens nothing.
#[command]
pub(super) async fn sign_in(engine: State<'_, Engine>, server: &str) -> Done {
    // The snapshot has the address.
    actions::sign_in(&engine, server).await.map(drop)
}

#[command]
pub(super) async fn cancel_sign_in(engine: State<'_, Engine>, server: &str) -> Done {
    actions::cancel_sign_in(&engine, server).await
}

/// Signs out.
#[command]
pub(super) async fn sign_out(engine: State<'_, Engine>, server: &str) -> Done {
    actions::sign_out(&engine, server).await
}

#[command]
pub(super) async fn read_server(engine: State<'_, Engine>, server: &str) -> Done<ServerPage> {
    actions::read_server(&engine, server).await
}

/// Searches again for the programs that run servers, including the login shell's path.
#[command]
pub(super) async fn look_for_programs(engine: State<'_, Engine>) -> Done {
    actions::look_for_programs(&engine).await
}

/// Lets a skill use another skill's server, or without one its own again.
#[command]
pub(super) async fn link_server(engine: State<'_, Engine>, key: &str, server: &str, with_key: Option<String>) -> Done {
    actions::link_server(&engine, key, server, with_key).await
}

/// Switches a tool on or off, for one client or for all; without a tool, the whole server.
#[command]
pub(super) async fn switch_tool(
    engine: State<'_, Engine>,
    client: Option<String>,
    server: &str,
    tool: Option<String>,
    on: bool,
) -> Done {
    actions::switch_tool(&engine, client, server, tool, on).await
}

#[command]
pub(super) async fn set_tool_mode(engine: State<'_, Engine>, client: &str, mode: ToolMode) -> Done {
    actions::set_tool_mode(&engine, client, mode).await
}
