//! Messages as bytes: outgoing ones are assembled here, incoming ones are parsed no further than their envelope.

use std::{borrow::Cow, io::Write as _};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::json::write_json;

/// The envelope of a message. Its contents stay as written.
#[derive(Deserialize)]
pub(super) struct Envelope<'m> {
    #[serde(borrow)]
    pub(super) id: Option<&'m RawValue>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'m, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'m RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'m RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'m RawValue>,
}

/// An error as JSON-RPC writes it.
#[derive(Deserialize)]
pub(super) struct Fault {
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) data: Option<Box<RawValue>>,
}

/// The inside of an empty object, for adding fields.
pub(super) const fn object() -> Vec<u8> {
    Vec::new()
}

/// Adds a field with a value that is serialized here.
pub(super) fn field(object: &mut Vec<u8>, name: &str, value: &(impl Serialize + ?Sized)) {
    key(object, name);
    write_json(object, value);
}

/// Adds a field with a value as its author wrote it.
pub(super) fn raw_field(object: &mut Vec<u8>, name: &str, value: &RawValue) {
    key(object, name);
    // A line break ends a message; between JSON tokens it is only a blank.
    object.extend(value.get().bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
}

/// Adds a field that is an object with this inside.
pub(super) fn object_field(object: &mut Vec<u8>, name: &str, inside: &[u8]) {
    key(object, name);
    object.push(b'{');
    object.extend(inside);
    object.push(b'}');
}

fn key(object: &mut Vec<u8>, name: &str) {
    if !object.is_empty() {
        object.push(b',');
    }
    write_json(object, name);
    object.push(b':');
}

/// A request whose parameters are an object with this inside.
pub(super) fn request(id: u64, method: &str, params: &[u8]) -> Vec<u8> {
    message(&format!("\"id\":{id},\"method\":\"{method}\""), Some(params))
}

/// A notification.
pub(super) fn notification(method: &str, params: Option<&[u8]>) -> Vec<u8> {
    message(&format!("\"method\":\"{method}\""), params)
}

fn message(head: &str, params: Option<&[u8]>) -> Vec<u8> {
    let mut message = Vec::with_capacity(64 + head.len() + params.map_or(0, <[u8]>::len));
    // Writing to memory does not fail.
    drop(write!(message, "{{\"jsonrpc\":\"2.0\",{head}"));
    if let Some(params) = params {
        message.extend(b",\"params\":{");
        message.extend(params);
        message.push(b'}');
    }
    message.extend(b"}\n");
    message
}

/// The answer to a server's question.
pub(super) fn result(id: &RawValue, result: &RawValue) -> Vec<u8> {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}}\n", id.get(), result.get()).into_bytes()
}

/// The answer to a server's request: an empty result, or the error for an unknown method.
pub(super) fn answer(id: &RawValue, known: bool) -> Vec<u8> {
    let said = if known { "\"result\":{}" } else { r#""error":{"code":-32601,"message":"Method not found"}"# };
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},{said}}}\n", id.get()).into_bytes()
}
