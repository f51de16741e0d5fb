//! The separate window that asks whether a server may run, or a team is joined. Only its page may answer, so that a fault in
//! the main page, which draws other people's text, cannot start a server.

use api::{ActionError, ErrorKind, Snapshot};
use tauri::{AppHandle, LogicalSize, Manager as _, WebviewUrl};

use crate::{
    events::{self, Asked},
    windows,
    words::Words,
};

/// The label of the window; its capability names it too.
pub(crate) const LABEL: &str = "consent";

const SIZE: LogicalSize<f64> = LogicalSize { width: 640.0, height: 680.0 };
const SMALLEST: LogicalSize<f64> = LogicalSize { width: 480.0, height: 360.0 };

/// Opens the window on a server, or brings it to the front when it is open.
pub(crate) fn ask(app: &AppHandle, snapshot: &Snapshot, server: &str) -> Result<(), ActionError> {
    if !snapshot.servers.iter().any(|row| row.name == server) {
        let message = format!("No skill that is switched on needs a server {server}.");
        return Err(ActionError { kind: ErrorKind::NotFound, message, hints: Vec::new() });
    }
    // A server name has no characters with a meaning in an address.
    open(app, &format!("consent/{server}"), &Asked::Server { name: server.to_owned() })
}

/// Opens the window on the page of a team, or brings it to the front when it is open.
pub(crate) fn ask_team(app: &AppHandle, id: &str, name: String) -> Result<(), ActionError> {
    open(app, &format!("team/{id}"), &Asked::Team { id: id.to_owned(), name })
}

fn open(app: &AppHandle, place: &str, asked: &Asked) -> Result<(), ActionError> {
    show(app, place).map_err(|why| ActionError {
        kind: ErrorKind::System,
        message: format!("The window that asks cannot be opened: {why}"),
        hints: Vec::new(),
    })?;
    events::consent(app, Some(asked));
    Ok(())
}

/// Closes the window without an approval.
pub(crate) fn close(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    if let Err(why) = window.destroy() {
        tracing::warn!("the window that asks cannot be closed: {why}");
    }
}

/// Makes the window as high as its content, up to the height that it opens with.
pub(crate) fn fit(app: &AppHandle, height: u16) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let fitted = || {
        let width = window.inner_size()?.to_logical::<f64>(window.scale_factor()?).width;
        let height = f64::from(height).clamp(SMALLEST.height, SIZE.height);
        window.set_size(LogicalSize { width, height })
    };
    if let Err(why) = fitted() {
        tracing::warn!("the window that asks cannot be fitted: {why}");
    }
}

/// Names the window in the language that is shown now.
pub(crate) fn rename(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let place = window.url().ok().and_then(|url| url.fragment().map(str::to_owned)).unwrap_or_default();
    if let Err(why) = window.set_title(&title(app, &place)) {
        tracing::warn!("the window that asks cannot be renamed: {why}");
    }
}

/// Unblocks the main window.
pub(crate) fn closed(app: &AppHandle) {
    events::consent(app, None);
}

/// What the window is called while it is at a place.
fn title(app: &AppHandle, place: &str) -> String {
    let key = if place.starts_with("team/") { "team.window" } else { "consent.window" };
    Words::now(app).say(key).to_owned()
}

fn show(app: &AppHandle, place: &str) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(LABEL) {
        let mut url = window.url()?;
        url.set_fragment(Some(place));
        window.navigate(url)?;
        window.set_title(&title(app, place))?;
        return window.set_focus();
    }
    let mut window = windows::page(app, LABEL, WebviewUrl::App(format!("index.html#{place}").into()))
        .title(title(app, place))
        .inner_size(SIZE.width, SIZE.height)
        .min_inner_size(SMALLEST.width, SMALLEST.height)
        .center();
    if let Some(main) = app.get_webview_window(windows::MAIN) {
        window = window.parent(&main)?;
    }
    window.build().map(drop)
}
