//! Builds the Tauri app, starts the engine and hands it to the rest.

use std::process::ExitCode;

use engine::{Engine, Machine, Mode, actions};
use tauri::{AppHandle, Manager as _, RunEvent, async_runtime};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogKind};

use crate::{events, ipc, lifecycle, tray, windows, words::Words};

/// Runs Skilltender until the user quits.
pub(crate) fn run() -> ExitCode {
    let machine = match Machine::here(None) {
        Ok(machine) => machine,
        Err(why) => return lifecycle::refuse(&why),
    };
    if !lifecycle::has_display() {
        return lifecycle::run_in_terminal(&machine);
    }
    let app = tauri::Builder::default()
        .plugin(lifecycle::one_instance(&machine))
        .plugin(tauri_plugin_dialog::init())
        .manage(machine)
        .manage(Words::english())
        .invoke_handler(ipc::commands())
        .on_window_event(windows::on_event)
        .build(tauri::generate_context!());
    match app {
        Ok(app) => app.run(on_event),
        Err(why) => return lifecycle::refuse(&why),
    }
    ExitCode::SUCCESS
}

fn on_event(app: &AppHandle, event: RunEvent) {
    match event {
        RunEvent::Ready => begin(app),
        // The last window is gone, but the tray is not.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => end(app),
        _ => {}
    }
}

/// Starts the engine, then opens what shows it. When it does not start, says why and ends.
fn begin(app: &AppHandle) {
    let machine = app.state::<Machine>().inner().clone();
    match async_runtime::block_on(Engine::start(machine, Mode::Writing)) {
        Ok(engine) => open(app, engine),
        Err(why) => fail(app, &why.to_string()),
    }
}

/// Opens the window and the tray on an engine that runs.
fn open(app: &AppHandle, engine: Engine) {
    app.manage(engine.clone());
    let machine = engine.machine();
    if let Err(why) = windows::open(app, machine).and_then(|()| tray::open(app, machine)) {
        return fail(app, &why.to_string());
    }
    lifecycle::end_on_signals(app);
    async_runtime::spawn(events::follow(app.clone(), engine.clone()));
    if !tray::is_shown() {
        let words = app.state::<Words>().say("tray.absent").to_owned();
        // An engine that is quitting already needs no words.
        async_runtime::spawn(async move { drop(actions::give_notice(&engine, "no-tray", &words).await) });
    }
}

fn fail(app: &AppHandle, why: &str) {
    tracing::error!("{why}");
    let there = app.clone();
    app.dialog().message(why).title("Skilltender").kind(MessageDialogKind::Error).show(move |_| there.exit(1));
}

fn end(app: &AppHandle) {
    if let Some(engine) = app.try_state::<Engine>() {
        async_runtime::block_on(engine.stop());
    }
}
