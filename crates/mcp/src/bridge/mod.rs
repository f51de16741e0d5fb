//! Carries one client over the restart of the engine behind it.

mod hello;

pub use hello::{hear_hello, say_hello};

/// The line by which the bridge says that its client has nothing more to ask: a named pipe cannot be
/// closed in one direction.
pub(crate) const END: &str = "end";
