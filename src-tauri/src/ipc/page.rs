//! The page itself: the snapshot that it starts with, its look, the desktop's dialogs, links, and quitting.

use std::collections::BTreeMap;

use api::Snapshot;
use engine::{Engine, actions};
use tauri::{AppHandle, State, command};

use super::done::Done;
use crate::{
    chosen::Choice,
    desktop,
    events::{self, Leave},
    main_page::{Left, MainPage},
    quit, tray, windows,
};

#[command]
pub(super) async fn current(engine: State<'_, Engine>) -> Done<Snapshot> {
    Ok(engine.snapshot().as_ref().clone())
}

/// The page listens now. Returns what the page before it left when its window was closed; then come the events that
/// waited.
#[command]
pub(super) async fn take_up(app: AppHandle, page: State<'_, MainPage>) -> Done<Option<String>> {
    let (left, waiting) = page.begin();
    // The window may know the desktop's colours better than the last one.
    tray::draw_anew(&app);
    waiting.into_iter().for_each(|news| events::tell(&app, news));
    Ok(left)
}

/// Answers the event `closed` with what the next page needs, and the unsaved texts by key; the window ends then. Without
/// `state` the page keeps something, and its window.
#[command]
pub(super) async fn put_away(app: AppHandle, state: Option<String>, unsaved: BTreeMap<String, String>) -> Done {
    windows::leave(&app, state.map(|state| Left { state, unsaved }));
    Ok(())
}

/// Asks the person for a folder; nothing when they cancel.
#[command]
pub(super) async fn choose_folder(app: AppHandle) -> Option<Choice> {
    desktop::choose_folder(&app).await
}

/// Asks the person for a zip; nothing when they cancel.
#[command]
pub(super) async fn choose_zip(app: AppHandle) -> Option<Choice> {
    desktop::choose_zip(&app).await
}

/// Asks the person for a file; nothing when they cancel.
#[command]
pub(super) async fn choose_file(app: AppHandle) -> Option<Choice> {
    desktop::choose_file(&app).await
}

/// Asks the person where a file of this name goes; nothing when they cancel.
#[command]
pub(super) async fn choose_save(app: AppHandle, name: &str) -> Done<Option<Choice>> {
    Ok(desktop::choose_save(&app, name).await)
}

#[command]
pub(super) async fn dismiss_notice(engine: State<'_, Engine>, id: &str) -> Done {
    actions::dismiss_notice(&engine, id).await
}

/// Shows every window dark, light or as the desktop is, with its content zoomed to this many percent.
#[command]
pub(super) async fn show_as(app: AppHandle, dark: Option<bool>, zoom: u16) -> Done {
    windows::show_as(&app, dark, zoom)
}

#[command]
pub(super) async fn open_link(url: &str) -> Done {
    desktop::open_link(url)
}

/// Asks to quit; the page gets the event `leave`.
#[command]
pub(super) async fn quit(app: AppHandle) {
    quit::ask(&app, Leave::Person);
}

#[command]
pub(super) async fn leave(app: AppHandle) {
    app.exit(0);
}

#[command]
pub(super) async fn stay(app: AppHandle) {
    quit::stay(&app);
}
