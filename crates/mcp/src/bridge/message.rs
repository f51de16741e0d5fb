//! The parts of a JSON-RPC message that the bridge needs. Everything else passes unread.

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Map, Value, json, value::RawValue};

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// One message of either side.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    /// Present in requests and in answers.
    pub(super) id: Option<Value>,
    /// Present in requests and in notifications.
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    error: Option<IgnoredAny>,
}

/// The fields of some messages' `params`.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Params {
    /// Of `tools/call`.
    pub(super) name: String,
    /// Of `resources/subscribe` and `resources/unsubscribe`.
    pub(super) uri: String,
    /// Of `notifications/cancelled`.
    pub(super) request_id: Value,
    /// Of `notifications/subscriptions/acknowledged`: what was accepted.
    pub(super) notifications: Map<String, Value>,
    #[serde(rename = "_meta")]
    meta: Map<String, Value>,
}

impl<'a> Message<'a> {
    /// The message in this line; `None` if it is not a single message, for example a batch.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    pub(super) fn failed(&self) -> bool {
        self.error.is_some()
    }

    /// Its known parameters; defaults if they have another shape.
    pub(super) fn params(&self) -> Params {
        self.params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default()
    }
}

impl Params {
    /// Whether the request names its own revision: 2026-07-28 and later.
    pub(super) fn is_modern(&self) -> bool {
        self.meta.contains_key(VERSION)
    }

    /// The `listen` stream that a notification belongs to.
    pub(super) fn subscription(&self) -> Option<&Value> {
        self.meta.get(SUBSCRIPTION)
    }
}

/// The request with another id.
pub(super) fn with_id(line: &[u8], id: &str) -> Option<Vec<u8>> {
    let mut request: Map<String, Value> = serde_json::from_slice(line).ok()?;
    request.insert("id".to_owned(), id.into());
    serde_json::to_vec(&request).ok()
}

/// A request by the bridge itself.
pub(super) fn request(id: &str, method: &str, params: &Value) -> Vec<u8> {
    bytes(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

/// A notification as the engine would send it: on a `listen` stream it names that stream.
pub(super) fn notification(method: &str, uri: Option<&str>, subscription: Option<&Value>) -> Vec<u8> {
    let mut params = Map::new();
    if let Some(id) = subscription {
        params.insert("_meta".to_owned(), json!({SUBSCRIPTION: id}));
    }
    if let Some(uri) = uri {
        params.insert("uri".to_owned(), uri.into());
    }
    let mut message = json!({"jsonrpc": "2.0", "method": format!("notifications/{method}")});
    if !params.is_empty() {
        message["params"] = params.into();
    }
    bytes(&message)
}

/// A failed tool result of one sentence.
pub(super) fn tool_failure(id: &Value, modern: bool, sentence: &str) -> Vec<u8> {
    let mut result = json!({"content": [{"type": "text", "text": sentence}], "isError": true});
    if modern {
        result["resultType"] = "complete".into();
    }
    bytes(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// The final result of a `listen` stream.
pub(super) fn goodbye(id: &Value) -> Vec<u8> {
    let result = json!({"resultType": "complete", "_meta": {SUBSCRIPTION: id}});
    bytes(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A protocol error.
pub(super) fn failure(id: &Value, sentence: &str) -> Vec<u8> {
    bytes(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": sentence}}))
}

fn bytes(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}
