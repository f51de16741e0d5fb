//! The user of a client, whom another server may ask a question during a call (elicitation, decision 33).
//!
//! The server asks us, and the client that it works for shows the question as ours, so the server's name is put before
//! it. The rest of the question, and the answer, pass unchanged. The endpoint delivers the question to the client;
//! `upstream` knows which call a server's question belongs to.

use std::sync::Arc;

use indexmap::IndexMap;
use rmcp::model::ElicitationCapability;
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tokio::sync::{mpsc, oneshot};

/// The user of one client connection during a call.
#[derive(Debug, Clone)]
pub struct Person {
    modes: Modes,
    /// Identifies the connection.
    connection: Arc<()>,
    way: mpsc::UnboundedSender<Question>,
    /// The server that asks.
    server: String,
}

/// The kinds of questions that a client shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modes {
    /// A form to fill in.
    form: bool,
    /// An address to open.
    url: bool,
}

/// A question on its way.
#[derive(Debug)]
pub(crate) struct Question {
    /// The parameters of `elicitation/create`, on one line.
    pub(crate) params: Box<RawValue>,
    /// Receives the result as the client wrote it. If dropped, the question counts as declined.
    pub(crate) answer: oneshot::Sender<Box<RawValue>>,
}

impl Modes {
    /// The kinds that a client declared; `None` if it shows no questions.
    pub(crate) fn of(declared: Option<&ElicitationCapability>) -> Option<Self> {
        let declared = declared?;
        // Before the kinds existed, every question was a form.
        let form = declared.form.is_some() || declared.url.is_none();
        Some(Self { form, url: declared.url.is_some() })
    }
}

impl Person {
    pub(crate) fn new(modes: Modes, connection: Arc<()>, way: mpsc::UnboundedSender<Question>) -> Self {
        Self { modes, connection, way, server: String::new() }
    }

    /// The same user, asked by this server.
    pub(crate) fn asked_by(self, server: &str) -> Self {
        Self { server: server.to_owned(), ..self }
    }

    /// Whether both belong to the same connection.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.connection, &other.connection)
    }

    /// The kinds of questions, as a client's declaration.
    pub(crate) fn capability(&self) -> serde_json::Value {
        let kinds = [("form", self.modes.form), ("url", self.modes.url)];
        let kinds = kinds.into_iter().filter(|(_, shown)| *shown).map(|(kind, _)| (kind.to_owned(), json!({})));
        serde_json::Value::Object(kinds.collect())
    }

    /// Asks a server's question, if the client shows this kind. Dropping the result withdraws the question; an
    /// unanswered question has no effect.
    pub(crate) fn ask(&self, params: &RawValue) -> Option<oneshot::Receiver<Box<RawValue>>> {
        let mut fields: IndexMap<String, Box<RawValue>> = serde_json::from_str(params.get()).ok()?;
        let text = |name: &str| serde_json::from_str::<String>(fields.get(name)?.get()).ok();
        let shown = match text("mode").as_deref() {
            None | Some("form") => self.modes.form,
            Some("url") => self.modes.url,
            Some(_) => false,
        };
        let message = format!("{} asks: {}", self.server, text("message").filter(|_| shown)?);
        fields.insert("message".to_owned(), to_raw_value(&message).ok()?);
        // A line break ends a message; between JSON tokens it is only a blank.
        let params = serde_json::to_string(&fields).ok()?.replace(['\n', '\r'], " ");
        let (answer, answered) = oneshot::channel();
        self.way.send(Question { params: RawValue::from_string(params).ok()?, answer }).ok()?;
        Some(answered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(declared: serde_json::Value) -> Modes {
        Modes::of(Some(&serde_json::from_value(declared).unwrap())).unwrap()
    }

    fn asked(declared: serde_json::Value, params: &str) -> Option<String> {
        let (way, mut questions) = mpsc::unbounded_channel();
        let person = Person::new(modes(declared), Arc::default(), way).asked_by("pot");
        let params = RawValue::from_string(params.to_owned()).unwrap();
        let _answered = person.ask(&params)?;
        Some(questions.try_recv().unwrap().params.get().to_owned())
    }

    #[test]
    fn a_question_says_who_asks_and_is_else_as_it_was_written() {
        let asked =
            asked(json!({}), "{\"x\": 1.10,\n\"message\":\"How many?\",\"requestedSchema\":{\"b\":1, \"a\":2}}");
        let expected = r#"{"x":1.10,"message":"pot asks: How many?","requestedSchema":{"b":1, "a":2}}"#;
        assert_eq!(asked.unwrap(), expected);
    }

    #[test]
    fn only_what_the_client_shows_is_asked() {
        let (form, url) = (r#"{"message":"m","mode":"form"}"#, r#"{"message":"m","mode":"url","url":"https://a.b"}"#);
        for (declared, form_shown, url_shown) in [
            (json!({}), true, false),
            (json!({"form": {}}), true, false),
            (json!({"url": {}}), false, true),
            (json!({"form": {}, "url": {}}), true, true),
        ] {
            assert_eq!(asked(declared.clone(), form).is_some(), form_shown, "{declared}");
            assert_eq!(asked(declared.clone(), url).is_some(), url_shown, "{declared}");
        }
        assert_eq!(asked(json!({}), r#"{"message":"m","mode":"of tomorrow"}"#), None);
        assert_eq!(asked(json!({}), "[]"), None);
        assert_eq!(Modes::of(None), None);
    }
}
