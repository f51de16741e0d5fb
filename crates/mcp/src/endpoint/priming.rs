//! The first event of a stream, which holds an id and no data and lets a disconnected client resume.
//!
//! It belongs to revision 2025-11-25. Clients of earlier revisions take it for a broken message, and Gemini CLI then
//! disconnects.

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header::CONTENT_TYPE},
    response::Response,
};
use http_body_util::BodyExt as _;
use rmcp::model::ProtocolVersion;

use super::http::REVISION;

/// The keep-alive comment, which every reader of events skips.
const COMMENT: &[u8] = b":\n\n";

/// Whether a client with this head may not know this event. Without a revision header, it is assumed not to.
pub(super) fn is_unknown_to(headers: &HeaderMap) -> bool {
    let revision = headers.get(REVISION).and_then(|revision| revision.to_str().ok());
    revision.is_none_or(|revision| revision < ProtocolVersion::V_2025_11_25.as_str())
}

/// The response with a comment in place of the event.
pub(super) fn without(response: Response) -> Response {
    if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "text/event-stream") {
        return response;
    }
    response.map(|body| Body::new(body.map_frame(|frame| frame.map_data(message))))
}

/// Replaces an empty event. rmcp sends each event as a piece of its own.
fn message(event: Bytes) -> Bytes {
    let mut data = event.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data:")).peekable();
    let is_empty = data.peek().is_some() && data.all(|data| data.trim_ascii().is_empty());
    if is_empty { Bytes::from_static(COMMENT) } else { event }
}
