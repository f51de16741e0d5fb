//! What the server needs from whoever runs it. Two real implementations: the engine, and an
//! in-memory one for this crate's own tests.

use std::{
    fmt, io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use skills::{Catalog, Entry, SkillPath};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::DropGuard;

use crate::{CallFailure, Meanwhile, Offered, Peer, Room, Surface, Surfaces, Wish};

/// Where the server gets its skills, and whom it tells what happened.
pub trait Host: Send + Sync + 'static {
    /// What this client may see now. The host checks for staleness before it answers.
    fn catalog(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send;

    /// What this client could see when the library was last read: enough to find a file that is then
    /// read as it is now. Who does not find there what is asked for looks into [`Host::catalog`].
    fn known(&self, caller: &Caller) -> impl Future<Output = Arc<Catalog>> + Send {
        self.catalog(caller)
    }

    /// The same without a look at anything: what the last change was that clients could be told of.
    fn seen(&self, caller: &Caller) -> Arc<Catalog>;

    /// The present bytes of one file of a skill, read beneath the skill's folder.
    fn read(&self, entry: &Entry, path: &SkillPath) -> impl Future<Output = io::Result<Vec<u8>>> + Send;

    /// What the files of each of these skills are at this moment: always looked at anew, read again
    /// only where a file looks different.
    fn manifests(&self, entries: Vec<Arc<Entry>>, part: Part)
    -> impl Future<Output = Vec<io::Result<Manifest>>> + Send;

    /// The names of the folders that stand directly in a skill's folder, or in a folder inside it.
    fn folders(
        &self,
        entry: &Entry,
        within: Option<&SkillPath>,
    ) -> impl Future<Output = io::Result<Vec<String>>> + Send;

    /// Why a skill of this id may be there although no catalogue has it, as a sentence that may name paths: it could not be
    /// read, or nothing could. What cannot be looked at is not called unknown.
    fn unread(&self, _caller: &Caller, _id: &str) -> Option<String> {
        None
    }

    /// Whether serving is paused: lists are then empty and calls answer one sentence.
    fn paused(&self) -> bool;

    /// Which parts of the server this client may use now.
    fn surfaces(&self, caller: &Caller) -> Surfaces;

    /// Whether packed skills are offered beside their files (decision 31).
    fn archives(&self) -> bool;

    /// Why a skill that is served is not ready to be used by this client, as sentences for an agent (decision 25).
    fn remark(&self, caller: &Caller, entry: &Entry) -> Option<String>;

    /// What other servers have that this client may use now. Without a gateway that is nothing.
    fn offered(&self, _caller: &Caller) -> Offered {
        Offered::default()
    }

    /// Why this client is not offered what it calls by one of our names for tools and prompts of other servers: a sentence
    /// with the way out; `None` where nothing is known of such a name.
    fn not_offered(&self, _caller: &Caller, _name: &str) -> Option<String> {
        None
    }

    /// Asks one of them. Dropping the future cancels it there.
    fn ask(
        &self,
        _caller: &Caller,
        _wish: Wish<'_>,
        _meanwhile: Meanwhile,
    ) -> impl Future<Output = Result<Box<RawValue>, CallFailure>> + Send {
        async { Err(CallFailure::Sentence("No server with this runs here.".to_owned())) }
    }

    /// Lets the server of a resource tell when it changes, until what is returned is dropped; `None` where there is nothing
    /// to tell.
    fn watch(&self, _caller: &Caller, _uri: &str) -> Option<DropGuard> {
        None
    }

    /// What other servers say has changed.
    fn updates(&self) -> broadcast::Receiver<Updated> {
        broadcast::channel(1).1
    }

    /// Takes note that this client was given the instructions of a skill: tools that it needs may appear now.
    fn opened(&self, _caller: &Caller, _entry: &Entry) {}

    /// A number that goes up, debounced, whenever a skill, one of its files, a choice or `paused`
    /// may look different. The server compares its own lists before it tells a client anything.
    fn changes(&self) -> watch::Receiver<u64>;

    /// The room for large answers that all clients of this host share.
    fn room(&self) -> &Room;

    /// Takes note of what a client did. Holds no arguments but the id of a skill of ours, and no contents.
    fn note(&self, note: Note);
}

/// Whether this computer had no more open files or memory to give: that says nothing of what was to be opened.
pub fn is_shortage(error: &io::Error) -> bool {
    // "Too many open files", in this program and everywhere.
    const TOO_MANY: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|code| TOO_MANY.contains(&code))
}

/// Which files of a skill somebody wants to know about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// SKILL.md.
    SkillMd,
    /// Every file that counts as a part of the skill.
    Everything,
}

/// The files of a skill, in the order of [`Entry::files`]. One that is gone is left out; one that
/// cannot be read is an error of the whole.
pub type Manifest = Vec<(SkillPath, FileDigest)>;

/// What tells whether bytes are those of a file. Prints itself as SEP-2640 writes a digest:
/// `sha256:` and 64 lowercase hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileDigest {
    /// SHA-256 of the bytes.
    pub sha256: [u8; 32],
    /// How many they are.
    pub size: u64,
    /// Whether somebody may run the file.
    pub executable: bool,
}

impl FileDigest {
    /// Whether this is the SHA-256 that these 64 lowercase hexadecimal digits write.
    pub(crate) fn is(&self, hexadecimal: &str) -> bool {
        let digit = |half: u8| char::from_digit(half.into(), 16);
        let digits = self.sha256.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        hexadecimal.chars().map(Some).eq(digits)
    }

    /// That of these bytes.
    pub fn of(bytes: &[u8], executable: bool) -> Self {
        Self { sha256: Sha256::digest(bytes).into(), size: bytes.len() as u64, executable }
    }
}

impl fmt::Display for FileDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.sha256.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A resource of another server that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// Whose it is.
    pub server: String,
    /// The server's own URI for it.
    pub uri: String,
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
        /// What it said of itself.
        peer: Peer,
        /// When the client began it. A bridge goes on with what began before the engine that it finds.
        since: SystemTime,
    },
    /// Its connection ended.
    Disconnected {
        /// Who.
        caller: Caller,
    },
    /// It came over HTTP: with a handshake, or without one for the first time or as somebody else.
    Met {
        /// Who.
        caller: Caller,
        /// What it said of itself.
        peer: Peer,
        /// When. `None` where it goes on with a session that began before we started.
        since: Option<SystemTime>,
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
        /// The id of the skill that was asked for, where `target` does not say it: a call of `get_skill`.
        skill: Option<String>,
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
