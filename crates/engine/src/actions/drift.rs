//! What a person does when somebody else changed our entry in a client's file, or took it out.

use super::failed;
use crate::{
    Engine,
    view::{ActionError, Drift, DriftChoice, ErrorKind},
};

/// Our entry as we wrote it, as it stands there now, and what stood there before us.
///
/// # Errors
/// When there is no such client, its file cannot be read, or nothing has drifted.
pub async fn read_drift(_engine: &Engine, _client: &str, _project: Option<String>) -> Result<Drift, ActionError> {
    Err(failed(ErrorKind::NotFound, "Our entry stands there as it was written."))
}

/// Settles a drift without writing into the client's file.
///
/// # Errors
/// As [`read_drift`]; `Changed` when something else stands there than was shown.
pub async fn settle_drift(
    _engine: &Engine,
    _client: &str,
    _project: Option<String>,
    _drift_id: &str,
    _choice: DriftChoice,
) -> Result<(), ActionError> {
    Err(failed(ErrorKind::NotFound, "Our entry stands there as it was written."))
}
