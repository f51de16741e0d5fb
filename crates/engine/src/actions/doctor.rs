//! What a person does when something does not work: have everything looked at.

use crate::{
    Engine, clock,
    doctor::{self, Facts},
    view::{ActionError, Checkup},
};

/// Looks at everything once and explains what it found. Nothing is changed.
///
/// # Errors
/// When the engine is quitting.
pub async fn doctor(engine: &Engine) -> Result<Checkup, ActionError> {
    let facts = Facts::gather(engine).await;
    Ok(Checkup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        time: clock::now(),
        checks: doctor::examine(&facts),
    })
}

/// What was found, as a text to attach to an issue: without secrets and tokens, without the person's name,
/// and with `~` for their home folder.
pub fn doctors_report(engine: &Engine, checkup: &Checkup) -> String {
    doctor::report(checkup, &engine.snapshot(), engine.machine())
}
