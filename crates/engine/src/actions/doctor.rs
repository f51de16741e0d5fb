//! Diagnoses problems: runs every check and reports the results.

use std::path::PathBuf;

use api::{ActionError, Checkup, ErrorKind, failed};
use connect::file_failed;
use files::replace_file;
use machine::clock;
use state::blocking;

use crate::{
    Engine,
    doctor::{self, Facts},
};

/// Larger than any report; a larger file is not one of our reports.
const LARGEST: u64 = 1 << 20;

/// Checks everything once and explains the results. Changes nothing.
///
/// # Errors
/// When the engine is quitting.
pub async fn doctor(engine: &Engine) -> Result<Checkup, ActionError> {
    // Which servers may run is known only after a check.
    engine.gateway().reconcile().await;
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
    engine.state().flush().await?;
    Ok(engine.state().now().unsaved.clone())
}

/// The results as a text to attach to an issue: without secrets, tokens or the user's name, and with `~` for the home
/// folder.
pub fn doctors_report(engine: &Engine, checkup: &Checkup) -> String {
    doctor::report(checkup, &engine.snapshot(), engine.machine())
}

/// Checks everything and writes the [report](doctors_report) to a text file. An existing report is replaced, because
/// the user chose it.
///
/// # Errors
/// When the path is not absolute, is not that of a text file, or names a file that is not a report; or the file cannot
/// be written.
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
        let there = replace_file::read(&path, LARGEST).map_err(file_failed)?;
        if there.as_ref().is_some_and(|there| !there.starts_with(doctor::BEGINNING.as_bytes())) {
            let message = format!("{} is there already and is no report, so nothing was written.", path.display());
            let hints = vec!["Choose another name.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message, hints });
        }
        replace_file::replace(&path, there.as_deref(), Some(report.as_bytes())).map_err(file_failed)
    })
    .await
}
