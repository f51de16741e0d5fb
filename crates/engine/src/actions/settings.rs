//! User settings for clients: the parts of the server that they may use.

use std::sync::Arc;

use api::{ActionError, AppSwitch, ErrorKind, Language, UpdateState, failed, unknown_client};
use choices::tokens::BY_HAND;
use connect::file_failed;
use mcp::Surface;
use state::blocking;

use crate::{
    Engine,
    actions::{clients::read_client, writing},
    session::{app_menu, login_start},
};

/// Switches a part of the server on or off, for one client or, with `None`, for all without a switch of their own.
///
/// `on: None` removes the switch: the client follows the general one, which is on by default.
///
/// # Errors
/// When there is no such client.
pub async fn set_surface(
    engine: &Engine,
    client: Option<String>,
    surface: Surface,
    on: Option<bool>,
) -> Result<(), ActionError> {
    engine
        .state()
        .change(move |state| {
            if let Some(id) = client.as_ref().filter(|id| *id != BY_HAND && !state.clients.contains_key(*id)) {
                return Err(unknown_client(id, state.clients.keys().map(String::as_str)));
            }
            state.choices.settings.switch(client, surface, on);
            Ok(())
        })
        .await?
}

/// Moves HTTP to another port of this computer. Clients' entries that name the old port become outdated.
///
/// # Errors
/// When the port is reserved for system services (below 1024), or cannot be opened: then nothing changes. Or when it
/// cannot be saved.
pub async fn set_port(engine: &Engine, port: u16) -> Result<(), ActionError> {
    const FIRST: u16 = 1024;
    writing(engine)?;
    if port < FIRST {
        let message = format!("{port} is no port for Skilltender: choose one from {FIRST} to {}.", u16::MAX);
        return Err(failed(ErrorKind::Input, message));
    }
    let moved = engine.move_to_port(port).await;
    for id in engine.state().now().clients.keys() {
        // An entry with another port is outdated now.
        read_client(engine, id).await?;
    }
    moved
}

/// Starts the app when its user logs in, or no longer.
///
/// # Errors
/// When there is no app to start, or the entry cannot be written.
pub async fn set_login_start(engine: &Engine, on: bool) -> Result<(), ActionError> {
    writing(engine)?;
    let machine = Arc::clone(engine.machine());
    let login = blocking(move || {
        if let Some(why) = login_start::why_not(&machine).filter(|_| on) {
            return Err(failed(ErrorKind::Refused, why));
        }
        login_start::switch(&machine, on).map_err(file_failed)?;
        Ok(login_start::read(&machine))
    });
    let login = login.await?;
    engine.state().change(move |state| state.login = login).await
}

/// Puts the app into the desktop's menu of programs, or takes it out.
///
/// # Errors
/// Where the package of the app does that, and when the entry cannot be written.
pub async fn set_app_menu(engine: &Engine, on: bool) -> Result<(), ActionError> {
    writing(engine)?;
    let machine = Arc::clone(engine.machine());
    let menu = blocking(move || {
        if let Some(why) = app_menu::why_not(&machine).filter(|_| on) {
            return Err(failed(ErrorKind::Refused, why));
        }
        app_menu::switch(&machine, on).map_err(file_failed)?;
        Ok(app_menu::read(&machine))
    });
    let menu = menu.await?;
    engine.state().change(move |state| state.menu = menu).await
}

/// Switches whether sources of skills are asked for other versions once a day.
///
/// # Errors
/// When the engine only reads, or is quitting.
pub async fn set_ask_sources(engine: &Engine, on: bool) -> Result<(), ActionError> {
    writing(engine)?;
    engine.state().change(move |state| state.choices.ask_sources = on).await
}

/// Switches whether new versions are looked for. Switched off, the app forgets one that it found.
///
/// # Errors
/// When the engine only reads, or is quitting.
pub async fn set_updates(engine: &Engine, on: bool) -> Result<(), ActionError> {
    writing(engine)?;
    engine
        .state()
        .change(move |state| {
            state.choices.updates = on;
            if !on
                && matches!(state.update, UpdateState::Newest | UpdateState::Found { .. } | UpdateState::Failed { .. })
            {
                state.update = UpdateState::Unknown;
            }
        })
        .await
}

/// Switches something that the app does unasked.
///
/// # Errors
/// When the engine only reads, or is quitting.
pub async fn set_app_switch(engine: &Engine, switch: AppSwitch, on: bool) -> Result<(), ActionError> {
    writing(engine)?;
    engine
        .state()
        .change(move |state| match on {
            true => drop(state.choices.app.remove(switch.name())),
            false => drop(state.choices.app.insert(switch.name().to_owned(), false)),
        })
        .await
}

/// Chooses the language of the window and the tray; `None` follows the desktop.
///
/// # Errors
/// When the engine only reads, or is quitting.
pub async fn set_language(engine: &Engine, language: Option<Language>) -> Result<(), ActionError> {
    writing(engine)?;
    let tag = language.map(|language| language.tag().to_owned());
    engine.state().change(move |state| state.choices.language = tag).await
}

/// Records what the app knows of new versions. Looking and taking are the app's own: they need its package.
///
/// # Errors
/// When the engine is quitting.
pub async fn know_update(engine: &Engine, known: UpdateState) -> Result<(), ActionError> {
    engine.state().change(move |state| state.update = known).await
}

/// Switches whether skills that are not ready are withheld from clients.
///
/// # Errors
/// When the engine is quitting.
pub async fn set_withhold(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.state().change(move |state| state.choices.servers.withhold = on).await
}

/// Switches whether packed skills are offered next to their files.
///
/// # Errors
/// When the engine is quitting.
pub async fn set_archives(engine: &Engine, on: bool) -> Result<(), ActionError> {
    engine.state().change(move |state| state.choices.settings.archives = on).await
}
