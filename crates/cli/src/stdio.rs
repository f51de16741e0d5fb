//! Standard input and output as streams. If the kernel reports their readiness, as it does for the pipes and sockets
//! that clients use, they are read and written without a thread; anything else gets a thread that waits for it.

#[cfg(target_os = "linux")]
mod ready;

use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite, stdin, stdout};

/// Standard input.
pub(crate) type Input = Pin<Box<dyn AsyncRead + Send>>;
/// Standard output.
pub(crate) type Output = Pin<Box<dyn AsyncWrite + Send>>;

/// Opens both. Nothing else may read or write them from now on.
pub(crate) fn open() -> (Input, Output) {
    #[cfg(target_os = "linux")]
    if let (Some(input), Some(output)) = (ready::input(), ready::output()) {
        return (Box::pin(input), Box::pin(output));
    }
    (Box::pin(stdin()), Box::pin(stdout()))
}
