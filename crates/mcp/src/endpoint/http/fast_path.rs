//! HTTP requests that are answered directly, as one piece of JSON instead of a stream of events.
//!
//! rmcp gets every other request unchanged, and every request that has to be refused. It does not see that these
//! requests use a session: it ends the session after a week, and restores it at the next request of another kind.

use std::sync::Arc;

use axum::{
    http::{
        HeaderMap, HeaderName, HeaderValue, Method,
        header::{ACCEPT, CONTENT_TYPE},
        request::Parts,
    },
    response::{IntoResponse as _, Response},
};
use rmcp::{
    model::ProtocolVersion,
    transport::streamable_http_server::session::{SessionManager as _, local::LocalSessionManager},
};

use super::{REVISION, SESSION};
use crate::{
    CallContext, Caller, Host, Peer, Transport,
    fast_path::{
        self,
        request::{Era, Request},
    },
    memory_budget::{Outlet, Reader},
    server::Met,
};

/// The maximum body, in bytes; rmcp answers larger ones.
const LARGEST: usize = 64 << 10;

/// The state needed to answer.
pub(super) struct Direct<H> {
    pub(super) host: Arc<H>,
    pub(super) met: Arc<Met>,
    pub(super) live: Arc<LocalSessionManager>,
}

impl<H: Host> Direct<H> {
    /// The answer; `None` if rmcp gives it.
    pub(super) async fn answer(
        &self,
        parts: &Parts,
        body: &[u8],
        caller: &Caller,
        outlet: &Arc<Outlet>,
    ) -> Option<Response> {
        let era = self.era(parts, body.len()).await?;
        if era == Era::Handshake && self.host.follows_folders() {
            // The session knows where its client works.
            return None;
        }
        let asked =
            Request::read(body).filter(|asked| asked.era() == Some(era) && agrees(asked, era, &parts.headers))?;
        let source = fast_path::source(&*self.host, caller, &asked, era == Era::Inline)?;
        if era == Era::Inline {
            let (client, capabilities) = (asked.meta.client_info(), asked.meta.client_capabilities());
            let revision = ProtocolVersion::V_2026_07_28;
            let peer = Peer::new(client.as_ref(), capabilities.as_ref(), revision.as_str(), Transport::Http);
            self.met.meet(&*self.host, caller, peer, false);
        }
        let reader = Reader::new(Arc::clone(outlet), asked.request_id.clone());
        let asked = (asked, source);
        let reply = fast_path::answer(&*self.host, &reader, caller.clone(), asked, era, CallContext::default()).await;
        Some(([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], reply).into_response())
    }

    /// How the client names its revision, judged by the head of the request; `None` if anything in the head is unusual.
    async fn era(&self, Parts { method, headers, .. }: &Parts, length: usize) -> Option<Era> {
        let accepted = one(headers, ACCEPT)?;
        let usual = method == Method::POST
            && length <= LARGEST
            && one(headers, CONTENT_TYPE)? == "application/json"
            && accepted.contains("application/json")
            && accepted.contains("text/event-stream")
            && !accepted.contains(';');
        let revision = match headers.contains_key(REVISION) {
            true => Some(one(headers, HeaderName::from_static(REVISION))?),
            false => None,
        };
        if !usual {
            return None;
        }
        if !headers.contains_key(SESSION) {
            return (revision? == ProtocolVersion::V_2026_07_28.as_str()).then_some(Era::Inline);
        }
        let known = |revision| ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == revision);
        let of_a_handshake = |revision| known(revision) && revision < ProtocolVersion::V_2026_07_28.as_str();
        let session = one(headers, HeaderName::from_static(SESSION))?.to_owned().into();
        let goes_on = revision.is_none_or(of_a_handshake) && self.live.has_session(&session).await.unwrap_or(false);
        goes_on.then_some(Era::Handshake)
    }
}

/// Whether the head agrees with the body, as required since 2026-07-28. rmcp compares names that need encoding in a
/// head, and parameters in it.
fn agrees(asked: &Request, era: Era, headers: &HeaderMap) -> bool {
    let (method, name) = asked.names();
    let is = |header: &'static str, value| one(headers, HeaderName::from_static(header)) == Some(value);
    let repeats = || headers.keys().any(|header| header.as_str().starts_with("mcp-param-"));
    era == Era::Handshake || is("mcp-method", method) && is("mcp-name", name) && !repeats()
}

/// The value of a header that appears once, as text.
fn one(headers: &HeaderMap, header: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(header).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}
