//! What a person does when something does not work: have everything looked at.

use std::path::PathBuf;

use super::{blocking, failed};
use crate::{
    Engine, clock,
    doctor::{self, Facts},
    guest, servers,
    view::{ActionError, Checkup, ErrorKind},
};

/// Larger than any report; what is larger is somebody else's file.
const LARGEST: u64 = 1 << 20;

/// Looks at everything once and explains what it found. Nothing is changed.
///
/// # Errors
/// When the engine is quitting.
pub async fn doctor(engine: &Engine) -> Result<Checkup, ActionError> {
    // Which servers may run is known once somebody looked.
    servers::look_now(engine).await;
    let facts = Facts::gather(engine).await;
    Ok(Checkup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        time: clock::now(),
        checks: doctor::examine(&facts),
    })
}

/// What could not be saved yet, as a sentence.
///
/// # Errors
/// When the engine is quitting.
pub async fn read_unsaved(engine: &Engine) -> Result<Option<String>, ActionError> {
    engine.change(|state| state.unsaved.clone()).await
}

/// What was found, as a text to attach to an issue: without secrets and tokens, without the person's name,
/// and with `~` for their home folder.
pub fn doctors_report(engine: &Engine, checkup: &Checkup) -> String {
    doctor::report(checkup, &engine.snapshot(), engine.machine())
}

/// Looks at everything and writes [what was found](doctors_report) into a text file. Another report that is there is
/// replaced: the person chose it.
///
/// # Errors
/// When the path is not absolute, not that of a text file or of something else, or the file cannot be written.
pub async fn save_report(engine: &Engine, to: &str) -> Result<(), ActionError> {
    let path = PathBuf::from(to);
    if !path.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{to} is not an absolute path.")));
    }
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("txt")) {
        return Err(failed(ErrorKind::Input, format!("{to} is no text file. Let its name end in .txt.")));
    }
    let report = doctors_report(engine, &doctor(engine).await?);
    blocking(move || {
        let there = guest::read(&path, LARGEST)?;
        if there.as_ref().is_some_and(|there| !there.starts_with(doctor::BEGINNING.as_bytes())) {
            let message = format!("{} is there already and is no report, so nothing was written.", path.display());
            let hints = vec!["Choose another name.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message, hints });
        }
        Ok(guest::replace(&path, there.as_deref(), Some(report.as_bytes()))?)
    })
    .await
}
