//! Connects the server to a transport: a byte stream, or HTTP behind the guard.

mod body;
mod concurrency_limit;
mod connections;
mod entrance;
mod guard;
mod http;
mod priming;
mod sessions;
mod stream;

pub use connections::Limits;
pub use entrance::Entrance;
pub use guard::{Access, Token};
pub use http::serve_http;
pub(crate) use stream::Asking;
pub use stream::serve_stream;
