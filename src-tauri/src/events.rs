//! Events for the page: their names, what each carries, and sending them. When one is sent is decided elsewhere.

use serde::Serialize;
use tauri::{AppHandle, Emitter as _, Manager as _};

use crate::{
    chosen::Choice,
    main_page::{MainPage, News},
    windows,
};

pub(crate) use crate::main_page::{Leave, Show};

/// Tells the page that there is a new snapshot, which it fetches: an event is a script that the page compiles, and one
/// with ten thousand skills would hold it up. A page that does not listen yet begins with the latest one.
pub(crate) fn snapshot(app: &AppHandle) {
    if app.state::<MainPage>().listens() {
        send(app, "snapshot", &());
    }
}

/// Brings the window to the front and opens a place.
pub(crate) fn show(app: &AppHandle, place: Show) {
    windows::show(app);
    tell(app, News::Show(place));
}

/// Asks the page whether the program may end.
pub(crate) fn leave(app: &AppHandle, from: Leave) {
    tell(app, News::Leave(from));
}

/// Asks the page what it leaves for the next one, because its window was closed.
pub(crate) fn closed(app: &AppHandle) {
    send(app, "closed", &());
}

/// Tells the page, or the next one when it listens.
pub(crate) fn tell(app: &AppHandle, news: News) {
    match app.state::<MainPage>().now_or_later(news) {
        Some(News::Show(place)) => send(app, "show", &place),
        Some(News::Leave(from)) => send(app, "leave", &from),
        None => {}
    }
}

/// What the consent window asks about.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Asked {
    Server { name: String },
    Team { id: String, name: String },
}

/// Sends the page what the consent window asks about.
pub(crate) fn consent(app: &AppHandle, asked: Option<&Asked>) {
    send(app, "consent", &asked);
}

/// Tells the page whether something that can be dropped is over it.
pub(crate) fn dragged(app: &AppHandle, over: bool) {
    send(app, "drag", &over);
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
