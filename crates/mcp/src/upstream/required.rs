//! Questions to the user from a server of 2026-07-28: it answers a request with its questions, and the request is
//! repeated with the user's answers.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{DECLINED, wire};
use crate::Person;

/// A result that requires input first.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputRequired<'r> {
    #[serde(borrow)]
    result_type: Option<Cow<'r, str>>,
    #[serde(borrow, default)]
    input_requests: IndexMap<String, Asked<'r>>,
    #[serde(borrow)]
    request_state: Option<&'r RawValue>,
}

#[derive(Deserialize)]
struct Asked<'r> {
    #[serde(borrow)]
    method: Cow<'r, str>,
    #[serde(borrow)]
    params: Option<&'r RawValue>,
}

impl<'r> InputRequired<'r> {
    /// The questions in an answer; `None` if it is a final result.
    pub(super) fn of(answer: &'r RawValue) -> Option<Self> {
        let required: Self = serde_json::from_str(answer.get()).ok()?;
        (required.result_type.as_deref() == Some("input_required")).then_some(required)
    }

    /// Asks the user one question after the other, and adds the answers to the parameters of the request.
    pub(super) async fn answer(self, person: &Person, params: &mut Vec<u8>) {
        let mut responses = wire::object();
        for (key, Asked { method, params }) in self.input_requests {
            let asked = params.filter(|_| method == "elicitation/create").and_then(|params| person.ask(params));
            let said = match asked {
                Some(answered) => answered.await.ok(),
                None => None,
            };
            wire::raw_field(&mut responses, &key, said.as_deref().unwrap_or(&DECLINED));
        }
        wire::object_field(params, "inputResponses", &responses);
        if let Some(state) = self.request_state {
            wire::raw_field(params, "requestState", state);
        }
    }
}
