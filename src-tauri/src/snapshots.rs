//! Follows the engine's snapshots: the window is told of each of them, the tray gets it.

use engine::Engine;
use tauri::{AppHandle, Manager as _};

use crate::{consent, events, remembered::Remembered, tray};

/// Tells the window of every snapshot and draws it in the tray, until the engine ends.
pub(crate) async fn follow(app: AppHandle, engine: Engine) {
    let mut snapshots = engine.snapshots();
    let mut language = None;
    loop {
        let snapshot = snapshots.borrow_and_update().clone();
        let shown = snapshot.settings.language.shown;
        if language.replace(shown) != Some(shown) {
            app.state::<Remembered>().change(|memory| memory.language = Some(shown.tag().to_owned()));
            consent::rename(&app);
        }
        events::snapshot(&app);
        tray::draw(&app, snapshot);
        if snapshots.changed().await.is_err() {
            return;
        }
    }
}
