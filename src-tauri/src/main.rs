//! The program `skilltender-app`: the window and the tray around the engine.

// A window program opens no console on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod address;
mod app;
mod chosen;
mod consent;
mod desktop;
mod events;
mod ipc;
mod lifecycle;
mod link;
mod main_page;
mod meant;
mod menu;
mod notification;
mod notifications;
mod quit;
mod remembered;
mod snapshots;
mod takeover;
mod teams;
mod tray;
mod tray_icon;
mod updates;
#[cfg(target_os = "linux")]
mod webkit;
mod window_events;
mod windows;
mod words;

fn main() -> std::process::ExitCode {
    // The engine and its secrets are in this process. A failure is ignored: the system already restricts this
    // process.
    drop(engine::keep_memory_to_ourselves());
    if std::env::args_os().nth(1).is_some_and(|word| word == *updates::TRY) {
        updates::try_out();
    }
    app::run()
}
