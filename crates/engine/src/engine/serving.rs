//! The open endpoint, as the engine holds it. Opening and closing it is left to [`crate::serve`].

use std::sync::Arc;

use arc_swap::ArcSwap;
use choices::tokens::Tokens;
use machine::lock::Lock;
use mcp::Access;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// The open endpoint; closed when dropped.
pub(crate) struct Serving {
    pub(crate) access: Arc<ArcSwap<Access>>,
    pub(crate) tokens: Tokens,
    pub(crate) stop: CancellationToken,
    /// Ends HTTP alone.
    pub(crate) http: CancellationToken,
    pub(crate) tasks: JoinSet<()>,
    /// The right to write; an engine of plain folders at a place of its own needs none.
    pub(crate) lock: Option<Lock>,
    /// A token that is accepted besides the stored ones.
    pub(crate) given: Option<String>,
    /// Whether HTTP is served at the library's own port, which a person can change.
    pub(crate) at_own_port: bool,
}
