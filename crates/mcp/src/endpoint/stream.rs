//! The server on a byte stream: stdio, a socket, a pipe in a test. One JSON message per line.

mod replies;
mod requests;

use std::{
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use rmcp::service::{ServerInitializeError, serve_server_with_ct};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use self::{
    replies::replies,
    requests::{Lane, Requests},
};
use crate::{
    Caller, Host,
    server::{Server, Way},
};

/// How long a client that has nothing more to ask may take to read its last answers.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves one client until its stream ends or `stop` is cancelled. The end of the stream, or the line
/// `end` where a transport cannot be closed in one direction, lets open calls finish for up to five
/// seconds; `subscriptions/listen` streams get their final result.
///
/// # Errors
/// When the stream breaks before the client has said what it wants.
pub async fn serve_stream<H: Host>(
    host: Arc<H>,
    caller: Caller,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> io::Result<()> {
    let closed = stop.child_token();
    let spoken = Arc::new(OnceLock::new());
    let (replies, written) = replies(write);
    let lane =
        Lane { host: host.clone(), caller: caller.clone(), spoken: Arc::clone(&spoken), replies: replies.clone() };
    let requests = Requests::new(read, lane, closed.clone());
    let server = Server::new(host, Way::Stream(caller, spoken), closed);
    let served = match serve_server_with_ct(server, (requests, replies), stop).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        // The error itself would quote what the client sent.
        Err(_) => Err(io::Error::other("The client did not begin with a request, or stopped listening.")),
    };
    // Who does not read any more has nothing to lose.
    drop(timeout(FAREWELL, written).await);
    served
}
