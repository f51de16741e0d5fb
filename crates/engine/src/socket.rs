//! The socket between bridges (`skilltender mcp`) and the one writing engine.
//!
//! Every peer must be the same user. Clients often hand a bridge nothing but HOME and PATH, so its
//! place follows from the data folder alone. What is said on it is left to `mcp`.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{Listener, Stream, connect};
#[cfg(windows)]
pub(crate) use windows::{Listener, Stream, connect};
