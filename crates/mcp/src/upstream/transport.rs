//! Carries messages to a server and back: a pair of queues, and the tasks that empty and fill them.

use std::time::Duration;

use secrets::Redaction;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
};
use tokio_util::{bytes::BytesMut, io::read_buf};

use super::UpstreamError;

/// The maximum size of a message in bytes.
pub(super) const LONGEST: usize = 16 << 20;
/// The maximum number of queued messages; further senders wait.
const WAITING: usize = 64;

/// How long a server may take to handle the end of its client.
const FAREWELL: Duration = Duration::from_secs(5);

/// A connection to a server and back. Each outgoing message ends with a line end; incoming ones need none.
pub struct Line {
    pub(super) out: mpsc::Sender<Vec<u8>>,
    pub(super) heard: mpsc::Receiver<Result<Vec<u8>, UpstreamError>>,
    /// Whether the newest revision can be tried first without a risk.
    pub(super) newest_first: bool,
    /// The secrets that the server must not repeat.
    pub(super) hidden: Redaction,
}

/// The other side of a line, for the task that carries its messages.
pub(crate) struct Carrier {
    /// The messages for the server. Ends when the last client is gone.
    pub(crate) out: mpsc::Receiver<Vec<u8>>,
    /// The server's messages, or the reason for their end.
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

    /// A server that reads and writes one message per line, such as a child process. When the last client is gone, its
    /// input is closed.
    pub fn over_streams(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (line, Carrier { out, heard }) = Self::new();
        tokio::spawn(speak(write, out));
        tokio::spawn(read_lines(read, heard));
        line
    }

    /// The same for a server that was given secrets: these are removed from its messages.
    #[must_use]
    pub fn hiding(self, secrets: &Redaction) -> Self {
        self.hidden.join(secrets);
        self
    }
}

impl Line {
    /// Connects a client to this server, message by message, until one of them ends. Returns the reason if that was the
    /// server.
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
        // The client has left: the server's messages during its shutdown are dropped.
        drop(tokio::time::timeout(FAREWELL, answering).await);
        None
    }
}

/// A server's message without its secrets. Text that is not JSON has no meaning for a client.
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

/// Writes the queued messages, all at once.
async fn speak(mut write: impl AsyncWrite + Unpin, mut out: mpsc::Receiver<Vec<u8>>) {
    let mut messages = Vec::new();
    let mut together = Vec::new();
    while out.recv_many(&mut messages, WAITING).await > 0 {
        together.clear();
        messages.drain(..).for_each(|message| together.extend(message));
        // The reading task notices a server that is gone.
        if write.write_all(&together).await.is_err() || write.flush().await.is_err() {
            return;
        }
        // Memory for one large message must not be held until the next one.
        together.shrink_to(1 << 16);
    }
    // The server may have closed its input already.
    drop(write.shutdown().await);
}

/// Reads line by line, up to the maximum size.
async fn read_lines(mut read: impl AsyncRead + Unpin, heard: mpsc::Sender<Result<Vec<u8>, UpstreamError>>) {
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
            // Frees the memory of a large message.
            buffer = BytesMut::with_capacity(8 << 10);
        } else {
            buffer.reserve(8 << 10);
        }
        match read_buf(&mut read, &mut buffer).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => break UpstreamError::Closed,
        }
    };
    // The client may be gone.
    drop(heard.send(Err(end)).await);
}
