//! Requests that are passed on directly to other servers: they may take long, so a client can cancel them.

use std::{collections::HashMap, sync::Mutex};

use rmcp::model::RequestId;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::lock::lock;

/// The open calls of one stream.
pub(super) struct Open {
    calls: Mutex<HashMap<RequestId, CancellationToken>>,
    closed: CancellationToken,
}

impl Open {
    /// Starts without calls. `closed` cancels all open ones.
    pub(super) fn new(closed: CancellationToken) -> Self {
        Self { calls: Mutex::default(), closed }
    }

    /// Registers a call.
    pub(super) fn begin(&self, id: RequestId) -> CancellationToken {
        let wanted = self.closed.child_token();
        lock(&self.calls).insert(id, wanted.clone());
        wanted
    }

    /// Removes an answered call.
    pub(super) fn end(&self, id: &RequestId) {
        lock(&self.calls).remove(id);
    }

    /// Whether this line cancels one of the calls.
    pub(super) fn cancels(&self, line: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Told {
            method: String,
            params: Params,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            request_id: RequestId,
        }
        let mut calls = lock(&self.calls);
        // Usually no call is open, and then no line is examined.
        if calls.is_empty() || !line.windows(9).any(|word| word == b"cancelled") {
            return false;
        }
        let Ok(Told { method, params }) = serde_json::from_slice(line) else { return false };
        let cancelled = (method == "notifications/cancelled").then(|| calls.remove(&params.request_id)).flatten();
        cancelled.inspect(CancellationToken::cancel).is_some()
    }
}
