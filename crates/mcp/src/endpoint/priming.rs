//! The first event of a stream, which holds an id and no data: with it a client that was cut off comes back for the
//! rest. It belongs to revision 2025-11-25. The clients before it take it for a message that is broken, and Gemini CLI
//! then leaves.

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header::CONTENT_TYPE},
    response::Response,
};
use http_body_util::BodyExt as _;
use rmcp::model::ProtocolVersion;

use super::http::REVISION;

/// The sign of life, which every reader of events skips.
const COMMENT: &[u8] = b":\n\n";

/// Whether a client that sent this head may not know such an event. Without a revision nobody can tell.
pub(super) fn is_unknown_to(headers: &HeaderMap) -> bool {
    let revision = headers.get(REVISION).and_then(|revision| revision.to_str().ok());
    revision.is_none_or(|revision| revision < ProtocolVersion::V_2025_11_25.as_str())
}

/// The answer with a sign of life in its place.
pub(super) fn without(response: Response) -> Response {
    if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "text/event-stream") {
        return response;
    }
    response.map(|body| Body::new(body.map_frame(|frame| frame.map_data(message))))
}

/// rmcp sends each event as a piece of its own.
fn message(event: Bytes) -> Bytes {
    let mut data = event.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data:")).peekable();
    let is_empty = data.peek().is_some() && data.all(|data| data.trim_ascii().is_empty());
    if is_empty { Bytes::from_static(COMMENT) } else { event }
}
