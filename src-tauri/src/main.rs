//! The program `skilltender-app`: the window and the tray around the engine.

// A window program opens no console on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod chosen;
mod consent;
mod desktop;
mod events;
mod face;
mod ipc;
mod leaving;
mod lifecycle;
mod link;
mod menu;
mod takeover;
mod tray;
mod windows;
mod words;

fn main() -> std::process::ExitCode {
    // The engine is in this process, and secrets with it. A system that refuses lets us do less than anybody may.
    drop(engine::keep_memory_to_ourselves());
    app::run()
}
