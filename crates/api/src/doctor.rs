//! What was found when everything was looked at once, to be explained to a person.

use serde::Serialize;
use ts_rs::TS;

/// What one look at everything found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Checkup {
    /// The version that looked.
    pub version: String,
    /// The system that it runs on: `linux x86_64`.
    pub system: String,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub time: u64,
    /// What was found, one or more of each check, in the order of the checks.
    pub checks: Vec<Check>,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Check {
    /// Names the check: `client-file`, `port`, `keychain` ...
    pub id: String,
    /// Its state.
    pub state: CheckState,
    /// What was found, as a sentence.
    pub what: String,
    /// The file or folder that it is about, for people.
    pub place: Option<String>,
    /// What to do, as a sentence.
    pub todo: Option<String>,
    /// The id of the client that it is about.
    pub client: Option<String>,
}

/// The state of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should.
    Fine,
    /// It could not be found out.
    Unknown,
    /// It works, and somebody should look at it.
    Attention,
    /// Something does not work.
    Problem,
}
