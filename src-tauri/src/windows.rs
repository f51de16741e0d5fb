//! The main window: opening, bringing to the front, its size and place. What happens in it is handled by
//! `window_events`.
//!
//! A page cannot navigate: navigation, new windows and downloads are refused here, because a skill's text could ask
//! for them.

use api::{ActionError, ErrorKind};
use engine::Engine;
use tauri::{
    AppHandle, LogicalSize, Manager as _, PhysicalPosition, PhysicalRect, Theme, Url, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder, Wry, webview::NewWindowResponse,
};

use crate::{
    main_page::{Ended, Left, MainPage},
    remembered::{Memory, Remembered},
};

/// The label of the main window; its capability names it too.
pub(crate) const MAIN: &str = "main";

const SIZE: LogicalSize<f64> = LogicalSize { width: 1280.0, height: 800.0 };
const SMALLEST: LogicalSize<f64> = LogicalSize { width: 720.0, height: 480.0 };

/// How much of the window's upper edge must be on a screen to take hold of it, in physical pixels.
const GRIP: i32 = 96;

/// Opens the main window in its last size and place.
pub(crate) fn open(app: &AppHandle) -> tauri::Result<()> {
    let memory = app.state::<Remembered>().get();
    let size = size_of(&memory);
    let window = page(app, MAIN, WebviewUrl::default())
        .title("Skilltender")
        .inner_size(size.width, size.height)
        .min_inner_size(SMALLEST.width, SMALLEST.height)
        .maximized(memory.maximised)
        .visible(false)
        .build()?;
    if let Err(why) = put_back(&window, &memory) {
        tracing::warn!("the window is not where it was: {why}");
    }
    window.show()
}

/// Moves a window to its remembered place.
fn put_back(window: &WebviewWindow, memory: &Memory) -> tauri::Result<()> {
    let screens: Vec<_> = window.available_monitors()?.iter().map(|screen| *screen.work_area()).collect();
    place_of(memory, &screens).map_or(Ok(()), |place| window.set_position(place))
}

/// A window for one of the app's pages that cannot navigate elsewhere.
pub(crate) fn page<'a>(app: &'a AppHandle, label: &str, url: WebviewUrl) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, label, url)
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
}

/// Brings the main window to the front, or opens it: its window has ended while the program was in the tray.
pub(crate) fn show(app: &AppHandle) {
    let there = app.clone();
    // The stages of a window that is closed and wanted again follow each other on one thread.
    drop(app.run_on_main_thread(move || show_here(&there)));
}

fn show_here(app: &AppHandle) {
    if !app.state::<MainPage>().wanted() {
        return;
    }
    let shown = match app.get_webview_window(MAIN) {
        Some(window) => window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus()),
        // Not before the engine is there, which opens the first one.
        None if app.try_state::<Engine>().is_some() => open(app),
        None => Ok(()),
    };
    if let Err(why) = shown {
        tracing::warn!("the window cannot be shown: {why}");
    }
}

/// Closes the main window while the program stays in the tray. It is hidden at once, and ends when its page has said
/// what it leaves for the next one; a page that keeps something, or does not answer, stays hidden. Returns whether the
/// page is to be asked.
pub(crate) fn put_away(app: &AppHandle) -> tauri::Result<bool> {
    let Some(window) = app.get_webview_window(MAIN) else { return Ok(false) };
    window.hide()?;
    let page = app.state::<MainPage>();
    if page.ask() {
        return Ok(true);
    }
    page.end();
    window.destroy().map(|()| false)
}

/// The page has left this, or keeps something: ends its window, unless it is wanted again.
pub(crate) fn leave(app: &AppHandle, left: Option<Left>) {
    let there = app.clone();
    // Only a program that ends has no main thread.
    drop(app.run_on_main_thread(move || {
        let Some(window) = there.get_webview_window(MAIN) else { return };
        if !there.state::<MainPage>().leave(left) {
            return;
        }
        if let Err(why) = window.destroy() {
            tracing::warn!("the window does not end: {why}");
        }
    }));
}

/// The main window has ended: what it needed is given back, unless it is wanted again.
pub(crate) fn ended(app: &AppHandle) {
    let Ended { again, listened } = app.state::<MainPage>().ended();
    // WebKit aborts this program when a process that it is just starting ends.
    #[cfg(not(target_os = "linux"))]
    let _ = listened;
    #[cfg(target_os = "linux")]
    if listened && !again {
        crate::webkit::end_network();
    }
    let there = app.clone();
    // By then nothing of the window is left.
    drop(app.run_on_main_thread(move || {
        if again {
            show_here(&there);
        } else {
            engine::give_back_memory();
            // Most of it is WebKit's and GTK's, for a window that may not be opened again for days.
            engine::give_back_code();
        }
    }));
}

/// Whether the main window can be seen, or is in a taskbar.
pub(crate) fn is_shown(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN).is_some_and(|window| window.is_visible().unwrap_or(false))
}

/// Whether the person looks at one of our windows.
pub(crate) fn is_in_front(app: &AppHandle) -> bool {
    app.webview_windows().values().any(|window| window.is_focused().unwrap_or(false))
}

/// Shows every window dark, light or as the desktop is, zoomed to this many percent.
pub(crate) fn show_as(app: &AppHandle, dark: Option<bool>, zoom: u16) -> Result<(), ActionError> {
    let theme = dark.map(|dark| if dark { Theme::Dark } else { Theme::Light });
    let zoom = f64::from(zoom.clamp(50, 300)) / 100.0;
    for window in app.webview_windows().values() {
        window.set_theme(theme).and_then(|()| window.set_zoom(zoom)).map_err(|why| ActionError {
            kind: ErrorKind::System,
            message: format!("The window cannot be shown so: {why}"),
            hints: Vec::new(),
        })?;
    }
    Ok(())
}

/// Remembers the size and place of the window. For a maximised window the earlier ones are kept; a hidden one was
/// remembered when it was hidden.
pub(crate) fn remember_place(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let (Ok(true), Ok(maximised)) = (window.is_visible(), window.is_maximized()) else { return };
    let (size, place) = (logical_size(&window), window.outer_position().ok());
    app.state::<Remembered>().change(|memory| {
        memory.maximised = maximised;
        if maximised {
            return;
        }
        if let Some(size) = size {
            (memory.width, memory.height) = (Some(size.width), Some(size.height));
        }
        // Wayland tells no place; 0, 0 would be every window's.
        if let Some(place) = place.filter(|place| (place.x, place.y) != (0, 0)) {
            (memory.x, memory.y) = (Some(place.x), Some(place.y));
        }
    });
}

fn logical_size(window: &WebviewWindow) -> Option<LogicalSize<f64>> {
    Some(window.inner_size().ok()?.to_logical(window.scale_factor().ok()?))
}

/// The remembered size, unless it is smaller than the window may be.
fn size_of(memory: &Memory) -> LogicalSize<f64> {
    let (Some(width), Some(height)) = (memory.width, memory.height) else { return SIZE };
    let fits = width >= SMALLEST.width && height >= SMALLEST.height;
    if fits { LogicalSize { width, height } } else { SIZE }
}

/// The remembered place, unless the window could not be taken hold of there: its screen may be gone.
fn place_of(memory: &Memory, screens: &[PhysicalRect<i32, u32>]) -> Option<PhysicalPosition<i32>> {
    let place = PhysicalPosition { x: memory.x?, y: memory.y? };
    let reachable = screens.iter().any(|screen| {
        let (left, top) = (screen.position.x, screen.position.y);
        let right = left.saturating_add_unsigned(screen.size.width);
        let bottom = top.saturating_add_unsigned(screen.size.height);
        place.x >= left - GRIP && place.x <= right - GRIP && place.y >= top && place.y <= bottom - GRIP
    });
    reachable.then_some(place)
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
    fn the_remembered_size_is_taken_unless_the_window_may_not_be_so_small() {
        let memory = |width, height| Memory { width, height, ..Memory::default() };
        assert_eq!(size_of(&memory(None, None)), SIZE);
        assert_eq!(size_of(&memory(Some(1000.0), Some(700.5))), LogicalSize::new(1000.0, 700.5));
        assert_eq!(size_of(&memory(Some(10.0), Some(10.0))), SIZE);
    }

    #[test]
    fn the_remembered_place_is_taken_only_on_a_screen_that_is_there() {
        let screen = |x, y| PhysicalRect { position: (x, y).into(), size: (1920, 1080).into() };
        let place =
            |x, y, screens: &[_]| place_of(&Memory { x: Some(x), y: Some(y), ..Memory::default() }, screens).is_some();
        assert!(place(2000, 40, &[screen(0, 0), screen(1920, 0)]));
        assert!(!place(2000, 40, &[screen(0, 0)]), "the second screen is gone");
        assert!(!place(10, 1070, &[screen(0, 0)]), "its head would be below the screen");
        assert!(!place(10, -20, &[screen(0, 0)]), "its head would be above the screen");
        assert_eq!(place_of(&Memory::default(), &[screen(0, 0)]), None);
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
}
