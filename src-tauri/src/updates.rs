//! New versions of the app: looked for at the start and once a day when the person switched that on, and taken when they
//! say so.
//!
//! Tauri's updater reads `latest.json`, and proves the signature of a package and the version that it was signed for.
//! An AppImage is replaced here (`app_image`), because it must be whole at every moment; the other packages that replace
//! themselves are left to the updater. A deb, an rpm and an msi belong to the system: they are fetched, proven, and
//! installed by the person (`package`). A build without the feature `updater` asks nobody: whoever packs it says in
//! SKILLTENDER_UPDATED_BY who updates it.

#[cfg(feature = "updater")]
mod app_image;
#[cfg(feature = "updater")]
mod package;
#[cfg(feature = "updater")]
mod trial;
#[cfg_attr(not(feature = "updater"), path = "updates/nobody.rs")]
mod updater;

use std::{process::ExitCode, time::Duration};

use api::{Language, UpdateState};
use engine::{Engine, actions};
use tauri::{AppHandle, Manager as _};
use tokio::time::timeout;

use crate::words::Words;

pub(crate) use updater::{Updater, prepare};

/// The word with which the app says its version and ends: by then its libraries are loaded, which proves that it starts
/// here.
pub(crate) const TRY: &str = "--try";

/// The time between two looks, and between a look that failed and the next one.
const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

/// Says the version, for the update that tries this program.
#[expect(clippy::print_stdout, reason = "another program of ours reads it")]
pub(crate) fn say_version() -> ExitCode {
    println!("{}", env!("CARGO_PKG_VERSION"));
    ExitCode::SUCCESS
}

/// Looks for new versions, now and once a day, for as long as the person wants that, until the engine ends.
pub(crate) async fn follow(app: AppHandle, engine: Engine) {
    if let Err(why) = updater::begin(&app) {
        return know(&engine, UpdateState::Never { why }).await;
    }
    let mut snapshots = engine.snapshots();
    while snapshots.wait_for(|snapshot| snapshot.settings.updates.on).await.is_ok() {
        look(&app).await;
        let failed = matches!(engine.snapshot().settings.updates.state, UpdateState::Failed { .. });
        let switched_off = snapshots.wait_for(|snapshot| !snapshot.settings.updates.on);
        // Whether it was switched off or the time is over: the next turn sees.
        drop(timeout(if failed { HOUR } else { DAY }, switched_off).await);
    }
}

/// Looks for a new version now, unless this app never does, is busy with one, or has put one in place.
pub(crate) async fn look(app: &AppHandle) {
    let engine = app.state::<Engine>().inner().clone();
    let updater = app.state::<Updater>();
    let Ok(_busy) = updater.busy.try_lock() else { return };
    if matches!(engine.snapshot().settings.updates.state, UpdateState::Installed { .. }) || updater::begin(app).is_err()
    {
        return;
    }
    know(&engine, UpdateState::Looking).await;
    let known = updater::look(app).await;
    if let UpdateState::Found { version, .. } = &known {
        // The window says it in its own language.
        let message = Words::of(Language::English).with("updates.notice", "version", version);
        drop(actions::give_notice(&engine, "update", &message).await);
    }
    know(&engine, known).await;
}

/// Takes the version that was found: in its place it is started, a package is fetched.
pub(crate) async fn take(app: &AppHandle) {
    let engine = app.state::<Engine>().inner().clone();
    let updater = app.state::<Updater>();
    let Ok(_busy) = updater.busy.try_lock() else { return };
    // A page may ask for what was not found.
    let Some(known) = updater::take(app, &engine).await else { return };
    let installed = matches!(known, UpdateState::Installed { .. });
    know(&engine, known).await;
    if installed {
        crate::quit::start_anew(app);
    }
}

async fn know(engine: &Engine, known: UpdateState) {
    tracing::info!(?known, "new versions");
    // An engine that is quitting needs to know nothing.
    drop(actions::know_update(engine, known).await);
}
