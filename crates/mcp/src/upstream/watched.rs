//! Watches a URI for changes: by a subscription in the older revisions, by a stream of its own since 2026-07-28. Both
//! end when the future is dropped.

use serde_json::json;

use super::{CallContext, connection::Shared, handshake::Era, wire};

/// A subscription; dropping it unsubscribes at the server.
struct Subscribed<'s> {
    shared: &'s Shared,
    uri: &'s str,
}

impl Drop for Subscribed<'_> {
    fn drop(&mut self) {
        self.shared.begin_now("resources/unsubscribe", only(self.uri), Era::Handshake);
    }
}

/// Returns when the server does not, or no longer, report changes.
pub(super) async fn watch(shared: &Shared, era: Era, uri: &str) {
    let ended = match era {
        Era::Handshake => {
            let subscribed = Subscribed { shared, uri };
            let answer = shared.ask("resources/subscribe", only(uri), era, CallContext::default()).await.map(drop);
            if answer.is_ok() {
                std::future::pending::<()>().await;
            }
            drop(subscribed);
            answer
        }
        Era::Inline => {
            let mut params = wire::object();
            wire::field(&mut params, "notifications", &json!({"resourceSubscriptions": [uri]}));
            shared.ask("subscriptions/listen", params, era, CallContext::default()).await.map(drop)
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a resource is not watched: {error}");
    }
}

fn only(uri: &str) -> Vec<u8> {
    let mut params = wire::object();
    wire::field(&mut params, "uri", uri);
    params
}
