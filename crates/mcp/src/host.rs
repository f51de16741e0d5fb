//! What the server needs from whoever runs it. Two real implementations: the engine, and an
//! in-memory one for this crate's own tests.

use std::{io, sync::Arc, time::Duration};

use skills::{Catalog, Entry, SkillPath};
use tokio::sync::watch;

use crate::{Surface, Surfaces};

/// Where the server gets its skills, and whom it tells what happened.
pub trait Host: Send + Sync + 'static {
    /// What this client may see now. The host checks for staleness before it answers.
    fn catalog(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send;

    /// The present bytes of one file of a skill, read beneath the skill's folder.
    fn read(&self, entry: &Entry, path: &SkillPath) -> impl Future<Output = io::Result<Vec<u8>>> + Send;

    /// Whether serving is paused: lists are then empty and calls answer one sentence.
    fn paused(&self) -> bool;

    /// Which parts of the server this client may use now.
    fn surfaces(&self, caller: &Caller) -> Surfaces;

    /// Whether packed skills are offered beside their files (decision 31).
    fn archives(&self) -> bool;

    /// Why a skill that is served is not ready to be used, as sentences for an agent (decision 25).
    fn remark(&self, entry: &Entry) -> Option<String>;

    /// A number that goes up, debounced, whenever a skill, one of its files, a choice or `paused`
    /// may look different. The server compares its own lists before it tells a client anything.
    fn changes(&self) -> watch::Receiver<u64>;

    /// Takes note of what a client did. Never holds arguments or contents.
    fn note(&self, note: Note);
}

/// Who is asking: known from the token, or from the bridge's hello.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The client's id, or `by-hand`.
    pub client: String,
}

/// One thing that a client did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It opened a connection that lasts. One `Disconnected` follows each of these.
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
    /// It spoke without a connection, for the first time or under another name: HTTP since 2026-07-28.
    Met {
        /// Who.
        caller: Caller,
        /// The name and version that it gave of itself.
        name: Option<String>,
        /// The protocol revision.
        protocol: String,
    },
    /// It called something.
    Called {
        /// Who.
        caller: Caller,
        /// Which part of the server.
        surface: Surface,
        /// `tools/call`, `resources/read` ...
        method: String,
        /// The tool, prompt or URI; empty for a list.
        target: String,
        /// Whether it got what it asked for.
        ok: bool,
        /// How long it took.
        took: Duration,
        /// Bytes of the request's parameters, as JSON.
        bytes_in: u64,
        /// Bytes of the answer, as JSON.
        bytes_out: u64,
    },
}
