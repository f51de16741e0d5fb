//! What a call of a tool gives, and how it is put into a result: by rmcp's type, or straight into bytes.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::direct::{self, Era};

/// What a call gives.
pub(crate) enum Given {
    /// An answer: JSON, which the model sees as text. Beside the text stands the same as structured
    /// content, an object that holds it under a key where the text is no object. A remark may follow.
    Answer { json: String, key: Option<&'static str>, remark: Option<String> },
    /// Why there is none, as a sentence.
    Failure(String),
}

impl Given {
    /// Whether the call failed.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, Self::Failure(_))
    }

    /// About how many bytes [`Given::write`] writes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Answer { json, .. } => json.len() * 2 + json.len() / 8 + 512,
            Self::Failure(_) => 512,
        }
    }

    /// Writes it as rmcp writes the result that it is, without taking it apart.
    pub(crate) fn write(&self, reply: &mut Vec<u8>, era: Era) {
        let text = |reply: &mut Vec<u8>, text: &str| {
            reply.extend(b"{\"type\":\"text\",\"text\":");
            direct::json(reply, text);
            reply.push(b'}');
        };
        reply.push(b'{');
        if era == Era::Inline {
            reply.extend(b"\"resultType\":\"complete\",");
        }
        reply.extend(b"\"content\":[");
        match self {
            Self::Answer { json, key, remark } => {
                text(reply, json);
                if let Some(remark) = remark {
                    reply.push(b',');
                    text(reply, remark);
                }
                reply.extend(b"],\"structuredContent\":");
                match key {
                    Some(key) => [b"{\"", key.as_bytes(), b"\":", json.as_bytes(), b"}"]
                        .into_iter()
                        .for_each(|part| reply.extend(part)),
                    None => reply.extend(json.as_bytes()),
                }
                reply.extend(b",\"isError\":false}");
            }
            Self::Failure(sentence) => {
                text(reply, sentence);
                reply.extend(b"],\"isError\":true}");
            }
        }
    }
}

impl From<Given> for CallToolResult {
    fn from(given: Given) -> Self {
        match given {
            Given::Answer { json, key, remark } => {
                // It was just written.
                let value: Value = serde_json::from_str(&json).unwrap_or_default();
                let mut result = Self::success(vec![ContentBlock::text(json)]);
                result.content.extend(remark.map(ContentBlock::text));
                result.structured_content = Some(match key {
                    Some(key) => json!({key: value}),
                    None => value,
                });
                result
            }
            Given::Failure(sentence) => Self::error(vec![ContentBlock::text(sentence)]),
        }
    }
}
