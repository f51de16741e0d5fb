//! What the server needs from whoever runs it. Two real implementations: the engine, and an
//! in-memory one for this crate's own tests.

use std::{io, sync::Arc, time::Duration};

use skills::{Catalog, Entry, SkillPath};
use tokio::sync::broadcast;

/// Where the server gets its skills, and whom it tells what happened.
pub trait Host: Send + Sync + 'static {
    /// What this client may see now. The host checks for staleness before it answers.
    fn catalog(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send;

    /// The present bytes of one file of a skill, read beneath the skill's folder.
    fn read(&self, entry: &Entry, path: &SkillPath) -> impl Future<Output = io::Result<Vec<u8>>> + Send;

    /// Whether serving is paused: lists are then empty and calls answer one sentence.
    fn paused(&self) -> bool;

    /// Tells, debounced, that something may look different now.
    fn changes(&self) -> broadcast::Receiver<Change>;

    /// Takes note of what a client did. Never holds arguments or contents.
    fn note(&self, note: Note);
}

/// Who is asking: known from the token, or from the bridge's hello.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The client's id, or `by-hand`.
    pub client: String,
}

/// Something may look different now. The server compares its own lists before it tells anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Skills came, went, were switched, or look different in a list.
    Skills,
    /// These files changed: skill ids and paths.
    Files(Arc<[(String, SkillPath)]>),
}

/// One thing that a client did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It opened a connection, or first spoke without one.
    Connected {
        /// Who.
        caller: Caller,
        /// The name and version that it gave of itself.
        name: Option<String>,
        /// The protocol revision.
        protocol: String,
    },
    /// Its connection ended.
    Disconnected {
        /// Who.
        caller: Caller,
    },
    /// It called something.
    Called {
        /// Who.
        caller: Caller,
        /// `tools/call`, `resources/read` ...
        method: String,
        /// The tool, prompt or URI.
        target: String,
        /// Whether it got what it asked for.
        ok: bool,
        /// How long it took.
        took: Duration,
        /// Bytes of the answer's content.
        bytes: u64,
    },
}
