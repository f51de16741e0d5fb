//! Follows the engine's snapshots: the window and the tray get each of them.

use engine::Engine;
use tauri::AppHandle;

use crate::{events, tray};

/// Sends every snapshot to the window and to the tray, until the engine ends.
pub(crate) async fn follow(app: AppHandle, engine: Engine) {
    let mut snapshots = engine.snapshots();
    loop {
        let snapshot = snapshots.borrow_and_update().clone();
        events::snapshot(&app, &snapshot);
        tray::draw(&app, snapshot);
        if snapshots.changed().await.is_err() {
            return;
        }
    }
}
