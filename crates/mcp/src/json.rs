//! Values written as JSON into an answer that is put together byte by byte.

use serde::Serialize;

/// Writes a value as JSON.
pub(crate) fn write_json(reply: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Every key served is text, and writing to memory does not fail.
    drop(serde_json::to_writer(reply, value));
}
