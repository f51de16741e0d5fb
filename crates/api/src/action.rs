//! What an action takes and how it fails.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answers of the first run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FirstRun {
    /// Paths of found folders to add.
    pub folders: Vec<String>,
    /// Whether the skills that are ready are to be on: the starter skills stay on, and of the others the person is shown
    /// what they carry before they switch them on.
    pub enable_ready: bool,
    /// Those of the folders whose later skills are switched on as they appear.
    pub enable_new: Vec<String>,
}

/// Why an action was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct ActionError {
    /// What the window branches on.
    pub kind: ErrorKind,
    /// Full sentences: what happened, where.
    pub message: String,
    /// What to do next.
    pub hints: Vec<String>,
}

/// An error without hints.
pub fn failed(kind: ErrorKind, message: impl Into<String>) -> ActionError {
    ActionError { kind, message: message.into(), hints: Vec::new() }
}

/// The kinds of failure that the window treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// What the action names is not there any more.
    NotFound,
    /// Nothing has the name that was given; a hint says what comes near.
    Unknown,
    /// It is so already, and nothing needs to be done.
    Already,
    /// It changed since it was shown; look again.
    Changed,
    /// Somebody else's file cannot be changed safely.
    Refused,
    /// No keychain answers.
    Keychain,
    /// The input does not hold.
    Input,
    /// The disk or the system failed.
    System,
}
