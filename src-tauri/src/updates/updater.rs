//! Tauri's updater: what it is asked, and what its answers mean. No package of more than [`LARGEST`] bytes is fetched,
//! and a server that falls silent is not waited for.

use std::time::Duration;

use api::UpdateState;
use engine::Engine;
use parking_lot::Mutex as Short;
use tauri::{
    AppHandle, Builder, Context, Manager as _, Wry, async_runtime,
    utils::{config::BundleType, platform::bundle_type},
};
use tauri_plugin_updater::{Error, Update, UpdaterExt as _};
use tokio::sync::{Mutex, Notify};

use super::{Taken, app_image, first_start, know, package, trial};
use crate::quit::Next;

/// The largest package, in bytes: several times that of any release.
const LARGEST: usize = 512 << 20;
/// The time in which the server must say what is newest, and in which each part of a package must follow the last.
const PATIENCE: Duration = Duration::from_secs(60);
/// The name of the updater's configuration, which only a release has.
const PLUGIN: &str = "updater";

/// The version that was found, and whether the app is busy with one.
#[derive(Default)]
pub(crate) struct Updater {
    pub(super) busy: Mutex<()>,
    found: Short<Option<Update>>,
}

/// Adds Tauri's updater to an app that has its configuration.
pub(crate) fn prepare(app: Builder<Wry>, context: &mut Context) -> Builder<Wry> {
    trial::configure(context, PLUGIN);
    if !context.config().plugins.0.contains_key(PLUGIN) {
        return app;
    }
    app.plugin(tauri_plugin_updater::Builder::new().build())
}

/// Removes what an interrupted update left.
///
/// # Errors
/// When this app never looks for new versions: why, as a sentence.
pub(super) fn begin(app: &AppHandle) -> Result<(), String> {
    if !app.config().plugins.0.contains_key(PLUGIN) {
        return Err("This Skilltender is no release, so it does not look for new versions.".to_owned());
    }
    package::here()?;
    match bundle_type() {
        None => {
            Err("This Skilltender was not installed from a package, so it does not look for new versions.".to_owned())
        }
        Some(BundleType::AppImage) => {
            let image =
                first_start::image().ok_or("This Skilltender runs from the files of an AppImage that was unpacked.")?;
            app_image::sweep(&image);
            Ok(())
        }
        Some(_) => Ok(()),
    }
}

/// Asks which version is the newest.
pub(super) async fn look(app: &AppHandle) -> UpdateState {
    let updater =
        app.updater_builder().timeout(PATIENCE).configure_client(|client| client.read_timeout(PATIENCE)).build();
    let found = match updater {
        Ok(updater) => updater.check().await,
        Err(why) => Err(why),
    };
    match found {
        Ok(None) => UpdateState::Newest,
        Ok(Some(mut update)) => {
            // A package may take longer than an answer; it must only not fall silent.
            update.timeout = None;
            let known = offered(&update);
            *app.state::<Updater>().found.lock() = Some(update);
            known
        }
        Err(why) => UpdateState::Failed { why: format!("No new version could be looked for: {}", reason(&why)) },
    }
}

/// A version that may be taken.
fn offered(update: &Update) -> UpdateState {
    UpdateState::Found {
        version: update.version.clone(),
        notes: update.body.clone().filter(|notes| !notes.trim().is_empty()),
        itself: matches!(package::here(), Ok(None)),
    }
}

/// Fetches the version that was found, if one was, proves it, and puts it in place.
pub(super) async fn take(app: &AppHandle, engine: &Engine) -> Option<Taken> {
    let update = app.state::<Updater>().found.lock().clone()?;
    let version = update.version.clone();
    let failed = |why: String| Taken { known: UpdateState::Failed { why }, then: None };
    Some(match fetch(engine, &update).await {
        Ok(bytes) => place(app, update, bytes).await.unwrap_or_else(|why| failed(not_installed(&version, &why))),
        Err(why) => failed(format!("Skilltender {version} was not fetched: {}", reason(&why))),
    })
}

fn not_installed(version: &str, why: &str) -> String {
    format!("Skilltender {version} is not installed: {why}")
}

/// Fetches the package; its signature and its version hold.
async fn fetch(engine: &Engine, update: &Update) -> Result<Vec<u8>, Error> {
    let (mut fetched, mut said) = (0, None);
    let too_large = Notify::new();
    let (told, mut tell) = tokio::sync::watch::channel(None::<u8>);
    let progress = |part: usize, whole: Option<u64>| {
        fetched += part;
        if fetched > LARGEST || whole.is_some_and(|whole| whole > LARGEST as u64) {
            too_large.notify_one();
        }
        let percent = whole.filter(|whole| *whole > 0).map(|whole| (fetched as u64 * 100 / whole).min(100) as u8);
        if percent != said {
            said = percent;
            told.send_replace(percent);
        }
    };
    let show = async {
        loop {
            let percent = *tell.borrow_and_update();
            know(engine, UpdateState::Loading { version: update.version.clone(), percent }).await;
            if tell.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        fetched = update.download(progress, || ()) => fetched,
        () = too_large.notified() => Err(Error::Network(format!("it has more than {} MB", LARGEST >> 20))),
        () = show => Err(Error::ReleaseNotFound),
    }
}

/// Puts a proven package in the place of this one, or beside the person's other downloads.
async fn place(app: &AppHandle, update: Update, bytes: Vec<u8>) -> Result<Taken, String> {
    let version = update.version.clone();
    if let Some(kind) = package::here()? {
        let command = package::save(app, kind, &version, bytes).await?;
        return Ok(Taken { known: UpdateState::Saved { version, command }, then: None });
    }
    if cfg!(windows) {
        // Windows' installer replaces programs that have ended. Until then the version is only offered, as before: the
        // person may stay.
        let known = offered(&update);
        let install = move || update.install(bytes).err().map(|why| not_installed(&version, &reason(&why)));
        return Ok(Taken { known, then: Some(Next::Installer(Box::new(install))) });
    }
    let known = UpdateState::Installed { version: version.clone() };
    match first_start::image().filter(|_| bundle_type() == Some(BundleType::AppImage)) {
        Some(image) => app_image::replace(image, bytes, version).await?,
        None => async_runtime::spawn_blocking(move || update.install(bytes))
            .await
            .map_err(|why| why.to_string())?
            .map_err(|why| reason(&why))?,
    }
    Ok(Taken { known, then: Some(Next::Program) })
}

/// Why, for a person.
fn reason(error: &Error) -> String {
    match error {
        Error::Minisign(_) | Error::Base64(_) | Error::SignatureUtf8(_) => {
            "its signature is not by Skilltender's key, so it may be somebody else's.".to_owned()
        }
        Error::SignedVersionMismatch { signed, announced } => {
            format!(
                "it was signed as version {signed} and is offered as {announced}, so somebody may be hiding what it is."
            )
        }
        Error::MissingSignedVersion => "its signature names no version, so it may be an older one.".to_owned(),
        Error::TargetNotFound(_) | Error::TargetsNotFound(_) => {
            "it has no package of the kind that is installed here.".to_owned()
        }
        Error::Reqwest(why) if why.is_timeout() => "the server does not answer in time.".to_owned(),
        Error::Reqwest(why) if why.is_connect() => "the server cannot be reached.".to_owned(),
        Error::Reqwest(_) => "the connection broke off.".to_owned(),
        other => {
            let text = other.to_string();
            let text = text.trim_end_matches('.');
            format!("{text}.")
        }
    }
}
