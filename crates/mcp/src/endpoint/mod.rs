//! Puts the server on a transport: a byte stream, or HTTP on 127.0.0.1 behind the guard.

mod stream;

pub use stream::serve_stream;
