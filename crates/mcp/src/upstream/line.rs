//! What carries messages to a server and back: a pair of queues, and somebody who empties and fills them.

use std::time::Duration;

use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
};
use tokio_util::{bytes::BytesMut, io::read_buf};

use super::UpstreamError;
use crate::Redaction;

/// The longest message that is kept.
pub(super) const LONGEST: usize = 16 << 20;
/// So many messages may wait on their way; who has more to say waits.
const WAITING: usize = 64;

/// How long a server may take to hear that its client has gone.
const FAREWELL: Duration = Duration::from_secs(5);

/// A way to a server and back. Each message going out ends with a line end; those coming in need none.
pub struct Line {
    pub(super) out: mpsc::Sender<Vec<u8>>,
    pub(super) heard: mpsc::Receiver<Result<Vec<u8>, UpstreamError>>,
    /// Whether a server may be asked for the newest revision without a risk.
    pub(super) newest_first: bool,
    /// What the server must not say.
    pub(super) hidden: Redaction,
}

/// The other side of a line, for whoever carries its messages.
pub(crate) struct Carrier {
    /// What the server is to hear. Empty for good once nobody speaks to it any more.
    pub(crate) out: mpsc::Receiver<Vec<u8>>,
    /// What it said, or why it will say nothing more.
    pub(crate) heard: mpsc::Sender<Result<Vec<u8>, UpstreamError>>,
}

impl Line {
    pub(crate) fn new() -> (Self, Carrier) {
        let ((out, outgoing), (coming, heard)) = (mpsc::channel(WAITING), mpsc::channel(WAITING));
        (
            Self { out, heard, newest_first: false, hidden: Redaction::default() },
            Carrier { out: outgoing, heard: coming },
        )
    }

    /// A server that reads and writes one message per line, such as a child process. When nobody speaks to it any
    /// more its input is closed.
    pub fn over_streams(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (line, Carrier { out, heard }) = Self::new();
        tokio::spawn(speak(write, out));
        tokio::spawn(hear(read, heard));
        line
    }

    /// The same to a server that was given secrets: what it says of them is not heard.
    #[must_use]
    pub fn hiding(self, secrets: &Redaction) -> Self {
        self.hidden.join(secrets);
        self
    }
}

impl Line {
    /// Lets a client speak to this server, message by message, until one of them has nothing more to say. Gives why that
    /// was the server.
    pub async fn join(self, client: Self) -> Option<UpstreamError> {
        let Self { out: to_server, heard: mut of_server, hidden, .. } = self;
        let Self { out: to_client, heard: mut of_client, .. } = client;
        let asking = async move {
            while let Some(Ok(message)) = of_client.recv().await {
                if to_server.send(with_end(message)).await.is_err() {
                    return;
                }
            }
        };
        let answering = async move {
            loop {
                match of_server.recv().await {
                    Some(Ok(message)) => to_client.send(with_end(without(&hidden, &message))).await.ok()?,
                    Some(Err(why)) => return Some(why.hiding(&hidden)),
                    None => return Some(UpstreamError::Closed),
                }
            }
        };
        tokio::pin!(answering);
        tokio::select! {
            why = &mut answering => return why,
            () = asking => {}
        }
        // The client has gone: what the server says while it hears that is nobody's any more.
        drop(tokio::time::timeout(FAREWELL, answering).await);
        None
    }
}

/// A message of a server without its secrets. What is no JSON says nothing to a client.
fn without(hidden: &Redaction, message: &[u8]) -> Vec<u8> {
    match serde_json::from_slice::<Box<RawValue>>(message) {
        Ok(json) => hidden.data(json).get().as_bytes().to_vec(),
        Err(_) => hidden.first(message, message.len()).into_bytes(),
    }
}

fn with_end(mut message: Vec<u8>) -> Vec<u8> {
    message.push(b'\n');
    message
}

/// Writes what waits, all of it at once.
async fn speak(mut write: impl AsyncWrite + Unpin, mut out: mpsc::Receiver<Vec<u8>>) {
    let mut messages = Vec::new();
    let mut together = Vec::new();
    while out.recv_many(&mut messages, WAITING).await > 0 {
        together.clear();
        messages.drain(..).for_each(|message| together.extend(message));
        // A server that is gone is noticed by who listens to it.
        if write.write_all(&together).await.is_err() || write.flush().await.is_err() {
            return;
        }
        // One large message must not stay in memory until the next one.
        together.shrink_to(1 << 16);
    }
    // Closed is what it should be; a server that is gone has it so already.
    drop(write.shutdown().await);
}

/// Reads line by line, and no line longer than is kept.
async fn hear(mut read: impl AsyncRead + Unpin, heard: mpsc::Sender<Result<Vec<u8>, UpstreamError>>) {
    let mut buffer = BytesMut::new();
    let mut searched = 0;
    let end = loop {
        while let Some(at) = buffer[searched..].iter().position(|&byte| byte == b'\n') {
            let line = buffer.split_to(searched + at + 1);
            searched = 0;
            let line = line.trim_ascii();
            if !line.is_empty() && heard.send(Ok(line.to_vec())).await.is_err() {
                return;
            }
        }
        searched = buffer.len();
        if searched > LONGEST {
            break UpstreamError::Flood;
        }
        if buffer.is_empty() {
            // What a long message took is given back.
            buffer = BytesMut::with_capacity(8 << 10);
        } else {
            buffer.reserve(8 << 10);
        }
        match read_buf(&mut read, &mut buffer).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => break UpstreamError::Closed,
        }
    };
    // Whoever spoke to it may have gone.
    drop(heard.send(Err(end)).await);
}
