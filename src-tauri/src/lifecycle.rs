//! The app's surroundings: a display or the terminal, a single instance, and signals to end.

use std::{
    env, io,
    path::Path,
    process::{Command, ExitCode},
};
#[cfg(target_os = "linux")]
use std::{
    ffi::{OsStr, OsString},
    process::{self, Stdio},
};

use engine::{Engine, Machine};
use sha2::{Digest as _, Sha256};
use tauri::{AppHandle, Manager as _, async_runtime, plugin::TauriPlugin};

#[cfg(target_os = "linux")]
use crate::updates;
use crate::{address, desktop, events::Leave, quit, windows};

/// Whether a window can be shown. A display can be absent only with X or Wayland.
pub(crate) fn has_display() -> bool {
    let is_named = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_named("DISPLAY") || is_named("WAYLAND_DISPLAY")
}

/// Whether a start's arguments ask for no window, as at login.
pub(crate) fn in_background(arguments: impl IntoIterator<Item = String>) -> bool {
    arguments.into_iter().any(|argument| argument == engine::BACKGROUND)
}

/// Without a display: becomes `skilltender serve`, the same engine and endpoint in this terminal.
#[expect(clippy::print_stderr, reason = "without a display, the terminal is the only place to say it")]
pub(crate) fn run_in_terminal(machine: &Machine) -> ExitCode {
    eprintln!("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).");
    eprintln!("The same engine and endpoint run in this terminal instead of the window; Ctrl-C ends them.");
    let passed_on = env::args_os()
        .skip(1)
        .filter(|argument| argument != engine::BACKGROUND && !argument.to_str().is_some_and(address::is_one));
    let why = become_program(Command::new(&machine.program).arg("serve").args(passed_on));
    eprintln!("{} does not start: {why}. It belongs beside this program.", machine.program.display());
    ExitCode::FAILURE
}

/// Makes a second start show the window of the first. On Linux an instance with its own data folder
/// (SKILLTENDER_HOME) counts as a separate program; elsewhere only one instance runs.
pub(crate) fn one_instance(machine: &Machine) -> TauriPlugin<tauri::Wry> {
    let plugin = tauri_plugin_single_instance::Builder::new().callback(|app, arguments, _| {
        let addresses: Vec<_> = arguments.iter().filter(|argument| address::is_one(argument)).collect();
        addresses.iter().for_each(|address| desktop::open_address(app, address));
        if addresses.is_empty() && !in_background(arguments) {
            windows::show(app);
        }
    });
    if machine.default_data {
        return plugin.build();
    }
    let digest = Sha256::digest(machine.data.as_os_str().as_encoded_bytes());
    let own: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    plugin.dbus_id(format!("dev.skilltender.desktop.at{own}")).build()
}

/// Ctrl-C and the end of the session quit without a question; unsaved edits are put aside.
pub(crate) fn end_when_asked(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        match engine::asked_to_stop() {
            Ok(asked) => asked.await,
            Err(why) => return tracing::warn!("signals are not heard: {why}"),
        }
        quit::ask(&app, Leave::System);
    });
}

/// Another program of ours that takes over is heard like the end of the session.
pub(crate) fn end_for_another(app: &AppHandle, engine: &Engine) {
    let (app, asked) = (app.clone(), engine.asked_to_end());
    async_runtime::spawn(async move {
        asked.await;
        quit::ask(&app, Leave::System);
    });
}

/// Starts the program again and ends this one, whose engine has stopped and which gave up what another start would find.
/// A window that was shown is shown again.
pub(crate) fn start_again(app: &AppHandle, was_shown: bool) {
    let mut started = app.env();
    started.args_os.retain(|argument| !was_shown || *argument != *engine::BACKGROUND);
    #[cfg(target_os = "linux")]
    if let (Some(image), Some(files)) = (&started.appimage, &started.appdir) {
        start_image(image, files, started.args_os.iter().skip(1));
    }
    tauri::process::restart(&started);
}

/// Starts the AppImage that is in the place of this program's own now, and ends this program. Returns if that fails.
pub(crate) fn start_in_place(image: &Path) {
    #[cfg(target_os = "linux")]
    if let Some(files) = env::var_os("APPDIR") {
        let arguments: Vec<_> = env::args_os().skip(1).collect();
        start_image(image.as_os_str(), &files, arguments.iter());
    }
    tracing::error!("{} is not started", image.display());
}

/// Starts an AppImage once this one's files are gone, and ends this program. Where AppImages cannot be mounted, both
/// unpack their files to the same folder, which this one's start removes at its end. One that is on trial and dies is
/// started once more: that start puts the old one back.
#[cfg(target_os = "linux")]
fn start_image<'a>(image: &OsStr, files: &OsStr, arguments: impl Iterator<Item = &'a OsString>) {
    // At most ten seconds: some people tell their AppImages to leave the files.
    const WAIT: &str = r#"files=$1; trial=$2; shift 2; n=0
while [ -e "$files/AppRun" ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
[ -e "$trial" ] || exec "$@"
"$@" && exit
[ -e "$trial" ] && exec "$@""#;
    let mut waiting = engine::background("sh");
    waiting.args(["-c", WAIT, "sh"]).arg(files).arg(updates::sign_of_trial(image)).arg(image).args(arguments);
    match waiting.stdin(Stdio::null()).spawn() {
        Ok(_) => process::exit(0),
        Err(why) => tracing::error!("{} does not start: {why}", image.display()),
    }
}

/// Prints why nothing was started.
#[expect(clippy::print_stderr, reason = "there is no window yet that could say it")]
pub(crate) fn refuse(why: &dyn std::error::Error) -> ExitCode {
    eprintln!("Skilltender does not start: {why}");
    ExitCode::FAILURE
}

/// Replaces this process by another program; returns only when that one does not start.
#[cfg(unix)]
fn become_program(program: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    program.exec()
}

/// Never called: Windows always has a display.
#[cfg(not(unix))]
fn become_program(_: &mut Command) -> io::Error {
    io::ErrorKind::Unsupported.into()
}
