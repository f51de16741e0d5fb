//! Desktop notifications: shows those of `notification` while the window is not in front, and opens the window at what was
//! clicked. What there is to show is decided there, and whether by the person in the settings.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use api::{AppSwitch, Snapshot};
use engine::Engine;
use tauri::{AppHandle, async_runtime::JoinHandle};
use tokio::time::sleep;

use crate::{
    events,
    notification::{self, Notification},
    windows,
    words::Words,
};

/// How long changes are gathered, so that a folder that is copied or a save in two steps is one notification.
const GATHERED: Duration = Duration::from_secs(2);

/// Shows notifications until the engine ends.
pub(crate) async fn follow(app: AppHandle, engine: Engine) {
    let mut snapshots = engine.snapshots();
    let mut told: Arc<Snapshot> = snapshots.borrow_and_update().clone();
    let mut shown = Shown::default();
    while snapshots.changed().await.is_ok() {
        // Until everything is read there is nothing to compare with, and what comes right after it is new.
        if notification::begins(&told) {
            told = snapshots.borrow_and_update().clone();
            continue;
        }
        sleep(GATHERED).await;
        let now = snapshots.borrow_and_update().clone();
        // Who looks at the window sees it there.
        if !windows::is_in_front(&app) {
            for due in notification::between(&told, &now, Words::now(&app)) {
                shown.show(&app, due);
            }
        }
        told = now;
    }
}

/// What is shown now, one for each switch: a later one takes the place of the earlier.
#[derive(Default)]
struct Shown(BTreeMap<AppSwitch, JoinHandle<()>>);

impl Shown {
    fn show(&mut self, app: &AppHandle, due: Notification) {
        let app = app.clone();
        let of = due.of;
        let showing = tauri::async_runtime::spawn(async move {
            let place = due.place.clone();
            match say(due).await {
                Ok(true) => events::show(&app, place),
                Ok(false) => {}
                Err(why) => tracing::info!("the desktop shows no notification: {why}"),
            }
        });
        // The earlier one stays in the desktop's list, but opens nothing any more.
        if let Some(earlier) = self.0.insert(of, showing) {
            earlier.abort();
        }
    }
}

/// Shows a notification and waits for its end. Returns whether it was clicked.
#[cfg(target_os = "linux")]
async fn say(due: Notification) -> Result<bool, notify_rust::error::Error> {
    use notify_rust::{Hint, NotificationResponse};

    let mut clicked = false;
    let shown = notify_rust::Notification::new()
        .appname("Skilltender")
        .icon("skilltender")
        .hint(Hint::DesktopEntry("skilltender".to_owned()))
        .summary(&due.title)
        .body(&escaped(&due.body))
        .action("default", "")
        .show_async()
        .await?;
    shown.wait_for_action_async(|response| clicked = matches!(response, NotificationResponse::Default)).await;
    Ok(clicked)
}

/// Shows a notification. Clicks are not followed: nobody has seen how these systems answer.
#[cfg(not(target_os = "linux"))]
async fn say(due: Notification) -> Result<bool, notify_rust::error::Error> {
    let mut notification = notify_rust::Notification::new();
    notification.appname("Skilltender").summary(&due.title).body(&due.body);
    let shown = tokio::task::spawn_blocking(move || notification.show().map(drop));
    shown.await.unwrap_or(Ok(())).map(|()| false)
}

/// A text as it is, for a desktop that reads markup in the body (Desktop Notifications Specification, section 5).
#[cfg(target_os = "linux")]
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(escaped("<a href=\"x\">R&D</a>"), "&lt;a href=\"x\"&gt;R&amp;D&lt;/a&gt;");
    }
}
