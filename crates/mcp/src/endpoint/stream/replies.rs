//! Messages to the client: whole ones from rmcp and from direct answers, written by one task, as many at once as are
//! queued.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use crate::{lock::lock, memory_budget::Sending};

/// Messages are written together up to about this many bytes.
const TOGETHER: usize = 64 << 10;
/// The number of unread bytes above which no further lines are read from the client.
const MOST_UNREAD: usize = 16 << 20;

/// The sender of messages, each with its line end. Messages sent before the last sender is dropped are still written.
#[derive(Clone)]
pub(super) struct Replies {
    messages: UnboundedSender<Message>,
    unread: Arc<Unread>,
}

/// The bytes, and a guard that is dropped once they and all before them are written, or never will be.
type Message = (Vec<u8>, Option<Sending>);

/// The bytes that the client has not taken yet, and the task that waits until they are few.
#[derive(Default)]
struct Unread {
    bytes: AtomicUsize,
    waits: Mutex<Option<Waker>>,
}

/// Creates the sender and the writing task for a client.
pub(super) fn replies(write: impl AsyncWrite + Send + Unpin + 'static) -> (Replies, JoinHandle<io::Result<()>>) {
    let (messages, sent) = unbounded_channel();
    let unread = Arc::new(Unread::default());
    let written = tokio::spawn(write_all(write, sent, Arc::clone(&unread)));
    (Replies { messages, unread }, written)
}

async fn write_all(
    mut write: impl AsyncWrite + Unpin,
    mut sent: UnboundedReceiver<Message>,
    unread: Arc<Unread>,
) -> io::Result<()> {
    let mut result = Ok(());
    while result.is_ok()
        && let Some((mut messages, weighs)) = sent.recv().await
    {
        let mut weighs = Vec::from_iter(weighs);
        while messages.len() < TOGETHER
            && let Ok((next, weighs_too)) = sent.try_recv()
        {
            messages.extend(next);
            weighs.extend(weighs_too);
        }
        result = write_one(&mut write, &messages).await;
        unread.bytes.fetch_sub(messages.len(), Ordering::Relaxed);
        if result.is_err() {
            sent.close();
        }
        if let Some(waiting) = lock(&unread.waits).take() {
            waiting.wake();
        }
    }
    result
}

async fn write_one(write: &mut (impl AsyncWrite + Unpin), messages: &[u8]) -> io::Result<()> {
    write.write_all(messages).await?;
    write.flush().await
}

impl Replies {
    /// Sends a message, which counts as memory in use until it is written. It is lost if the client is gone.
    pub(super) fn send(&self, message: Vec<u8>, weighs: Option<Sending>) -> bool {
        self.unread.bytes.fetch_add(message.len(), Ordering::Relaxed);
        self.messages.send((message, weighs)).is_ok()
    }

    /// Ready if the client reads its messages; if not, the task is woken when it does. Only one task can wait.
    pub(super) fn poll_read(&self, context: &Context<'_>) -> Poll<()> {
        let few = || self.unread.bytes.load(Ordering::Relaxed) < MOST_UNREAD || self.messages.is_closed();
        if few() {
            return Poll::Ready(());
        }
        *lock(&self.unread.waits) = Some(context.waker().clone());
        // The client may have read everything in between.
        if few() { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// For rmcp, which writes whole answers to what is no message.
impl AsyncWrite for Replies {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, message: &[u8]) -> Poll<io::Result<usize>> {
        let sent = self.send(message.to_vec(), None);
        Poll::Ready(if sent { Ok(message.len()) } else { Err(io::ErrorKind::BrokenPipe.into()) })
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn what_was_sent_is_written_although_everybody_left() {
        let (mut ours, theirs) = tokio::io::duplex(4);
        let (replies, written) = replies(theirs);
        for message in ["one\n", "two\n", "three\n"] {
            assert!(replies.send(message.into(), None));
        }
        drop(replies);
        let mut text = String::new();
        ours.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "one\ntwo\nthree\n");
        written.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_waited_for() {
        let (mut ours, theirs) = tokio::io::duplex(1 << 10);
        let (replies, _written) = replies(theirs);
        replies.send(vec![b' '; MOST_UNREAD], None);
        let reads = std::future::poll_fn(|context| replies.poll_read(context));
        tokio::select! {
            biased;
            () = reads => panic!("it did not read"),
            () = tokio::task::yield_now() => {}
        }
        ours.read_exact(&mut vec![0; MOST_UNREAD]).await.unwrap();
        std::future::poll_fn(|context| replies.poll_read(context)).await;
    }
}
