//! The socket between bridges (`skilltender mcp`) and the one writing engine.
//!
//! `proxied` is another socket, for HTTP behind a proxy.
//!
//! Every peer must be the same user. Clients often pass nothing but HOME and PATH to a bridge, so the socket's
//! path follows from the data folder alone. The protocol is left to `mcp`.

#[cfg(unix)]
mod proxied;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use proxied::ProxySocket;
#[cfg(unix)]
pub use unix::{Listener, Stream, connect};
#[cfg(windows)]
pub use windows::{Listener, Stream, connect};
