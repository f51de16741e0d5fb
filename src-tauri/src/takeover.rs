//! Handles a running engine without a window (`skilltender serve`): reports it, and replaces it only when the user
//! agrees.

use std::{io, time::Duration};

use engine::{LockError, StartError};
use tauri::{AppHandle, Manager as _, async_runtime};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons};

use crate::{app, words::Words};

/// The interval between checks whether the other engine has ended, and their number.
const PAUSE: Duration = Duration::from_millis(100);
const LOOKS: u32 = 100;

/// Asks the user whether the engine of process `pid` may be ended.
pub(crate) fn offer(app: &AppHandle, pid: u32) {
    let words = app.state::<Words>();
    let question = words.with("engine.held", "pid", &pid.to_string());
    let answers = MessageDialogButtons::OkCancelCustom(
        words.say("engine.takeOver").to_owned(),
        words.say("engine.leave").to_owned(),
    );
    let there = app.clone();
    app.dialog().message(question).title("Skilltender").buttons(answers).show(move |is_wanted| {
        if is_wanted {
            async_runtime::spawn(async move { take(&there, pid).await });
        } else {
            there.exit(0);
        }
    });
}

async fn take(app: &AppHandle, pid: u32) {
    if let Err(why) = ask_to_end(pid) {
        return app::fail(
            app,
            &format!("Process {pid} could not be asked to end: {why}. End it yourself, then start again."),
        );
    }
    let mut started = app::start(app).await;
    for _ in 0..LOOKS {
        if !matches!(started, Err(StartError::Lock(LockError::Held { .. }))) {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        started = app::start(app).await;
    }
    let there = app.clone();
    // This fails only when the app has quit.
    drop(app.run_on_main_thread(move || app::open(&there, started)));
}

#[cfg(unix)]
fn ask_to_end(pid: u32) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(kill_process(pid, Signal::TERM)?)
}

/// Windows has no way to ask a program in a terminal to end.
#[cfg(not(unix))]
fn ask_to_end(_: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
