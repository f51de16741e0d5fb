//! Another server's answer, passed on unchanged: directly into bytes, or in rmcp's type where rmcp answers.

use std::borrow::Cow;

use indexmap::IndexMap;
use rmcp::{ErrorData, model::ErrorCode};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{CallFailure, fast_path::request::Era, json::write_json};

/// Whether a server's result reports that a tool failed.
pub fn says_it_failed(result: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Outcome {
        #[serde(rename = "isError", default)]
        is_error: bool,
    }
    serde_json::from_str::<Outcome>(result.get()).is_ok_and(|outcome| outcome.is_error)
}

/// A complete result of another server.
pub(crate) struct Forwarded {
    result: Box<RawValue>,
    /// Whether it contains `resultType`, which exists since 2026-07-28.
    typed: bool,
    /// Whether clients of 2026-07-28 expect hints for how long they may keep it.
    kept: bool,
}

/// The hints: do not keep it, because it may change at any time.
const HINTS: &[u8] = b"\"ttlMs\":0,\"cacheScope\":\"private\"";

/// The error for a server whose answer is not a result.
pub(crate) const ODD: &str = "The server's answer is not what MCP says an answer is.";

impl Forwarded {
    /// A result as its server wrote it. A question back to the user is rejected, because it cannot be passed on.
    ///
    /// # Errors
    /// The reason why it cannot be passed on, as a sentence.
    pub(crate) fn of(result: Box<RawValue>) -> Result<Self, &'static str> {
        #[derive(Deserialize)]
        struct Kind<'r> {
            #[serde(borrow, rename = "resultType")]
            kind: Option<Cow<'r, str>>,
        }
        match serde_json::from_str::<Kind<'_>>(result.get()) {
            Ok(Kind { kind: None }) => Ok(Self { result, typed: false, kept: false }),
            Ok(Kind { kind: Some(kind) }) if kind == "complete" => Ok(Self { result, typed: true, kept: false }),
            Ok(_) => {
                Err("The server wants to ask a person something first, which it cannot do through Skilltender yet.")
            }
            Err(_) => Err(ODD),
        }
    }

    /// Marks it as an answer that clients may keep for a while.
    pub(crate) fn kept(self) -> Self {
        Self { kept: true, ..self }
    }

    /// Whether it reports that a tool failed.
    pub(crate) fn says_it_failed(&self) -> bool {
        says_it_failed(&self.result)
    }

    /// The approximate size that [`Self::write`] writes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.result.get().len() + 64
    }

    /// Writes it; its `resultType` only since 2026-07-28.
    pub(crate) fn write(&self, reply: &mut Vec<u8>, era: Era) {
        let result = self.result.get();
        match (era, self.typed) {
            (Era::Handshake, false) | (Era::Inline, true) => reply.extend(result.as_bytes()),
            (Era::Inline, false) => {
                let inside = result.trim_start().strip_prefix('{').unwrap_or_default();
                let empty = inside.trim_start().starts_with('}');
                reply.extend(b"{\"resultType\":\"complete\"");
                if self.kept {
                    reply.push(b',');
                    reply.extend(HINTS);
                }
                reply.extend(if empty { &b""[..] } else { &b","[..] });
                reply.extend(inside.as_bytes());
            }
            (Era::Handshake, true) => {
                // Every value stays as written.
                let mut fields: IndexMap<String, Box<RawValue>> = serde_json::from_str(result).unwrap_or_default();
                let later = ["resultType"].iter().chain(if self.kept { &["ttlMs", "cacheScope"][..] } else { &[] });
                for field in later {
                    fields.shift_remove(*field);
                }
                write_json(reply, &fields);
            }
        }
    }

    /// The result in rmcp's type; `None` if it does not match.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.result.get()).ok()
    }
}

impl From<CallFailure> for ErrorData {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Sentence(sentence) => Self::internal_error(sentence, None),
            CallFailure::Refused { code, message, data } => {
                let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
                Self::new(code, message, data.and_then(|data| serde_json::from_str(data.get()).ok()))
            }
        }
    }
}
