//! The inputs for reading clients' files, of the current state.

use std::sync::Arc;

use connect::{ClientContext, KnownClient};

use crate::state::State;

/// The context of the current state.
pub fn client_context(state: &State) -> ClientContext {
    ClientContext {
        machine: Arc::clone(&state.machine),
        clients: KnownClient::all(&state.choices),
        address: state.choices.port.map(|port| format!("http://127.0.0.1:{port}/mcp")),
        served: state.endpoint.address.is_some(),
        trouble: state.endpoint.trouble.clone(),
        adopted: Arc::clone(&state.servers.adopted),
        direct: state.servers.direct(),
        sets: state.choices.sets.clone(),
        chosen: state.choices.connections.clone(),
    }
}
