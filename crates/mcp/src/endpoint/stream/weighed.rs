//! Counts the memory of answers on their way, from their start to their end, and disconnects a client that does not
//! read.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rmcp::{
    RoleServer,
    model::{ClientNotification, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::io::AsyncWrite;

use super::replies::Replies;
use crate::memory_budget::Outlet;

/// rmcp's lines: an answer counts until it is written or no longer wanted.
///
/// A message is written out here, and not by rmcp's own transport, whose buffer stays as large as the largest answer was.
pub(super) struct Weighed<T> {
    pub(super) lines: T,
    /// The queue that the messages are put into.
    pub(super) replies: Replies,
    pub(super) outlet: Arc<Outlet>,
}

impl<T: Transport<RoleServer, Error = io::Error>> Transport<RoleServer> for Weighed<T> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let id = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let weighs = id.and_then(|id| self.outlet.sends(id));
        let replies = self.replies.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            // It may wait for long, and counts with what it holds.
            line.shrink_to_fit();
            // The line waits in the queue behind others.
            if replies.send(line, weighs) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
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

/// A writer that must make progress: if the client does not read while others wait, the stream breaks.
pub(super) struct Moving<W> {
    write: W,
    outlet: Arc<Outlet>,
    given_up: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl<W> Moving<W> {
    pub(super) fn new(write: W, outlet: Arc<Outlet>) -> Self {
        let given_up = outlet.given_up().clone().cancelled_owned();
        Self { write, outlet, given_up: Box::pin(given_up) }
    }

    fn unless_given_up<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_pending() && self.given_up.as_mut().poll(context).is_ready() {
            // A completed future must not be polled again.
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
