//! Limits the requests and streams that are open at once. A client above the limit is asked to retry in a second,
//! before any work is done for it; open requests continue undisturbed.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header::RETRY_AFTER},
};
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{lock::lock, memory_budget::Outlet};

/// The maximum number of requests being answered.
const MOST_REQUESTS: usize = 256;
/// The maximum number of streams on which clients wait for news: they last long and cost little.
const MOST_STREAMS: usize = 512;

/// The free places.
#[derive(Clone)]
pub(super) struct ConcurrencyLimit {
    requests: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

impl ConcurrencyLimit {
    /// The limits for so many connections: a quarter of the connections stays free for new ones.
    pub(super) fn within(connections: usize) -> Self {
        Self::new(MOST_REQUESTS.min(connections / 4), MOST_STREAMS.min(connections / 2))
    }

    fn new(requests: usize, streams: usize) -> Self {
        Self { requests: Arc::new(Semaphore::new(requests)), streams: Arc::new(Semaphore::new(streams)) }
    }

    /// Takes a place for this request, until its answer is sent or given up.
    pub(super) fn take(&self, method: &Method, headers: &HeaderMap) -> Option<OwnedSemaphorePermit> {
        let listens = headers.get("mcp-method").is_some_and(|method| method == "subscriptions/listen");
        let limit = if listens || method == Method::GET { &self.streams } else { &self.requests };
        Arc::clone(limit).try_acquire_owned().ok()
    }
}

/// The response when no place is free.
pub(super) fn full() -> Response<Body> {
    let mut response = Response::new(Body::from("Skilltender is answering as many requests as it can. Try again.\n"));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// The answer, holding its place and everything in `place` until it is sent, or until `holds` returns false, which is
/// checked before each piece; a stream of news has a keep-alive every few seconds.
///
/// A large answer is sent in pieces, to notice whether its client reads it.
pub(super) fn held(
    response: Response<Body>,
    place: impl Send + 'static,
    outlet: Arc<Outlet>,
    holds: impl Fn() -> bool + Send + 'static,
) -> Response<Body> {
    let held = |body| Held {
        body,
        holds: Box::new(holds),
        rest: Arc::default(),
        outlet,
        emptied: None,
        _place: Box::new(place),
    };
    response.map(|body| Body::new(held(body)))
}

/// The size of the pieces of a large answer, in bytes.
const PIECE: usize = 64 << 10;

struct Held {
    body: Body,
    holds: Box<dyn Fn() -> bool + Send>,
    /// The unsent rest of a large piece of the body.
    rest: Arc<Mutex<Bytes>>,
    outlet: Arc<Outlet>,
    /// Ends the task that empties `rest` when the answer is given up: the body is not polled again then.
    emptied: Option<DropGuard>,
    _place: Box<dyn Send>,
}

impl Held {
    /// The next piece of the rest.
    fn piece(&mut self) -> Option<Bytes> {
        let mut rest = lock(&self.rest);
        let length = rest.len().min(PIECE);
        (length > 0).then(|| {
            self.outlet.moves();
            rest.split_to(length)
        })
    }

    fn keep(&mut self, bytes: Bytes) {
        *lock(&self.rest) = bytes;
        if self.emptied.is_none() {
            let (done, rest) = (CancellationToken::new(), Arc::clone(&self.rest));
            let (ended, given_up) = (done.clone(), self.outlet.given_up().clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = ended.cancelled() => {}
                    () = given_up.cancelled() => *lock(&rest) = Bytes::new(),
                }
            });
            self.emptied = Some(done.drop_guard());
        }
    }
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if !(self.holds)() {
            return Poll::Ready(None);
        }
        if self.outlet.given_up().is_cancelled() {
            return Poll::Ready(Some(Err(axum::Error::new(io::Error::from(io::ErrorKind::BrokenPipe)))));
        }
        if let Some(piece) = self.piece() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let Some(Ok(frame)) = frame else { return Poll::Ready(frame) };
        match frame.into_data() {
            Ok(data) if data.len() > PIECE => {
                self.keep(data);
                let piece = self.piece();
                Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
            }
            Ok(data) => Poll::Ready(Some(Ok(Frame::data(data)))),
            Err(other) => Poll::Ready(Some(Ok(other))),
        }
    }

    fn is_end_stream(&self) -> bool {
        lock(&self.rest).is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (lock(&self.rest).len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn take(limit: &ConcurrencyLimit, method: &Method, mcp_method: &'static str) -> Option<OwnedSemaphorePermit> {
        let headers = [(HeaderName::from_static("mcp-method"), HeaderValue::from_static(mcp_method))];
        limit.take(method, &headers.into_iter().collect())
    }

    #[test]
    fn streams_and_requests_have_room_of_their_own() {
        let limit = ConcurrencyLimit::new(1, 2);
        let call = take(&limit, &Method::POST, "tools/call");
        assert!(call.is_some() && take(&limit, &Method::POST, "tools/list").is_none());
        let listen = take(&limit, &Method::POST, "subscriptions/listen");
        let get = take(&limit, &Method::GET, "");
        assert!(listen.is_some() && get.is_some() && take(&limit, &Method::GET, "").is_none());
        drop(get);
        assert!(take(&limit, &Method::GET, "").is_some());
    }

    #[test]
    fn an_answer_holds_its_place_until_it_is_sent_or_given_up() {
        let limit = ConcurrencyLimit::new(1, 0);
        let take = || take(&limit, &Method::POST, "tools/call");
        let answer = held(Response::new(Body::from("text")), take().unwrap(), Arc::default(), || true);
        assert_eq!(answer.body().size_hint().exact(), Some(4));
        assert!(take().is_none());
        drop(answer);
        assert!(take().is_some());
    }

    #[test]
    fn who_finds_no_room_is_told_when_to_come_again() {
        let answer = full();
        assert_eq!((answer.status().as_u16(), &answer.headers()[RETRY_AFTER]), (503, &HeaderValue::from_static("1")));
    }
}
