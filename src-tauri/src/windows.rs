//! The main window: opening it, bringing it to the front, what closing it does, and its size.
//!
//! The page can go nowhere: navigation, new windows and downloads are refused here, whatever the
//! text of a skill asks for.

use std::{fs, path::PathBuf};

use engine::Machine;
use serde_json::{Value, json};
use tauri::{
    AppHandle, LogicalSize, Manager as _, Url, WebviewUrl, WebviewWindowBuilder, Window, WindowEvent,
    webview::NewWindowResponse,
};

use crate::tray;

/// The label of the main window; its capability names it too.
pub(crate) const MAIN: &str = "main";

const SIZE: LogicalSize<f64> = LogicalSize { width: 1280.0, height: 800.0 };
const SMALLEST: LogicalSize<f64> = LogicalSize { width: 720.0, height: 480.0 };

/// Where the size of the window is remembered.
struct SizeFile(PathBuf);

/// Opens the main window in the size that it was left in.
pub(crate) fn open(app: &AppHandle, machine: &Machine) -> tauri::Result<()> {
    let file = SizeFile(machine.data.join("window.json"));
    let size = file.read().unwrap_or(SIZE);
    app.manage(file);
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Skilltender")
        .inner_size(size.width, size.height)
        .min_inner_size(SMALLEST.width, SMALLEST.height)
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .build()?;
    Ok(())
}

/// Brings the main window to the front, from the tray or from behind other windows.
pub(crate) fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(why) = shown {
        tracing::warn!("the window cannot be shown: {why}");
    }
}

/// What happens to the window.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            put_away(window);
        }
        WindowEvent::ThemeChanged(_) => tray::draw_anew(window.app_handle()),
        _ => {}
    }
}

/// Closing the window leaves the program running: in the tray, or minimised where there is none.
fn put_away(window: &Window) {
    remember_size(window.app_handle());
    let done = if tray::is_shown() { window.hide() } else { window.minimize() };
    if let Err(why) = done {
        tracing::warn!("the window cannot be put away: {why}");
    }
}

/// Writes the size of the window down. A maximised window keeps the size from before.
pub(crate) fn remember_size(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let (Ok(false), Ok(scale), Ok(size)) = (window.is_maximized(), window.scale_factor(), window.inner_size()) else {
        return;
    };
    window.state::<SizeFile>().write(size.to_logical(scale));
}

impl SizeFile {
    fn read(&self) -> Option<LogicalSize<f64>> {
        let kept: Value = serde_json::from_str(&fs::read_to_string(&self.0).ok()?).ok()?;
        let size = LogicalSize::new(kept["width"].as_f64()?, kept["height"].as_f64()?);
        (size.width >= SMALLEST.width && size.height >= SMALLEST.height).then_some(size)
    }

    fn write(&self, size: LogicalSize<f64>) {
        let text = json!({ "width": size.width, "height": size.height }).to_string();
        if let Err(why) = fs::write(&self.0, text) {
            tracing::warn!("{} cannot be written: {why}", self.0.display());
        }
    }
}

/// Whether an address is a page of our own: `tauri://localhost`, on Windows `http://tauri.localhost`.
fn is_ours(url: &Url) -> bool {
    let origin = (url.scheme(), url.host_str());
    if cfg!(windows) { origin == ("http", Some("tauri.localhost")) } else { origin == ("tauri", Some("localhost")) }
}
