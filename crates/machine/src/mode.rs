//! What a running Skilltender may do here.

use std::path::PathBuf;

/// What an engine may do on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The one engine that writes choices, secrets and clients' files; it serves over HTTP and the socket.
    Writing,
    /// A read-only engine: it reads the choices and serves its one client.
    Reading,
    /// The plain server of the skills server specification: these folders, every skill on, no state.
    Plain {
        /// Absolute paths.
        folders: Vec<PathBuf>,
    },
}
