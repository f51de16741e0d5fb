//! A body that is observed while it passes.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::{Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// A body with an observer that sees each of its pieces and its end. Both are dropped together.
pub(super) struct Seen<B, S> {
    pub(super) body: B,
    pub(super) see: S,
}

impl<B, S> HttpBody for Seen<B, S>
where
    B: HttpBody<Data = Bytes> + Unpin,
    S: FnMut(Option<&Bytes>, bool) + Unpin,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let piece = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
        let ends = frame.is_none() || self.body.is_end_stream();
        (self.see)(piece, ends);
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
