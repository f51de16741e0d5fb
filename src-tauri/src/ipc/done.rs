//! What a command answers.

use api::ActionError;

/// The answer, or why there is none.
pub(super) type Done<T = ()> = Result<T, ActionError>;
