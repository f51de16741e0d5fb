//! What happens to the windows: closing, drops, the desktop's colours. Each event goes to the module that it concerns.

use api::AppSwitch;
use engine::Engine;
use tauri::{AppHandle, DragDropEvent, Manager as _, Window, WindowEvent};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons};

use crate::{
    consent, desktop,
    events::{self, Leave},
    quit,
    remembered::Remembered,
    tray, windows,
    words::Words,
};

/// Handles the events of a window.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::Destroyed if window.label() == consent::LABEL => consent::closed(window.app_handle()),
        _ if window.label() != windows::MAIN => {}
        WindowEvent::Destroyed => windows::ended(window.app_handle()),
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            put_away(window);
        }
        WindowEvent::DragDrop(event) => dragged(window.app_handle(), event),
        WindowEvent::ThemeChanged(_) => tray::draw_anew(window.app_handle()),
        _ => {}
    }
}

/// Tells the page of what is dragged over it or dropped on it.
fn dragged(app: &AppHandle, event: &DragDropEvent) {
    match event {
        DragDropEvent::Enter { paths, .. } => events::dragged(app, !paths.is_empty()),
        DragDropEvent::Drop { paths, .. } => {
            events::dragged(app, false);
            events::dropped(app, &desktop::dropped(app, paths));
        }
        DragDropEvent::Leave => events::dragged(app, false),
        _ => {}
    }
}

/// Closes the window but leaves the program running: in the tray, or minimised when there is no tray. The first time
/// it says so, because a program that runs on unseen surprises. Who wants no program in the tray ends it so.
fn put_away(window: &Window) {
    let app = window.app_handle();
    if window.state::<Engine>().snapshot().settings.app.get(&AppSwitch::KeepRunning) == Some(&false) {
        return quit::ask(app, Leave::Person);
    }
    windows::remember_place(app);
    let has_tray = window.state::<Engine>().machine().shows_tray();
    let done = if has_tray { windows::put_away(app) } else { window.minimize().map(|()| false) };
    match done {
        Ok(true) => events::closed(app),
        Ok(false) => {}
        Err(why) => tracing::warn!("the window cannot be put away: {why}"),
    }
    let remembered = window.state::<Remembered>();
    if has_tray && !remembered.get().told_of_tray {
        remembered.change(|memory| memory.told_of_tray = true);
        tell_of_tray(app);
    }
}

fn tell_of_tray(app: &AppHandle) {
    let words = Words::now(app);
    let close = MessageDialogButtons::OkCustom(words.say("dialog.close").to_owned());
    app.dialog().message(words.say("tray.closed")).title(words.say("tray.closedTitle")).buttons(close).show(|_| {});
}
