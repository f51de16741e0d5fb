//! The interface between the server and the program that runs it. It has two real implementations: the engine, and an
//! in-memory one for this crate's own tests.

use std::{
    io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use files::{Manifest, Part};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use skills::{Catalog, Entry, SkillPath};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::DropGuard;

use crate::{CallContext, CallFailure, MemoryBudget, Offered, Peer, Surface, Surfaces, UpstreamRequest, WorkFolder};

/// Supplies skills to the server, and receives its events.
pub trait Host: Send + Sync + 'static {
    /// The skills that this client may see now. The host checks for staleness before it answers.
    fn catalog(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send;

    /// The skills that this client could see when the library was last read: enough to find a file, which is then read
    /// in its current state. A caller that finds nothing here uses [`Host::catalog`].
    fn known(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send {
        self.catalog(caller)
    }

    /// The last published catalog, without checking the disk.
    fn seen(&self, caller: &Caller) -> Arc<Catalog>;

    /// The current bytes of one file of a skill, read beneath the skill's folder.
    fn read(&self, entry: &Entry, path: &SkillPath) -> impl Future<Output = io::Result<Vec<u8>>> + Send;

    /// The current file digests of each of these skills: every file is checked, but read again only if it looks
    /// different.
    fn manifests(&self, entries: Vec<Arc<Entry>>, part: Part)
    -> impl Future<Output = Vec<io::Result<Manifest>>> + Send;

    /// The names of the folders directly in a skill's folder, or directly in a folder inside it.
    fn folders(
        &self,
        entry: &Entry,
        within: Option<&SkillPath>,
    ) -> impl Future<Output = io::Result<Vec<String>>> + Send;

    /// Why a skill with this id may exist although no catalogue has it: it, or everything, could not be read. A skill
    /// that cannot be read is not reported as unknown. The result is a sentence that may name paths.
    fn unread(&self, _caller: &Caller, _id: &str) -> Option<String> {
        None
    }

    /// Whether serving is paused: lists are then empty, and calls answer one sentence.
    fn paused(&self) -> bool;

    /// The parts of the server that this client may use now.
    fn surfaces(&self, caller: &Caller) -> Surfaces;

    /// Whether what a client sees may depend on the folder that it works in: only then it is asked for its roots.
    fn follows_folders(&self) -> bool {
        false
    }

    /// Whether packed skills are offered in addition to their files (decision 31).
    fn archives(&self) -> bool;

    /// Why this client cannot use a served skill yet, as sentences for an agent (decision 25).
    fn remark(&self, caller: &Caller, entry: &Entry) -> Option<String>;

    /// The features of other servers that this client may use now; empty without a gateway.
    fn offered(&self, _caller: &Caller) -> Offered {
        Offered::default()
    }

    /// Why this client is not offered a tool or prompt of another server that it calls by our name for it: a sentence
    /// with the remedy; `None` if the name is unknown.
    fn not_offered(&self, _caller: &Caller, _name: &str) -> Option<String> {
        None
    }

    /// Sends a request to another server. Dropping the future cancels the request there.
    fn ask(
        &self,
        _caller: &Caller,
        _wish: UpstreamRequest<'_>,
        _meanwhile: CallContext,
    ) -> impl Future<Output = Result<Box<RawValue>, CallFailure>> + Send {
        async { Err(CallFailure::Sentence("No server with this runs here.".to_owned())) }
    }

    /// Subscribes to changes of another server's resource until the result is dropped; `None` if it reports none.
    fn watch(&self, _caller: &Caller, _uri: &str) -> Option<DropGuard> {
        None
    }

    /// Changes that other servers report.
    fn updates(&self) -> broadcast::Receiver<Updated> {
        broadcast::channel(1).1
    }

    /// Records that this client received the instructions of a skill: tools that it requires may appear now.
    fn opened(&self, _caller: &Caller, _entry: &Entry) {}

    /// A number that is incremented, debounced, whenever a skill, one of its files, a choice or `paused` may have
    /// changed. The server compares its own lists before it notifies a client.
    fn changes(&self) -> watch::Receiver<u64>;

    /// The memory for large answers that all clients of this host share.
    fn room(&self) -> &MemoryBudget;

    /// Records an action of a client. It contains no arguments except the id of one of our skills, and no contents.
    fn note(&self, note: ClientEvent);
}

/// A changed resource of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// The server's name.
    pub server: String,
    /// The server's own URI for it.
    pub uri: String,
}

/// The client that asks: known from the token, or from the bridge's hello.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The client's id, or `by-hand`.
    pub client: String,
    /// The folders that it works in, as far as they are known.
    pub folders: Arc<[WorkFolder]>,
}

impl Caller {
    /// A client whose folders are not known.
    pub fn of(client: impl Into<String>) -> Self {
        Self { client: client.into(), folders: Arc::from([]) }
    }
}

/// Why a call failed. A kind, because a sentence would repeat what the client wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallTrouble {
    /// Serving is paused, or this part is switched off for the client.
    Off,
    /// No skill, file, tool or prompt that the client sees is called so, or the call was not understood.
    NotThere,
    /// It is there and could not be read.
    Unreadable,
    /// Another server refused it or failed.
    Server,
}

/// An action of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent {
    /// It opened a lasting connection. One `Disconnected` follows each of these.
    Connected {
        /// The client.
        caller: Caller,
        /// Its description of itself.
        peer: Peer,
        /// When the client began it. A bridge may connect a client that began before this engine.
        since: SystemTime,
    },
    /// Its connection ended.
    Disconnected {
        /// The client.
        caller: Caller,
    },
    /// It came over HTTP: with a handshake, or for the first time without one, or with a new description.
    Met {
        /// The client.
        caller: Caller,
        /// Its description of itself.
        peer: Peer,
        /// The time; `None` if it continues a session that began before we started.
        since: Option<SystemTime>,
    },
    /// It made a call.
    Called {
        /// The client.
        caller: Caller,
        /// The part of the server.
        surface: Surface,
        /// `tools/call`, `resources/read` ...
        method: String,
        /// The tool, prompt or URI; empty for a list.
        target: String,
        /// The id of the requested skill, if `target` does not contain it: a call of `get_skill`.
        skill: Option<String>,
        /// Whether the call succeeded.
        ok: bool,
        /// Why it did not, as far as that can be said without its words.
        why: Option<CallTrouble>,
        /// Its duration.
        took: Duration,
        /// Bytes of the request's parameters, as JSON.
        bytes_in: u64,
        /// Bytes of the answer, as JSON.
        bytes_out: u64,
    },
}
