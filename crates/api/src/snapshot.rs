//! Everything the window and the tray show at one moment.

use serde::Serialize;
use ts_rs::TS;

use super::{
    Client, Endpoint, Folder, FoundFolder, Keychain, ServerRow, Settings, SkillRow, SkillRows, SkillSet, SourceRow,
    Trashed,
};

/// Everything the window and the tray show, as it was at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Counts up with every snapshot of one run.
    #[ts(type = "number")]
    pub revision: u64,
    /// The app's version.
    pub version: String,
    /// Whether the first-run steps wait for an answer.
    pub first_run: bool,
    /// While the library is read at the start: how many skills were read so far. There are no skills until it is done.
    pub reading: Option<u32>,
    /// Every skill, the ones that need attention not first: sorted by name.
    #[ts(as = "Vec<SkillRow>")]
    pub skills: SkillRows,
    /// The servers that skills need, by name.
    pub servers: Vec<ServerRow>,
    /// The library folders, in order.
    pub folders: Vec<Folder>,
    /// Folders with skills on this computer that are not in the library.
    pub found: Vec<FoundFolder>,
    /// The sources that skills came from, by their names.
    pub sources: Vec<SourceRow>,
    /// Sets of skills, in the order in which they were made.
    pub sets: Vec<SkillSet>,
    /// Skills in the trash, the last one thrown away first.
    pub trash: Vec<Trashed>,
    /// The clients we know, found or not.
    pub clients: Vec<Client>,
    /// What the endpoint does.
    pub endpoint: Endpoint,
    /// What clients may use.
    pub settings: Settings,
    /// Whether secrets can be kept.
    pub keychain: Keychain,
    /// Things to say once, such as a state file that could not be read.
    pub notices: Vec<Notice>,
}

/// Something to say once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Notice {
    /// Names the notice, so that it can be put away.
    pub id: String,
    /// A full sentence.
    pub message: String,
}
