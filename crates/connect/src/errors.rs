//! Failures of the crates below, as errors of actions. Errors that are the engine's own are made where they happen, with
//! [`api::failed`].

use api::{ActionError, ErrorKind, failed};
use files::guest::GuestError;

/// The error of an action whose file could not be read or written.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub fn file_failed(error: GuestError) -> ActionError {
    let kind = match error {
        GuestError::Changed(_) => ErrorKind::Changed,
        GuestError::NoFolder(_) | GuestError::Full(_) | GuestError::Displaced { .. } | GuestError::System { .. } => {
            ErrorKind::System
        }
        _ => ErrorKind::Refused,
    };
    failed(kind, error.to_string())
}
