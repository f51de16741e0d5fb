//! Events for the window: each snapshot of the engine, and requests from the tray.

use std::sync::Arc;

use api::Snapshot;
use engine::Engine;
use serde::Serialize;
use tauri::{AppHandle, Emitter as _};

use crate::{chosen::Choice, quit::Wish, tray, windows};

/// A place in the window that the tray or a second start opens.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "place", rename_all = "lowercase")]
pub(crate) enum Show {
    /// The skills that need the user.
    Needs,
    /// The contents of a skill that the person has not seen, before it is switched on.
    Enable {
        /// The skill's key.
        key: String,
    },
    /// The change that adds Skilltender to a client.
    Client {
        /// The client.
        id: String,
    },
}

/// Sends every snapshot to the window and to the tray, until the engine ends.
pub(crate) async fn follow(app: AppHandle, engine: Engine) {
    let mut snapshots = engine.snapshots();
    loop {
        let snapshot = snapshots.borrow_and_update().clone();
        send(&app, "snapshot", snapshot.as_ref());
        draw_tray(&app, snapshot);
        if snapshots.changed().await.is_err() {
            return;
        }
    }
}

/// Brings the window to the front and opens a place.
pub(crate) fn show(app: &AppHandle, place: &Show) {
    windows::show(app);
    send(app, "show", place);
}

/// Asks the page whether the program may end.
pub(crate) fn leave(app: &AppHandle, wish: Wish) {
    send(app, "leave", &wish);
}

/// Sends the page the server that the consent window asks about.
pub(crate) fn consent(app: &AppHandle, server: Option<&str>) {
    send(app, "consent", &server);
}

/// Sends the page what was dropped on it.
pub(crate) fn dropped(app: &AppHandle, what: &[Choice]) {
    send(app, "drop", &what);
}

fn send<T: Serialize + ?Sized>(app: &AppHandle, event: &str, payload: &T) {
    if let Err(why) = app.emit_to(windows::MAIN, event, payload) {
        tracing::warn!("the window was not told of `{event}`: {why}");
    }
}

/// Draws the tray on the main thread, where menus belong.
pub(crate) fn draw_tray(app: &AppHandle, snapshot: Arc<Snapshot>) {
    let there = app.clone();
    let sent = app.run_on_main_thread(move || tray::draw(&there, snapshot));
    if let Err(why) = sent {
        tracing::warn!("the tray was not redrawn: {why}");
    }
}
