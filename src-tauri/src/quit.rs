//! Quitting. The window is asked first, because only the page knows of unsaved edits: it answers with `leave`, or
//! with `stay` while it asks the person. A page that does not answer in time is not waited for. After an update the
//! program starts anew instead.

use std::time::Duration;

use engine::{Engine, actions};
use parking_lot::Mutex;
use tauri::{AppHandle, Manager as _, async_runtime};
use tokio::{sync::Notify, time::timeout};

use crate::{
    events::{self, Leave},
    main_page::MainPage,
    windows,
};

/// The time in which the page must answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Notified when the page wants to stay.
#[derive(Default)]
pub(crate) struct Stays(Notify);

/// Whether the program starts again once it has ended; if so, whether its window was shown.
#[derive(Default)]
pub(crate) struct Anew(Mutex<Option<bool>>);

impl Anew {
    pub(crate) fn wanted(&self) -> Option<bool> {
        *self.0.lock()
    }
}

/// Asks the page as a quit does, and starts the program again. If the person stays, it is started by them, later.
pub(crate) fn start_anew(app: &AppHandle) {
    let is_shown = windows::is_shown(app);
    *app.state::<Anew>().0.lock() = Some(is_shown);
    ask(app, Leave::Person);
}

/// Asks the page whether the program may end.
pub(crate) fn ask(app: &AppHandle, from: Leave) {
    if matches!(from, Leave::System) {
        // The session ends, or another program takes over.
        *app.state::<Anew>().0.lock() = None;
    }
    let app = app.clone();
    if !app.state::<MainPage>().listens() {
        async_runtime::spawn(async move { without_a_page(&app, from).await });
        return;
    }
    async_runtime::spawn(async move {
        let stays = app.state::<Stays>();
        let told = stays.0.notified();
        tokio::pin!(told);
        // It listens before it asks, so that an early answer is not lost.
        told.as_mut().enable();
        events::leave(&app, from);
        if timeout(PATIENCE, told).await.is_err() {
            tracing::warn!("the window did not answer, so Skilltender quits without it");
            app.exit(0);
        }
    });
}

/// Ends the program when no page listens. For unsaved texts that one has left, the person is asked by the next one, and
/// the system is not kept waiting.
async fn without_a_page(app: &AppHandle, from: Leave) {
    let unsaved = app.state::<MainPage>().unsaved();
    if !unsaved.is_empty() && matches!(from, Leave::Person) {
        windows::show(app);
        return events::leave(app, from);
    }
    if let Some(engine) = app.try_state::<Engine>() {
        for (key, text) in unsaved {
            if let Err(why) = actions::keep_version(&engine, &key, text, true).await {
                tracing::warn!("the unsaved text of {key} is lost: {}", why.message);
            }
        }
    }
    app.exit(0);
}

/// The page asks the person: cancels the quit and brings the window to the front.
pub(crate) fn stay(app: &AppHandle) {
    *app.state::<Anew>().0.lock() = None;
    app.state::<Stays>().0.notify_waiters();
    windows::show(app);
}
