//! A request that is answered directly: in the usual form and with no additional fields. Any other message is left to
//! rmcp.

use rmcp::model::{JsonObject, ProtocolVersion, RequestId, RequestMetaObject};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The prefix of the names in `_meta` that the protocol reserves.
const RESERVED: &str = "io.modelcontextprotocol/";

pub(crate) struct Request {
    /// The id as the client wrote it.
    pub(super) id: Box<str>,
    /// The id in rmcp's type.
    pub(crate) request_id: RequestId,
    pub(crate) question: Question,
    pub(crate) meta: RequestMetaObject,
    /// The size of the parameters in bytes.
    pub(super) bytes_in: u64,
}

pub(crate) enum Question {
    /// `tools/call`
    Call { name: String, arguments: Option<Box<RawValue>> },
    /// `prompts/get`
    Prompt { name: String, arguments: Option<Box<RawValue>> },
    /// `resources/read`
    Read { uri: String },
}

/// How a client names its revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// In the handshake: until 2025-11-25.
    Handshake,
    /// In each request: 2026-07-28.
    Inline,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'m> {
    jsonrpc: &'m str,
    #[serde(borrow)]
    id: &'m RawValue,
    method: &'m str,
    #[serde(borrow)]
    params: &'m RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    /// As written, because it is passed on unchanged to another server.
    arguments: Option<Box<RawValue>>,
    #[serde(rename = "_meta")]
    meta: Option<JsonObject>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    uri: String,
    #[serde(rename = "_meta")]
    meta: Option<JsonObject>,
}

impl Request {
    /// The request in these bytes; `None` if it is of another kind or has additional fields.
    pub(crate) fn read(message: &[u8]) -> Option<Self> {
        let Message { jsonrpc: "2.0", id, method, params } = serde_json::from_slice(message).ok()? else { return None };
        let params = params.get();
        let (question, meta) = match method {
            "tools/call" | "prompts/get" => {
                let Call { name, arguments, meta } = serde_json::from_str(params).ok()?;
                if arguments.as_ref().is_some_and(|arguments| !arguments.get().starts_with('{')) {
                    return None;
                }
                let question = match method {
                    "tools/call" => Question::Call { name, arguments },
                    _ => Question::Prompt { name, arguments },
                };
                (question, meta)
            }
            "resources/read" => {
                let Read { uri, meta } = serde_json::from_str(params).ok()?;
                (Question::Read { uri }, meta)
            }
            _ => return None,
        };
        let id = Some(id.get()).filter(|id| is_plain(id))?;
        let (id, request_id) = (id.into(), serde_json::from_str(id).ok()?);
        Some(Self { id, request_id, question, meta: meta.unwrap_or_default().into(), bytes_in: params.len() as u64 })
    }

    /// How it names its revision; `None` if the fields are incomplete.
    pub(crate) fn era(&self) -> Option<Era> {
        if !self.meta.keys().any(|key| key.starts_with(RESERVED)) {
            return Some(Era::Handshake);
        }
        let revision = ProtocolVersion::V_2026_07_28;
        let complete = self.meta.missing_required_keys(&revision).is_empty();
        (complete && self.meta.protocol_version() == Some(revision)).then_some(Era::Inline)
    }

    /// Whether the client wants progress notifications.
    pub(super) fn wants_progress(&self) -> bool {
        self.meta.contains_key("progressToken")
    }

    /// Its method and the name it asks for: the values of `Mcp-Method` and `Mcp-Name`.
    pub(crate) fn names(&self) -> (&'static str, &str) {
        match &self.question {
            Question::Call { name, .. } => ("tools/call", name),
            Question::Prompt { name, .. } => ("prompts/get", name),
            Question::Read { uri } => ("resources/read", uri),
        }
    }
}

/// Whether rmcp would write this id unchanged: a usual number, or text without escapes.
fn is_plain(id: &str) -> bool {
    let text = |id: &str| id.bytes().all(|byte| byte != b'\\');
    match id.strip_prefix('"').and_then(|id| id.strip_suffix('"')) {
        Some(id) => text(id),
        None => id == "0" || id.len() < 18 && !id.starts_with('0') && id.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn era(message: &str) -> Option<Era> {
        Request::read(message.as_bytes())?.era()
    }

    #[test]
    fn a_plain_request_is_known_by_how_it_names_its_revision() {
        let call = |meta: &str| {
            let params = format!(r#"{{"name":"get_skill","arguments":{{"id":"tea"}}{meta}}}"#);
            era(&format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#))
        };
        assert_eq!(call(""), Some(Era::Handshake));
        assert_eq!(call(r#","_meta":{"progressToken":1}"#), Some(Era::Handshake));
        let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
        assert_eq!(call(&format!(r#","_meta":{{{version}}}"#)), None, "not in full");
        let capabilities = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
        assert_eq!(call(&format!(r#","_meta":{{{version},{capabilities}}}"#)), Some(Era::Inline));
        assert_eq!(call(r#","task":{}"#), None);
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_left_to_rmcp() {
        let uri = r#""params":{"uri":"skill://tea/SKILL.md"}"#;
        for message in [
            format!(r#"{{"jsonrpc":"2.0","id":"a","method":"resources/read",{uri}}}"#),
            format!(r#"{{"method":"resources/read","id":0,{uri},"jsonrpc":"2.0"}}"#),
        ] {
            assert_eq!(era(&message), Some(Era::Handshake), "{message}");
        }
        for message in [
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list",{uri}}}"#),
            format!(r#"{{"jsonrpc":"2.0","method":"resources/read",{uri}}}"#),
            format!(r#"{{"jsonrpc":"1.0","id":1,"method":"resources/read",{uri}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1.5,"method":"resources/read",{uri}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":null,"method":"resources/read",{uri}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":"\u0061","method":"resources/read",{uri}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"id":2,"method":"resources/read",{uri}}}"#),
            format!(r#"[{{"jsonrpc":"2.0","id":1,"method":"resources/read",{uri}}}]"#),
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#.to_owned(),
            "end".to_owned(),
        ] {
            assert_eq!(era(&message), None, "{message}");
        }
    }
}
