//! The activity of each client, kept in `seen.json`: what it said of itself, when it connected and what it last
//! called. So "connected yesterday" is true after a restart, too.
//!
//! Connections are saved at once; calls at most every half minute, and when the engine stops.

use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

use api::Notice;
use choices::stored;
use files::{replace_file::ReplaceError, store};
use machine::Mode;
use mcp::Peer;
use serde::{Deserialize, Serialize};

/// The file's name in the data folder.
pub const FILE: &str = "seen.json";

/// How long calls may wait to be saved.
const REST: Duration = Duration::from_secs(30);

/// The activity of one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// What it last said of itself.
    #[serde(default)]
    pub peer: Option<Peer>,
    /// When it last connected, in milliseconds since 1970: the start of the client, not of its connection to
    /// this engine.
    #[serde(default)]
    pub connected: Option<u64>,
    /// How often it called.
    #[serde(default)]
    pub calls: u32,
    /// Its last call.
    #[serde(default)]
    pub last: Option<LastCall>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastCall {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `tools/call`, `resources/read` ...
    pub method: String,
    /// The tool, prompt or URI.
    pub target: String,
    /// Whether the client got what it asked for.
    pub ok: bool,
}

impl From<LastCall> for api::LastCall {
    fn from(call: LastCall) -> Self {
        let LastCall { at, method, target, ok } = call;
        Self { at, method, target, ok }
    }
}

impl Seen {
    /// The parts that prove a connection.
    fn steps(&self) -> (&Option<Peer>, Option<u64>, bool) {
        let since = self.connected.filter(|_| !self.peer.as_ref().is_some_and(Peer::is_without_connection));
        (&self.peer, since, self.last.as_ref().map(|last| last.at) >= self.connected)
    }
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct File {
    #[serde(default)]
    clients: BTreeMap<String, Seen>,
}

/// The activity of each client from before this engine started, with a notice when the file had to be set aside.
pub fn open(path: &Path, mode: &Mode) -> (BTreeMap<String, Seen>, Option<Notice>) {
    let (file, notice) = stored::open::<File>(path, mode);
    (file.clients, notice)
}

/// Decides when activity is worth saving.
pub struct Keeper {
    saved: BTreeMap<String, Seen>,
    rests: Option<Instant>,
}

impl Keeper {
    /// Begins with this activity as saved.
    pub fn new<'s>(now: impl Iterator<Item = (&'s String, &'s Seen)>) -> Self {
        Self { saved: seen(now), rests: None }
    }

    /// The activity to save now, if it is worth it.
    pub fn keep<'s>(
        &mut self,
        now: impl Iterator<Item = (&'s String, &'s Seen)> + Clone,
    ) -> Option<BTreeMap<String, Seen>> {
        let rests = self.rests.is_some_and(|since| since.elapsed() < REST);
        let is_news = |(id, now): (&String, &Seen)| {
            let saved = self.saved.get(id);
            saved.unwrap_or(&Seen::default()) != now
                && (!rests || saved.is_none_or(|saved| saved.steps() != now.steps()))
        };
        now.clone().any(is_news).then(|| self.take(now))
    }

    /// All activity, for the next engine.
    pub fn finish<'s>(
        &mut self,
        now: impl Iterator<Item = (&'s String, &'s Seen)> + Clone,
    ) -> Option<BTreeMap<String, Seen>> {
        (self.saved != seen(now.clone())).then(|| self.take(now))
    }

    fn take<'s>(&mut self, now: impl Iterator<Item = (&'s String, &'s Seen)>) -> BTreeMap<String, Seen> {
        self.rests = Some(Instant::now());
        self.saved = seen(now);
        self.saved.clone()
    }
}

/// Writes it to the file.
///
/// # Errors
/// When the disk refuses; the file stays as it was.
pub fn save(path: &Path, clients: &BTreeMap<String, Seen>) -> Result<(), ReplaceError> {
    store::save(path, &File { clients: clients.clone() })
}

fn seen<'s>(now: impl Iterator<Item = (&'s String, &'s Seen)>) -> BTreeMap<String, Seen> {
    let active = now.filter(|(_, seen)| **seen != Seen::default());
    active.map(|(id, seen)| (id.clone(), seen.clone())).collect()
}
