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
use files::{guest::GuestError, store};
use mcp::Peer;
use serde::{Deserialize, Serialize};

use crate::{
    Mode,
    state::{ClientFacts, State},
};

/// The file's name in the data folder.
pub(crate) const FILE: &str = "seen.json";

/// How long calls may wait to be saved.
const REST: Duration = Duration::from_secs(30);

/// The activity of one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// What it last said of itself.
    #[serde(default)]
    pub(crate) peer: Option<Peer>,
    /// When it last connected, in milliseconds since 1970: the start of the client, not of its connection to
    /// this engine.
    #[serde(default)]
    pub(crate) connected: Option<u64>,
    /// How often it called.
    #[serde(default)]
    pub(crate) calls: u32,
    /// Its last call.
    #[serde(default)]
    pub(crate) last: Option<LastCall>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastCall {
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// `tools/call`, `resources/read` ...
    pub(crate) method: String,
    /// The tool, prompt or URI.
    pub(crate) target: String,
    /// Whether the client got what it asked for.
    pub(crate) ok: bool,
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

/// Reads the activity from before this engine started.
pub(crate) fn open(state: &mut State, mode: &Mode) -> Option<Notice> {
    let (file, notice) = stored::open::<File>(&state.machine.data.join(FILE), mode);
    for (id, seen) in file.clients {
        state.client(&id).seen = seen;
    }
    notice
}

/// Decides when activity is worth saving.
pub(crate) struct Keeper {
    saved: BTreeMap<String, Seen>,
    rests: Option<Instant>,
}

impl Keeper {
    /// Begins with the state's activity as saved.
    pub(crate) fn new(state: &State) -> Self {
        Self { saved: seen(state), rests: None }
    }

    /// The activity to save now, if it is worth it.
    pub(crate) fn keep(&mut self, state: &State) -> Option<BTreeMap<String, Seen>> {
        let rests = self.rests.is_some_and(|since| since.elapsed() < REST);
        let is_news = |(id, facts): (&String, &ClientFacts)| {
            let saved = self.saved.get(id);
            saved.unwrap_or(&Seen::default()) != &facts.seen
                && (!rests || saved.is_none_or(|saved| saved.steps() != facts.seen.steps()))
        };
        state.clients.iter().any(is_news).then(|| self.take(state))
    }

    /// All activity, for the next engine.
    pub(crate) fn finish(&mut self, state: &State) -> Option<BTreeMap<String, Seen>> {
        (self.saved != seen(state)).then(|| self.take(state))
    }

    fn take(&mut self, state: &State) -> BTreeMap<String, Seen> {
        self.rests = Some(Instant::now());
        self.saved = seen(state);
        self.saved.clone()
    }
}

/// Writes it to the file.
pub(crate) fn save(path: &Path, clients: &BTreeMap<String, Seen>) -> Result<(), GuestError> {
    store::save(path, &File { clients: clients.clone() })
}

fn seen(state: &State) -> BTreeMap<String, Seen> {
    let known = state.clients.iter().filter(|(_, facts)| facts.seen != Seen::default());
    known.map(|(id, facts)| (id.clone(), facts.seen.clone())).collect()
}
