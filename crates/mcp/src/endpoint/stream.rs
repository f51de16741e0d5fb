//! The server on a byte stream: stdio, a socket, a pipe in a test. One JSON message per line.

mod asking;
mod open;
mod replies;
mod requests;
mod weighed;

use std::{
    io,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use rmcp::{
    service::{ServerInitializeError, serve_server_with_ct},
    transport::async_rw::AsyncRwTransport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

pub(crate) use self::asking::Asking;
use self::{
    open::Open,
    replies::replies,
    requests::{Lane, Requests},
    weighed::{Moving, Weighed},
};
use crate::{
    Caller, Host,
    memory_budget::Outlet,
    server::{Server, Way},
    workspace::Workspace,
};

/// How long a client that has ended may take to read its last answers.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves one client until its stream ends or `stop` is cancelled.
///
/// The end of the stream, or the line `end` on a transport that cannot be closed in one direction, lets open calls
/// finish for up to five seconds; `subscriptions/listen` streams get their final result. `since` is when the client
/// began, which is in the past if a bridge continues with another engine.
///
/// # Errors
/// If the stream breaks before the client's first request.
pub async fn serve_stream<H: Host>(
    host: Arc<H>,
    caller: Caller,
    since: SystemTime,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: CancellationToken,
) -> io::Result<()> {
    let (closed, outlet, spoken) = (stop.child_token(), Arc::new(Outlet::default()), Arc::new(OnceLock::new()));
    // A client that has left does not wait for the requests it sent to other servers.
    let closed_with = CancellationToken::new();
    let _gone = closed_with.clone().drop_guard();
    let (replies, mut written) = replies(Moving::new(write, Arc::clone(&outlet)));
    let workspace = Arc::new(Workspace::of(caller));
    let asking = Arc::new(Asking::new(replies.clone(), closed.clone()));
    let lane = Lane {
        host: Arc::clone(&host),
        workspace: Arc::clone(&workspace),
        spoken: Arc::clone(&spoken),
        replies: replies.clone(),
        outlet: Arc::clone(&outlet),
        open: Arc::new(Open::new(closed_with.clone())),
        asking: Arc::clone(&asking),
    };
    let requests = Requests::new(read, lane, closed.clone());
    let lines = AsyncRwTransport::new(requests, replies.clone());
    let transport = Weighed { lines, replies, outlet: Arc::clone(&outlet) };
    let (given_up, ending) = (outlet.given_up().clone(), stop.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = given_up.cancelled() => ending.cancel(),
            () = ending.cancelled() => {}
        }
    });
    let server = Server::new(host, Way::Stream { workspace, since, outlet, spoken, asking }, closed);
    let served = match serve_server_with_ct(server, transport, stop).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        // The error itself would quote the client's message.
        Err(_) => Err(io::Error::other("The client did not begin with a request, or stopped listening.")),
    };
    // A client that no longer reads loses nothing.
    if timeout(FAREWELL, &mut written).await.is_err() {
        written.abort();
    }
    served
}
