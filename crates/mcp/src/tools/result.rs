//! The outcome of a tool call, and its conversion into a result: in rmcp's type, or directly into bytes.

use rmcp::model::{CallToolResult, ContentBlock, ResultType};
use serde_json::{Value, json};

use crate::{
    fast_path::request::Era,
    forwarded::{Forwarded, ODD},
    json::write_text,
};

/// The outcome of a call.
pub(crate) enum Given {
    /// An answer: JSON, which the model sees as text. The result also contains it as structured content, an object that
    /// holds it under a key if the text is not an object. A remark may follow.
    Answer { json: String, key: Option<&'static str>, remark: Option<String> },
    /// Another server's answer.
    Forwarded(Forwarded),
    /// The reason for a failure, as a sentence.
    Failure(String),
}

impl Given {
    /// Whether the call failed.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Answer { .. } => false,
            Self::Forwarded(forwarded) => forwarded.says_it_failed(),
            Self::Failure(_) => true,
        }
    }

    /// The approximate size that [`Given::write`] writes, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Answer { json, .. } => json.len() * 2 + json.len() / 8 + 512,
            Self::Forwarded(forwarded) => forwarded.size(),
            Self::Failure(_) => 512,
        }
    }

    /// Writes the result as rmcp writes it, without parsing it.
    pub(crate) fn write(&self, reply: &mut Vec<u8>, era: Era) {
        let text = |reply: &mut Vec<u8>, text: &str| {
            reply.extend(b"{\"type\":\"text\",\"text\":");
            write_text(reply, text);
            reply.push(b'}');
        };
        if let Self::Forwarded(forwarded) = self {
            return forwarded.write(reply, era);
        }
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
            Self::Forwarded(_) => {}
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
                // The JSON was written by us.
                let value: Value = serde_json::from_str(&json).unwrap_or_default();
                let mut result = Self::success(vec![ContentBlock::text(json)]);
                result.content.extend(remark.map(ContentBlock::text));
                result.structured_content = Some(match key {
                    Some(key) => json!({key: value}),
                    None => value,
                });
                result
            }
            Given::Forwarded(forwarded) => {
                let odd = || Self::error(vec![ContentBlock::text(ODD)]);
                let mut result: Self = forwarded.read().unwrap_or_else(odd);
                // Servers of older revisions omit this field; rmcp removes it for clients of those.
                result.result_type = Some(ResultType::COMPLETE);
                result
            }
            Given::Failure(sentence) => Self::error(vec![ContentBlock::text(sentence)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn a_result_of_an_older_server_says_its_kind_whichever_way_it_goes() {
        let result = r#"{"content":[{"type":"text","text":"3"}],"isError":false}"#;
        let result = || RawValue::from_string(result.to_owned()).unwrap();
        let given = || Given::Forwarded(Forwarded::of(result()).unwrap_or_else(|_| panic!("it is a result")));
        let mut written = Vec::new();
        given().write(&mut written, Era::Inline);
        let written: Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(written["resultType"], "complete");
        assert_eq!(json!(CallToolResult::from(given())), written);
    }
}
