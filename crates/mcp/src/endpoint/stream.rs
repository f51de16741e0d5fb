//! The server on a byte stream: stdio, a socket, a pipe in a test. One JSON message per line.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::SystemTime,
};

use rmcp::{
    RoleServer,
    model::{ClientNotification, JsonRpcMessage},
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage, serve_server_with_ct},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::{
    Caller, Host,
    bridge::END,
    server::{Server, Way},
    weight::Outlet,
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
    let (closed, outlet) = (stop.child_token(), Arc::new(Outlet::default()));
    let read = UntilEnd { read, matched: Some(0), ended: closed.clone() };
    let write = Moving { write, outlet: Arc::clone(&outlet), given_up: Box::pin(given_up(Arc::clone(&outlet))) };
    let transport = Weighed { lines: AsyncRwTransport::new(read, write), outlet: Arc::clone(&outlet) };
    let (given_up, ending) = (outlet.given_up().clone(), stop.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = given_up.cancelled() => ending.cancel(),
            () = ending.cancelled() => {}
        }
    });
    let server = Server::new(host, Way::Stream { caller, since, outlet }, closed);
    match serve_server_with_ct(server, transport, stop).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        // The error itself would quote what the client sent.
        Err(_) => Err(io::Error::other("The client did not begin with a request, or stopped listening.")),
    }
}

/// Lines that say when an answer that weighs is sent, and when nobody wants it any more.
struct Weighed<T> {
    lines: T,
    outlet: Arc<Outlet>,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Weighed<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let id = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let id = id.filter(|id| self.outlet.carries(id));
        if id.is_some() {
            self.outlet.moves();
        }
        let (sending, outlet) = (self.lines.send(message), Arc::clone(&self.outlet));
        async move {
            let sent = sending.await;
            if let Some(id) = id {
                outlet.settled(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.lines.receive().await;
        if let Some(JsonRpcMessage::Notification(notification)) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.outlet.cancelled(id.clone());
        }
        message
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.lines.close()
    }
}

/// What is written, as long as it moves: when the client does not read and others wait, the stream breaks.
struct Moving<W> {
    write: W,
    outlet: Arc<Outlet>,
    given_up: Pin<Box<dyn Future<Output = ()> + Send>>,
}

async fn given_up(outlet: Arc<Outlet>) {
    outlet.given_up().cancelled().await;
}

impl<W> Moving<W> {
    fn unless_given_up<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_pending() && self.given_up.as_mut().poll(context).is_ready() {
            // A future that has ended must not be asked again.
            self.given_up = Box::pin(std::future::ready(()));
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        done
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Moving<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.write).poll_write(context, bytes);
        if matches!(written, Poll::Ready(Ok(_))) && self.outlet.is_loaded() {
            self.outlet.moves();
        }
        self.unless_given_up(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.write).poll_flush(context);
        self.unless_given_up(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.write).poll_shutdown(context);
        self.unless_given_up(context, shut)
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
