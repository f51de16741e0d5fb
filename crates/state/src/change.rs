//! The changes that the loop applies. What clients and servers do are values; what a person or the disk changes is code.

use std::{fmt, panic::Location};

use machine::clock;
use mcp::ClientEvent;
use servers::Observed;
use tokio::sync::oneshot;

use crate::{saving::Saved, state::State};

/// Runs once the change is published.
pub(crate) type Reply = Box<dyn FnOnce() + Send>;

/// A change of the state, and the code that sent it.
pub(crate) struct Change {
    pub(crate) from: &'static Location<'static>,
    pub(crate) act: Act,
}

/// What a change does. Observations are values; what a person or the disk changes is code.
pub(crate) enum Act {
    /// Published at once; then the reply is sent, and then the result of the save.
    Now(Box<dyn FnOnce(&mut State) -> Reply + Send>, oneshot::Sender<Saved>),
    /// Published within `SOON`, as all of the following.
    Soon(Box<dyn FnOnce(&mut State) + Send>),
    /// A server did something.
    Observed(Observed),
    /// A client did something.
    Client(ClientEvent),
    /// Clients called: the counts are read.
    Counted,
}

impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now(..) | Self::Soon(_) => f.write_str("code"),
            Self::Observed(observed) => observed.fmt(f),
            // Nothing that a client says goes into the log (decision 30).
            Self::Client(event) => match event {
                ClientEvent::Connected { caller, .. } => write!(f, "{}: connected", caller.client),
                ClientEvent::Met { caller, .. } => write!(f, "{}: met", caller.client),
                ClientEvent::Disconnected { caller } => write!(f, "{}: disconnected", caller.client),
                ClientEvent::Called { caller, .. } => write!(f, "{}: called", caller.client),
            },
            Self::Counted => f.write_str("calls"),
        }
    }
}

impl State {
    /// Applies a change that nobody waits for.
    pub(crate) fn apply(&mut self, act: Act) {
        match act {
            // A change that somebody waits for is applied by the loop, which answers.
            Act::Now(act, _) => drop(act(self)),
            Act::Soon(act) => act(self),
            // Only what a server advertises has an answer, and that is waited for.
            Act::Observed(observed) => drop(self.servers.observe(observed)),
            Act::Client(event) => self.note(event),
            Act::Counted => {}
        }
    }

    /// Records who is connected.
    fn note(&mut self, event: ClientEvent) {
        match event {
            ClientEvent::Connected { caller, peer, since } => {
                let client = self.client(&caller.client);
                client.connections += 1;
                // Of two connections, the later one shows the client's current config.
                client.seen.connected = client.seen.connected.max(Some(clock::milliseconds(since)));
                client.seen.peer = Some(peer);
            }
            ClientEvent::Met { caller, peer, since } => {
                let seen = &mut self.client(&caller.client).seen;
                seen.connected = seen.connected.max(since.map(clock::milliseconds));
                seen.peer = Some(peer);
            }
            ClientEvent::Disconnected { caller } => {
                let client = self.client(&caller.client);
                client.connections = client.connections.saturating_sub(1);
            }
            // Counted where it happened.
            ClientEvent::Called { .. } => {}
        }
    }
}
