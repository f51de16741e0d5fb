//! Connects the server to a transport: a byte stream, or HTTP on 127.0.0.1 behind the guard.

mod body;
mod concurrency_limit;
mod connections;
mod guard;
mod http;
mod priming;
mod sessions;
mod stream;

pub use connections::Limits;
pub use guard::{Access, Token};
pub use http::serve_http;
pub(crate) use stream::Asking;
pub use stream::serve_stream;
