//! Handles a running engine without a window (`skilltender serve`): reports it, and replaces it only when the user
//! agrees.

use engine::{Machine, orders};
use tauri::{AppHandle, Manager as _, async_runtime};
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons};

use crate::{app, desktop, words::Words};

/// Asks the user whether the engine of process `pid` may be ended.
pub(crate) fn offer(app: &AppHandle, pid: u32) {
    let words = Words::now(app);
    let question = words.with("engine.held", "pid", &pid.to_string());
    let answers = MessageDialogButtons::OkCancelCustom(
        words.say("engine.takeOver").to_owned(),
        words.say("engine.leave").to_owned(),
    );
    let there = app.clone();
    app.dialog().message(question).title("Skilltender").buttons(answers).show(move |is_wanted| {
        if is_wanted {
            async_runtime::spawn(async move { take(&there).await });
        } else {
            there.exit(0);
        }
    });
}

async fn take(app: &AppHandle) {
    let machine = app.state::<Machine>().inner().clone();
    if let Err(why) = orders::take_over(&machine).await {
        return app::fail(app, &desktop::sentences(&why));
    }
    let there = app.clone();
    // This fails only when the app has quit.
    drop(app.run_on_main_thread(move || app::open(&there, app::start(&there))));
}
