//! How often each client called, counted where it calls. The loop looks when it makes the next
//! snapshot: to wake it for each call would cost more than many a call.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use mcp::Peer;

use crate::{seen::LastCall, state::State};

/// Calls that the state does not know of yet, by client.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<BTreeMap<String, Calls>>);

#[derive(Debug)]
struct Calls {
    count: u32,
    last: LastCall,
}

impl Tally {
    /// Counts one call. Whether it is the first that the state does not know of.
    pub(crate) fn count(&self, client: &str, last: LastCall) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = waiting.is_empty();
        match waiting.get_mut(client) {
            Some(calls) => *calls = Calls { count: calls.count.saturating_add(1), last },
            None => drop(waiting.insert(client.to_owned(), Calls { count: 1, last })),
        }
        first
    }

    /// Moves what was counted into the state.
    pub(crate) fn tell(&self, state: &mut State) {
        let counted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
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
