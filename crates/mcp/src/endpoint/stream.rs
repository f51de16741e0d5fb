//! The server on a byte stream: stdio, a socket, a pipe in a test. One JSON message per line.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::SystemTime,
};

use rmcp::service::{ServerInitializeError, serve_server_with_ct};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::{
    Caller, Host,
    bridge::END,
    server::{Server, Way},
};

/// Serves one client until its stream ends or `stop` is cancelled. The end of the stream, or the line
/// `end` where a transport cannot be closed in one direction, lets open calls finish for up to five
/// seconds; `subscriptions/listen` streams get their final result. `since` is when the client began,
/// which was before now where a bridge goes on with another engine.
///
/// # Errors
/// When the stream breaks before the client has said what it wants.
pub async fn serve_stream<H: Host>(
    host: Arc<H>,
    caller: Caller,
    since: SystemTime,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> io::Result<()> {
    let closed = stop.child_token();
    let read = UntilEnd { read, matched: Some(0), ended: closed.clone() };
    let server = Server::new(host, Way::Stream { caller, since }, closed);
    match serve_server_with_ct(server, (read, write), stop).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        // The error itself would quote what the client sent.
        Err(_) => Err(io::Error::other("The client did not begin with a request, or stopped listening.")),
    }
}

/// Reads until the stream ends or a line says `end`, and tells so at once: rmcp waits for open
/// `listen` streams before it closes, and they wait for somebody to tell them.
struct UntilEnd<R> {
    read: R,
    /// How much of `end` the present line is so far; `None` when it is another line.
    matched: Option<usize>,
    ended: CancellationToken,
}

impl<R> UntilEnd<R> {
    /// Whether these bytes complete a line that says `end`.
    fn end_in(&mut self, bytes: &[u8]) -> bool {
        for &byte in bytes {
            match (byte, self.matched) {
                (b'\n', Some(matched)) if matched == END.len() => return true,
                (b'\n', _) => self.matched = Some(0),
                (byte, Some(matched)) if END.as_bytes().get(matched) == Some(&byte) => self.matched = Some(matched + 1),
                _ => self.matched = None,
            }
        }
        false
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ended.is_cancelled() {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let result = ready!(Pin::new(&mut self.read).poll_read(context, buffer));
        let over = result.is_err() || buffer.filled().len() == before;
        if over || self.end_in(&buffer.filled()[before..]) {
            self.ended.cancel();
        }
        Poll::Ready(result)
    }
}
