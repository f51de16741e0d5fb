//! Failures of the crates below, as errors of actions. Errors that are the engine's own are made where they happen, with
//! [`api::failed`].

use api::{ActionError, ErrorKind, failed};
use files::replace_file::ReplaceError;

/// The error of an action whose file could not be read or written.
#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
pub fn file_failed(error: ReplaceError) -> ActionError {
    let kind = match error {
        ReplaceError::Changed(_) => ErrorKind::Changed,
        ReplaceError::NoFolder(_)
        | ReplaceError::Full(_)
        | ReplaceError::Displaced { .. }
        | ReplaceError::System { .. } => ErrorKind::System,
        _ => ErrorKind::Refused,
    };
    failed(kind, error.to_string())
}
