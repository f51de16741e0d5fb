//! Builds the Tauri app, starts the engine and hands it to the other modules.

use std::{env, process::ExitCode};

use api::Language;
use engine::{Beginning, Engine, LockError, Machine, Mode, StartError, actions};
use tauri::{AppHandle, Manager as _, RunEvent, async_runtime};
use tauri_plugin_dialog::MessageDialogKind;

use crate::{
    address,
    chosen::Chosen,
    desktop, ipc, lifecycle,
    main_page::MainPage,
    notifications,
    quit::{Again, Anew, Stays},
    remembered::Remembered,
    snapshots, takeover,
    teams::Teams,
    tray,
    updates::{self, Starting, Updater},
    window_events, windows,
    words::Words,
};

/// Runs Skilltender until the user quits.
pub(crate) fn run() -> ExitCode {
    engine::start_log();
    let machine = match Machine::here(None) {
        Ok(machine) => machine,
        Err(why) => return lifecycle::refuse(&why),
    };
    if !lifecycle::has_display() {
        return lifecycle::run_in_terminal(&machine);
    }
    let starting = Starting::look(&machine);
    #[cfg(target_os = "linux")]
    crate::webkit::draw_as_can_be();
    let mut context = tauri::generate_context!();
    let app = updates::prepare(tauri::Builder::default(), &mut context)
        .plugin(lifecycle::one_instance(&machine))
        .plugin(tauri_plugin_dialog::init())
        .manage(Remembered::open(machine.data.join("window.json")))
        .manage(machine)
        .manage(MainPage::default())
        .manage(Stays::default())
        .manage(Anew::default())
        .manage(Updater::default())
        .manage(starting)
        .manage(Chosen::default())
        .manage(Teams::default())
        .invoke_handler(ipc::commands())
        .on_window_event(window_events::on_event)
        .build(context);
    match app {
        Ok(app) => app.run(on_event),
        Err(why) => return lifecycle::refuse(&why),
    }
    ExitCode::SUCCESS
}

fn on_event(app: &AppHandle, event: RunEvent) {
    match event {
        RunEvent::Ready => {
            lifecycle::end_when_asked(app);
            begin(app);
        }
        // The last window has ended, but the tray remains.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::ExitRequested { .. } => windows::remember_place(app),
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => windows::show(app),
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => urls.iter().for_each(|url| desktop::open_address(app, url.as_str())),
        RunEvent::Exit => end(app),
        _ => {}
    }
}

/// Starts the engine; when another one runs, asks first.
fn begin(app: &AppHandle) {
    match start(app) {
        Err(StartError::Lock(LockError::Held { pid: Some(pid) })) => takeover::offer(app, pid),
        started => open(app, started),
    }
}

/// Starts this user's only writing engine. Its library is read once the window is there.
pub(crate) fn start(app: &AppHandle) -> Result<Beginning, StartError> {
    let machine = app.state::<Machine>().inner().clone();
    async_runtime::block_on(async { Engine::begin(machine, Mode::Writing) })
}

/// Opens the window and the tray for a starting engine, or shows why it did not start.
pub(crate) fn open(app: &AppHandle, started: Result<Beginning, StartError>) {
    let beginning = match started {
        Ok(beginning) => beginning,
        Err(why) => return fail(app, &why.to_string()),
    };
    let engine = beginning.engine().clone();
    app.manage(engine.clone());
    let machine = engine.machine();
    let has_tray = machine.shows_tray();
    let hidden = has_tray && lifecycle::in_background(env::args());
    let there = app.clone();
    let read = async_runtime::spawn(async move {
        // Reading takes every processor, and the window needs one for half a second.
        if !hidden {
            there.state::<MainPage>().is_drawn().await;
        }
        beginning.finish().await;
    });
    // In the background the tray is enough; it opens the first window.
    let opened = if hidden { Ok(()) } else { windows::open(app) };
    if let Err(why) = opened.and_then(|()| tray::open(app, machine)) {
        return fail(app, &why.to_string());
    }
    let (there, up) = (app.clone(), engine.clone());
    async_runtime::spawn(async move {
        if read.await.is_ok() {
            updates::came_up(&there, &up).await;
        }
    });
    lifecycle::end_for_another(app, &engine);
    async_runtime::spawn(snapshots::follow(app.clone(), engine.clone()));
    env::args().skip(1).filter(|argument| address::is_one(argument)).for_each(|it| desktop::open_address(app, &it));
    async_runtime::spawn(notifications::follow(app.clone(), engine.clone()));
    async_runtime::spawn(updates::follow(app.clone(), engine.clone()));
    if !has_tray {
        // The window says it in its own language. An engine that is already quitting needs no notice.
        let words = Words::of(Language::English).say("tray.absent");
        async_runtime::spawn(async move { drop(actions::give_notice(&engine, "no-tray", words).await) });
    }
}

/// Shows why there is no window, and quits.
pub(crate) fn fail(app: &AppHandle, why: &str) {
    tracing::error!("{why}");
    app.state::<Starting>().failed();
    let there = app.clone();
    desktop::tell(app, MessageDialogKind::Error, why, move || there.exit(1));
}

fn end(app: &AppHandle) {
    if let Some(engine) = app.try_state::<Engine>() {
        async_runtime::block_on(engine.stop());
    }
    app.state::<Starting>().ends();
    // A second start, and an installer, would find this one.
    app.cleanup_before_exit();
    if let Some(Again { was_shown, trouble }) = app.state::<Anew>().follow() {
        if trouble.is_some() {
            app.state::<Remembered>().change(|memory| memory.update_failed = trouble);
        }
        lifecycle::start_again(app, was_shown);
    }
}
