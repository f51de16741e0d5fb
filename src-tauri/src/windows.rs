//! The main window: opening, bringing to the front, and its size. What happens in it is handled by `window_events`.
//!
//! A page cannot navigate: navigation, new windows and downloads are refused here, because a skill's text could ask
//! for them.

use std::{fs, path::PathBuf};

use engine::Machine;
use serde_json::{Value, json};
use tauri::{
    AppHandle, LogicalSize, Manager as _, Url, WebviewUrl, WebviewWindowBuilder, Wry, webview::NewWindowResponse,
};

/// The label of the main window; its capability names it too.
pub(crate) const MAIN: &str = "main";

const SIZE: LogicalSize<f64> = LogicalSize { width: 1280.0, height: 800.0 };
const SMALLEST: LogicalSize<f64> = LogicalSize { width: 720.0, height: 480.0 };

/// The file that stores the window's size.
struct SizeFile(PathBuf);

/// Opens the main window in its last size; with `hidden` it waits behind the tray.
pub(crate) fn open(app: &AppHandle, machine: &Machine, hidden: bool) -> tauri::Result<()> {
    let file = SizeFile(machine.data.join("window.json"));
    let size = file.read().unwrap_or(SIZE);
    app.manage(file);
    page(app, MAIN, WebviewUrl::default())
        .title("Skilltender")
        .inner_size(size.width, size.height)
        .min_inner_size(SMALLEST.width, SMALLEST.height)
        .visible(!hidden)
        .build()?;
    Ok(())
}

/// A window for one of the app's pages that cannot navigate elsewhere.
pub(crate) fn page<'a>(app: &'a AppHandle, label: &str, url: WebviewUrl) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, label, url)
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
}

/// Brings the main window to the front, from the tray or from behind other windows.
pub(crate) fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(why) = shown {
        tracing::warn!("the window cannot be shown: {why}");
    }
}

/// Whether the main window can be seen, or is in a taskbar.
pub(crate) fn is_shown(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN).is_some_and(|window| window.is_visible().unwrap_or(false))
}

/// Stores the size of the window. For a maximised window the earlier size is kept.
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
        let text = json!({ "version": 1, "width": size.width, "height": size.height }).to_string();
        if let Err(why) = fs::write(&self.0, text) {
            tracing::warn!("{} cannot be written: {why}", self.0.display());
        }
    }
}

/// Whether an address is one of the app's pages: `tauri://localhost`, on Windows `http://tauri.localhost`.
fn is_ours(url: &Url) -> bool {
    let origin = (url.scheme(), url.host_str());
    if cfg!(windows) { origin == ("http", Some("tauri.localhost")) } else { origin == ("tauri", Some("localhost")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_that_was_written_is_read() {
        let (_folder, file) = size_file();
        assert_eq!(file.read(), None);
        file.write(LogicalSize::new(1000.0, 700.5));
        assert_eq!(file.read(), Some(LogicalSize::new(1000.0, 700.5)));
    }

    #[test]
    fn a_size_that_cannot_be_used_is_left_aside() {
        let (_folder, file) = size_file();
        for kept in [r#"{"width": 10, "height": 10}"#, r#"{"width": "wide"}"#, "not JSON", ""] {
            fs::write(&file.0, kept).unwrap();
            assert_eq!(file.read(), None, "{kept}");
        }
    }

    #[test]
    fn only_our_own_pages_may_be_gone_to() {
        let ours = if cfg!(windows) { "http://tauri.localhost/" } else { "tauri://localhost/" };
        assert!(is_ours(&ours.parse().unwrap()));
        for elsewhere in [
            "https://example.org/",
            "http://localhost/",
            "http://tauri.localhost.example.org/",
            "tauri://example.org/",
            "file:///etc/passwd",
            "data:text/html,hi",
            "about:blank",
        ] {
            assert!(!is_ours(&elsewhere.parse().unwrap()), "{elsewhere}");
        }
    }

    fn size_file() -> (tempfile::TempDir, SizeFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = SizeFile(folder.path().join("window.json"));
        (folder, file)
    }
}
