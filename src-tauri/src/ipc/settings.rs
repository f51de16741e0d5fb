//! What holds for everything: what is served, the endpoint, and the checkup.

use api::{AppSwitch, Checkup, Language};
use engine::{Engine, Surface, actions};
use tauri::{AppHandle, State, command};

use super::done::Done;
use crate::{chosen::Chosen, desktop, updates};

/// Checks everything once, and changes nothing.
#[command]
pub(super) async fn doctor(engine: State<'_, Engine>) -> Done<Checkup> {
    actions::doctor(&engine).await
}

/// Checks everything and writes the result to a file, without personal data.
#[command]
pub(super) async fn save_report(engine: State<'_, Engine>, chosen: State<'_, Chosen>, save_to: &str) -> Done {
    actions::save_report(&engine, &chosen.take_save(save_to)?).await
}

/// Without a client, sets the switch for all; without `on`, a client follows that one.
#[command]
pub(super) async fn set_surface(
    engine: State<'_, Engine>,
    client: Option<String>,
    surface: Surface,
    on: Option<bool>,
) -> Done {
    actions::set_surface(&engine, client, surface, on).await
}

/// Serves HTTP on another port of this computer.
#[command]
pub(super) async fn set_port(engine: State<'_, Engine>, port: u16) -> Done {
    actions::set_port(&engine, port).await
}

/// Sets whether skills that are not ready are withheld from clients.
#[command]
pub(super) async fn set_withhold(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_withhold(&engine, on).await
}

/// Starts the app when its user logs in, or no longer.
#[command]
pub(super) async fn set_login_start(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_login_start(&engine, on).await
}

/// Puts the app into the desktop's menu of programs, or takes it out.
#[command]
pub(super) async fn set_app_menu(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_app_menu(&engine, on).await
}

/// Chooses the language of the window and the tray; without one they follow the desktop.
#[command]
pub(super) async fn set_language(engine: State<'_, Engine>, language: Option<Language>) -> Done {
    actions::set_language(&engine, language).await
}

/// Looks for new versions of Skilltender once a day, or no longer.
#[command]
pub(super) async fn set_updates(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_updates(&engine, on).await
}

/// Asks sources of skills for other versions once a day, or no longer.
#[command]
pub(super) async fn set_ask_sources(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_ask_sources(&engine, on).await
}

/// Switches something that the app does unasked.
#[command]
pub(super) async fn set_app_switch(engine: State<'_, Engine>, what: AppSwitch, on: bool) -> Done {
    actions::set_app_switch(&engine, what, on).await
}

/// Shows our data folder in the file manager.
#[command]
pub(super) async fn show_data(engine: State<'_, Engine>) -> Done {
    desktop::show_data(engine.machine())
}

/// Looks for a new version now.
#[command]
pub(super) async fn look_for_update(app: AppHandle) {
    updates::look(&app).await;
}

/// Takes the new version that was found, and starts it; or fetches its package.
#[command]
pub(super) async fn take_update(app: AppHandle) {
    updates::take(&app).await;
}

#[command]
pub(super) async fn set_archives(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_archives(&engine, on).await
}

#[command]
pub(super) async fn pause(engine: State<'_, Engine>, on: bool) -> Done {
    actions::pause(&engine, on).await
}
