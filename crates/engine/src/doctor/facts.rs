//! What the checks of the doctor look at. Gathering it is left to [`super::gather`].

use std::sync::Arc;

use api::{ServerRow, Snapshot};
use machine::{processes::Process, session_bus::BusFacts};

/// The input of all checks.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) engine: EngineFact,
    pub(crate) port: PortFact,
    pub(crate) programs: Vec<ProgramFact>,
    /// The names of a client's processes, by its id.
    pub(crate) process_names: Vec<(String, &'static [&'static str])>,
    /// `None` where the system does not list processes reliably.
    pub(crate) processes: Option<Vec<Process>>,
    pub(crate) unsettled: Vec<Unsettled>,
    pub(crate) runtimes: Vec<RuntimeFact>,
    /// The servers that skills need, as reported by the running engine.
    pub(crate) servers: Vec<ServerRow>,
    pub(crate) watches: Option<WatchFact>,
    pub(crate) bus: BusFacts,
    /// Files that other users can read but should not; `None` where this cannot be determined.
    pub(crate) open_files: Option<Vec<OpenFile>>,
    /// What the writing engine could not save yet, as a sentence.
    pub(crate) unsaved: Option<String>,
    /// Why files of ours cannot be read, as sentences.
    pub(crate) unreadable: Vec<String>,
    /// State files that were unreadable and set aside, for display.
    pub(crate) set_aside: Vec<String>,
}

/// Which engine writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EngineFact {
    /// The one that runs the checks.
    This,
    /// Another process; its version, if it answers.
    Other { pid: Option<u32>, version: Option<String> },
    /// None.
    Nobody,
}

/// The HTTP port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PortFact {
    /// No port was chosen yet.
    None,
    /// It is free, and no engine serves.
    Free(u16),
    /// Our engine listens there.
    Ours(u16),
    /// Another program listens there.
    Held { port: u16, holder: Option<String> },
}

/// The program that a client's entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProgramFact {
    pub(crate) client: String,
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) state: ProgramState,
}

/// What is at the path where an entry expects our program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProgramState {
    /// The program of this version.
    Ours,
    /// Nothing.
    Gone,
    /// A program that reports this version.
    Says(String),
    /// A program that does not report a version.
    Silent,
}

/// A file that other users can read but should not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenFile {
    /// The file's path for display.
    pub(crate) place: String,
    /// The id and the name of the client that owns it; `None` if it is ours.
    pub(crate) client: Option<(String, String)>,
}

/// A change that is in the journal but not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsettled {
    pub(crate) client: String,
    pub(crate) place: String,
}

/// A program that servers of enabled skills need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuntimeFact {
    pub(crate) command: String,
    /// The skills that need it, by name.
    pub(crate) skills: Vec<String>,
    /// Whether the command is a path: in the skill's folder, or an absolute one.
    pub(crate) path: bool,
    pub(crate) there: bool,
}

/// The number of folders that may be watched, and the number in the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WatchFact {
    pub(crate) allowed: u64,
    pub(crate) folders: u64,
}
