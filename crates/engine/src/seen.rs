//! What was seen of each client, kept in `seen.json`: what it said of itself, when it connected and
//! what it last called. So "connected yesterday" is true after a restart, too.
//!
//! Who connects is written down at once; calls at most every half minute, and when the engine stops.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use mcp::Peer;
use serde::{Deserialize, Serialize};

use crate::{
    Mode,
    guest::GuestError,
    state::{ClientFacts, State},
    store,
    view::Notice,
};

/// The file's name in our folder.
pub(crate) const FILE: &str = "seen.json";

/// How long calls may wait to be written down.
const REST: Duration = Duration::from_secs(30);

/// What was seen of one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// What it said of itself last.
    #[serde(default)]
    pub(crate) peer: Option<Peer>,
    /// When it last connected, in milliseconds since 1970: when the client began, not when it found us.
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

impl Seen {
    /// The steps that a connection is proven by.
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

/// Takes over what was seen before this engine started.
pub(crate) fn open(state: &mut State, mode: &Mode) -> Option<Notice> {
    let (file, notice) = store::open::<File>(&state.machine.data.join(FILE), mode);
    for (id, seen) in file.clients {
        state.client(&id).seen = seen;
    }
    notice
}

/// Writes down what is seen, in an engine that may write.
pub(crate) struct Keeper {
    path: PathBuf,
    saved: BTreeMap<String, Seen>,
    rests: Option<Instant>,
}

impl Keeper {
    /// Keeps it in `path`, which holds what the state holds.
    pub(crate) fn new(path: PathBuf, state: &State) -> Self {
        Self { path, saved: seen(state), rests: None }
    }

    /// Writes down what is worth it now.
    pub(crate) fn keep(&mut self, state: &State) {
        let rests = self.rests.is_some_and(|since| since.elapsed() < REST);
        let is_news = |(id, facts): (&String, &ClientFacts)| {
            let saved = self.saved.get(id);
            saved.unwrap_or(&Seen::default()) != &facts.seen
                && (!rests || saved.is_none_or(|saved| saved.steps() != facts.seen.steps()))
        };
        if state.clients.iter().any(is_news) {
            self.write(state);
        }
    }

    /// Writes down all of it, for somebody who takes over from us.
    pub(crate) fn finish(&mut self, state: &State) {
        if self.saved != seen(state) {
            self.write(state);
        }
    }

    fn write(&mut self, state: &State) {
        self.rests = Some(Instant::now());
        let clients = seen(state);
        match save(self, &clients) {
            Ok(()) => self.saved = clients,
            // What is not kept is known until we quit; nothing depends on it.
            Err(error) => tracing::warn!("What clients do is not remembered: {error}"),
        }
    }
}

fn save(keeper: &Keeper, clients: &BTreeMap<String, Seen>) -> Result<(), GuestError> {
    store::save(&keeper.path, &File { clients: clients.clone() })
}

fn seen(state: &State) -> BTreeMap<String, Seen> {
    let known = state.clients.iter().filter(|(_, facts)| facts.seen != Seen::default());
    known.map(|(id, facts)| (id.clone(), facts.seen.clone())).collect()
}
