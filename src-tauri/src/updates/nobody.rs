//! In place of the updater, in a build without it.

use api::UpdateState;
use engine::Engine;
use tauri::{AppHandle, Builder, Context, Wry};
use tokio::sync::Mutex;

use super::{Taken, packer};

/// Nothing to keep.
#[derive(Default)]
pub(crate) struct Updater {
    pub(super) busy: Mutex<()>,
}

/// The app as it is.
pub(crate) fn prepare(app: Builder<Wry>, _: &mut Context) -> Builder<Wry> {
    app
}

/// Who updates this build, as an error.
pub(super) fn begin(_: &AppHandle) -> Result<(), String> {
    let built = option_env!("SKILLTENDER_UPDATED_BY").unwrap_or("This Skilltender is updated by whoever packed it.");
    Err(packer::said().unwrap_or_else(|| built.to_owned()))
}

/// Never called: `begin` fails.
pub(super) async fn look(app: &AppHandle) -> UpdateState {
    begin(app).map_or_else(|why| UpdateState::Never { why }, |()| UpdateState::Unknown)
}

/// Nothing is ever found.
pub(super) async fn take(_: &AppHandle, _: &Engine) -> Option<Taken> {
    None
}
