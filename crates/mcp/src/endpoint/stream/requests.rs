//! Lines from the client: those that can be answered directly are, all others are passed on to rmcp unchanged.

use std::{
    io,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll, Waker, ready},
};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::{
    bytes::{Buf as _, BytesMut},
    io::poll_read_buf,
    sync::CancellationToken,
};

use super::{asking::Asking, open::Open, replies::Replies};
use crate::{
    CallContext, Host,
    bridge::END,
    fast_path::{
        self, Source,
        request::{Era, Request},
    },
    memory_budget::{Outlet, Reader},
    workspace::Workspace,
};

/// A longer line is passed on before its end has arrived.
const LONGEST: usize = 64 << 10;

/// Everything needed to answer requests directly.
pub(super) struct Lane<H> {
    pub(super) host: Arc<H>,
    pub(super) workspace: Arc<Workspace>,
    /// How this client names its revision, once rmcp knows.
    pub(super) spoken: Arc<OnceLock<Era>>,
    pub(super) replies: Replies,
    pub(super) outlet: Arc<Outlet>,
    /// The cancellable calls to other servers.
    pub(super) open: Arc<Open>,
    /// Other servers' questions to the user.
    pub(super) asking: Arc<Asking>,
}

/// Reads until the stream ends or a line is `end`, and reports that at once: rmcp waits for open `listen` streams
/// before it closes, and these wait for this report.
pub(super) struct Requests<H, R> {
    read: R,
    lane: Lane<H>,
    ended: CancellationToken,
    /// The bytes that are neither answered nor passed on yet.
    buffer: BytesMut,
    /// The number of bytes at its start that are passed on.
    passing: usize,
    /// Whether the current line is passed on as it arrives.
    long: bool,
}

impl<H: Host, R: AsyncRead + Unpin> Requests<H, R> {
    pub(super) fn new(read: R, lane: Lane<H>, ended: CancellationToken) -> Self {
        Self { read, lane, ended, buffer: BytesMut::new(), passing: 0, long: false }
    }

    /// Reads more. At the end the rest is passed on.
    fn poll_more(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.buffer.reserve(8 << 10);
        let result = ready!(poll_read_buf(Pin::new(&mut self.read), context, &mut self.buffer));
        if !matches!(result, Ok(1..)) {
            self.ended.cancel();
            self.passing = self.buffer.len();
        }
        Poll::Ready(result.map(drop))
    }

    /// Decides what to do with the line at the start of the buffer, once complete.
    fn decide(&mut self, end: Option<usize>) {
        match end {
            Some(end) if std::mem::take(&mut self.long) => self.passing = end + 1,
            Some(end) if &self.buffer[..end] == END.as_bytes() => self.ended.cancel(),
            Some(end) if self.lane.open.cancels(&self.buffer[..end]) => self.buffer.advance(end + 1),
            Some(end) if self.lane.asking.hears(&self.buffer[..end]) => self.buffer.advance(end + 1),
            Some(end) if self.lane.take(&self.buffer[..end]) => self.buffer.advance(end + 1),
            Some(end) => self.passing = end + 1,
            None => (self.long, self.passing) = (true, self.buffer.len()),
        }
    }
}

impl<H: Host, R: AsyncRead + Unpin> AsyncRead for Requests<H, R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            if self.passing > 0 {
                let length = self.passing.min(buffer.remaining());
                buffer.put_slice(&self.buffer.split_to(length));
                self.passing -= length;
                return Poll::Ready(Ok(()));
            }
            if self.ended.is_cancelled() {
                return Poll::Ready(Ok(()));
            }
            ready!(self.lane.replies.poll_read(context));
            match self.buffer.iter().position(|&byte| byte == b'\n') {
                None if self.buffer.len() < LONGEST => ready!(self.poll_more(context))?,
                end => self.decide(end),
            }
        }
    }
}

impl<H: Host> Lane<H> {
    /// Lets another server answer, until the client cancels.
    fn hand_on(&self, request: Request, era: Era) {
        let (host, caller, replies, open) =
            (Arc::clone(&self.host), self.workspace.caller(), self.replies.clone(), Arc::clone(&self.open));
        let reader = Reader::new(Arc::clone(&self.outlet), request.request_id.clone());
        let wanted = open.begin(request.request_id.clone());
        // Clients of 2026-07-28 cannot be asked during a call.
        let person = self.asking.person().filter(|_| era == Era::Handshake);
        let meanwhile = CallContext { progress: None, person };
        tokio::spawn(async move {
            let id = request.request_id.clone();
            let asked = (request, Source::Theirs);
            let answering = fast_path::answer(&*host, &reader, caller, asked, era, meanwhile);
            // A cancelled call gets no answer.
            let reply = wanted.run_until_cancelled(answering).await;
            open.end(&id);
            if let Some(mut reply) = reply {
                reply.push(b'\n');
                replies.send(reply, reader.outlet.sends(&reader.id));
            }
        });
    }

    /// Answers the request in this line, if it can be answered directly.
    fn take(&self, line: &[u8]) -> bool {
        let Some(era) = self.spoken.get().copied() else { return false };
        let Some(request) = Request::read(line).filter(|request| request.era() == Some(era)) else { return false };
        // rmcp waits until it is known where the client works.
        if !self.workspace.is_settled() {
            return false;
        }
        let caller = self.workspace.caller();
        match fast_path::source(&*self.host, &caller, &request, true) {
            None => return false,
            Some(Source::Theirs) => {
                self.hand_on(request, era);
                return true;
            }
            Some(Source::Ours) => {}
        }
        let (host, replies) = (Arc::clone(&self.host), self.replies.clone());
        let reader = Reader::new(Arc::clone(&self.outlet), request.request_id.clone());
        let mut answering = Box::pin(async move {
            let asked = (request, Source::Ours);
            let mut reply = fast_path::answer(&*host, &reader, caller, asked, era, CallContext::default()).await;
            reply.push(b'\n');
            replies.send(reply, reader.outlet.sends(&reader.id));
        });
        // Usually the answer is ready at once, and no task is needed.
        if answering.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            tokio::spawn(answering);
        }
        true
    }
}
