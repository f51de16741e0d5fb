//! What happens to the windows: closing, drops, the desktop's colours. Each event goes to the module that it concerns.

use engine::Engine;
use tauri::{DragDropEvent, Manager as _, Window, WindowEvent};

use crate::{consent, desktop, events, tray, windows};

/// Handles the events of a window.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::Destroyed if window.label() == consent::LABEL => consent::closed(window.app_handle()),
        _ if window.label() != windows::MAIN => {}
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            put_away(window);
        }
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let app = window.app_handle();
            events::dropped(app, &desktop::dropped(app, paths));
        }
        WindowEvent::ThemeChanged(_) => tray::draw_anew(window.app_handle()),
        _ => {}
    }
}

/// Closes the window but leaves the program running: in the tray, or minimised when there is no tray.
fn put_away(window: &Window) {
    windows::remember_size(window.app_handle());
    let done = if window.state::<Engine>().machine().shows_tray() { window.hide() } else { window.minimize() };
    if let Err(why) = done {
        tracing::warn!("the window cannot be put away: {why}");
    }
}
