//! How often each client called, counted at the call. The loop reads the counts when it makes the next
//! snapshot: waking it for each call would cost more than many a call.

use std::collections::BTreeMap;

use machine::waiting::Mutex;
use mcp::Peer;

use crate::{client_activity::LastCall, state::State};

/// Calls that are not in the state yet.
#[derive(Debug, Default)]
pub(crate) struct CallCounts {
    /// By client.
    clients: Mutex<BTreeMap<String, Calls>>,
    /// Those that a server answered, by the server's name.
    servers: Mutex<BTreeMap<String, u32>>,
}

#[derive(Debug)]
struct Calls {
    count: u32,
    last: LastCall,
}

impl CallCounts {
    /// Counts one call, and returns whether it is the first that is not in the state yet.
    pub(crate) fn count(&self, client: &str, last: LastCall) -> bool {
        let mut waiting = self.clients.lock();
        let first = waiting.is_empty();
        match waiting.get_mut(client) {
            Some(calls) => *calls = Calls { count: calls.count.saturating_add(1), last },
            None => drop(waiting.insert(client.to_owned(), Calls { count: 1, last })),
        }
        first
    }

    /// Counts one call that a server answered. The client's call is counted separately, when it is reported,
    /// and that wakes the loop.
    pub(crate) fn count_server(&self, server: &str) {
        let mut servers = self.servers.lock();
        match servers.get_mut(server) {
            Some(calls) => *calls = calls.saturating_add(1),
            None => drop(servers.insert(server.to_owned(), 1)),
        }
    }

    /// Moves the counts into the state.
    pub(crate) fn add_to(&self, state: &mut State) {
        let answered = std::mem::take(&mut *self.servers.lock());
        for (server, calls) in answered {
            let run = state.servers.runs.entry(server).or_default();
            run.calls = run.calls.saturating_add(calls);
        }
        let counted = std::mem::take(&mut *self.clients.lock());
        for (client, Calls { count, last }) in counted {
            let seen = &mut state.client(&client).seen;
            seen.calls = seen.calls.saturating_add(count);
            if seen.peer.as_ref().is_some_and(Peer::is_without_connection) {
                seen.connected = seen.connected.max(Some(last.at));
            }
            seen.last = Some(last);
        }
    }
}
