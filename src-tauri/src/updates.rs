//! New versions of the app: looked for at the start and once a day when the person switched that on, and taken when they
//! say so.
//!
//! Tauri's updater reads `latest.json`, and proves the signature of a package and the version that it was signed for.
//! An AppImage is replaced here (`app_image`), because it must be whole at every moment; the other packages that replace
//! themselves are left to the updater: Windows' installer is started once the window has been asked and this program has
//! ended. A deb, an rpm and an msi belong to the system: they are fetched, proven, and installed by the person
//! (`package`). Whoever packs Skilltender themselves says who updates it (`packer`), and that one asks nobody; neither
//! does a build without the feature `updater`.

#[cfg(feature = "updater")]
mod app_image;
mod first_start;
#[cfg(feature = "updater")]
mod package;
mod packer;
#[cfg(feature = "updater")]
mod trial;
#[cfg_attr(not(feature = "updater"), path = "updates/nobody.rs")]
mod updater;

use std::{path::PathBuf, process, thread, time::Duration};

use api::{Language, UpdateState};
use engine::{Engine, Lockable, Machine, actions};
use parking_lot::Mutex as Short;
use tauri::{AppHandle, Manager as _, async_runtime};
use tokio::time::timeout;

use self::first_start::Start;
use crate::{lifecycle, quit, remembered::Remembered, words::Words};

pub(crate) use updater::{Updater, prepare};

/// The word with which the app tries itself and ends: it says its version if its libraries are loaded and an engine
/// that only reads starts on what this person has.
pub(crate) const TRY: &str = "--try";

/// The time of a trial; whoever started it waits a little longer.
const TRIAL: Duration = Duration::from_secs(90);

/// The time between two looks, and between a look that failed and the next one.
const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

/// Tries this program for the update that would put it in place: without a display, without a window, and without
/// changing anything.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "another program of ours reads it")]
pub(crate) fn try_out() -> ! {
    // A disk that hangs must not keep this program.
    thread::spawn(|| {
        thread::sleep(TRIAL);
        eprintln!("It does not start in {} seconds.", TRIAL.as_secs());
        process::exit(1);
    });
    let tried = Machine::here(None).map_err(|why| why.to_string());
    match tried.and_then(|machine| async_runtime::block_on(engine::try_out(machine))) {
        Ok(()) => println!("{}", env!("CARGO_PKG_VERSION")),
        Err(why) => {
            eprintln!("{why}");
            process::exit(1);
        }
    }
    // Not by returning, which would wait for what still reads.
    process::exit(0);
}

/// The start of this program, while it is not sure that it comes up.
#[derive(Default)]
pub(crate) struct Starting(Short<Known>);

/// What is known of the start.
#[derive(Default)]
struct Known {
    /// The AppImage that was started.
    image: Option<PathBuf>,
    /// The file with this start's line, if it is the first one of a new AppImage.
    line: Option<Lockable>,
    /// Whether it is known that it does not come up.
    failed: bool,
    /// The version that did not come up, before this one was put back.
    back: Option<String>,
}

impl Starting {
    /// Looks what start this is, before anything of it can fail. Does not return if the AppImage did not come up before:
    /// the old one is back in its place, and is started.
    pub(crate) fn look(machine: &Machine) -> Self {
        let Some(image) = first_start::image() else { return Self::default() };
        // This start will give way to the program that runs, so it says nothing of the AppImage.
        if actions::running(machine).is_some() {
            return Self(Short::new(Known { image: Some(image), ..Known::default() }));
        }
        let (mut line, mut back) = (None, None);
        match Start::of(&image) {
            Start::Usual => {}
            Start::First(file) => line = Some(file),
            Start::PutBack => lifecycle::start_in_place(&image),
            Start::Back(version) => back = Some(version),
        }
        Self(Short::new(Known { image: Some(image), line, back, ..Known::default() }))
    }

    /// The engine runs, and the window or the tray is there: an old AppImage is not needed any more.
    fn came_up(&self) -> Option<String> {
        let mut known = self.0.lock();
        known.line = None;
        if let Some(Err(why)) = known.image.as_deref().map(first_start::forget) {
            tracing::warn!("the old AppImage stays: {why}");
        }
        known.back.take()
    }

    /// The program does not come up: the start after it has ended puts the old one back.
    pub(crate) fn failed(&self) {
        self.0.lock().failed = true;
    }

    /// The program ends. A start that has not come up by then proved nothing, if it did not fail.
    pub(crate) fn ends(&self) {
        let Known { line, failed, .. } = &mut *self.0.lock();
        if let Some(line) = line.as_mut().filter(|_| !*failed)
            && let Err(why) = first_start::take_back(line)
        {
            tracing::warn!("this start counts: {why}");
        }
    }
}

/// The file that is there while the AppImage is on trial.
#[cfg(target_os = "linux")]
pub(crate) fn sign_of_trial(image: &std::ffi::OsStr) -> PathBuf {
    first_start::beside(std::path::Path::new(image), "trial")
}

/// The engine runs, and the window or the tray is there. Says what became of an update before.
pub(crate) async fn came_up(app: &AppHandle, engine: &Engine) {
    let english = Words::of(Language::English);
    let back = app.state::<Starting>().came_up();
    if let Some(version) = back {
        let said = english.with("updates.back", "version", &version).replace("{ours}", env!("CARGO_PKG_VERSION"));
        tracing::warn!("{said}");
        // The window says it in its own language, by the version in the id.
        drop(actions::give_notice(engine, &format!("update-back:{version}"), &said).await);
    }
    let remembered = app.state::<Remembered>();
    if let Some(why) = remembered.get().update_failed {
        drop(actions::give_notice(engine, "update-failed", &why).await);
        remembered.change(|memory| memory.update_failed = None);
    }
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
    let Some(Taken { known, then }) = updater::take(app, &engine).await else { return };
    know(&engine, known).await;
    if let Some(then) = then {
        quit::start_anew(app, then);
    }
}

/// What became of a version that was taken.
struct Taken {
    known: UpdateState,
    /// What is started once this program has ended.
    then: Option<quit::Next>,
}

async fn know(engine: &Engine, known: UpdateState) {
    tracing::info!(?known, "new versions");
    // An engine that is quitting needs to know nothing.
    drop(actions::know_update(engine, known).await);
}
