//! Questions of other servers to the person behind a stream: written beside the answers, and what comes back for them is kept
//! from rmcp, which did not ask. An answer of more than the longest line that is looked at counts as none.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::replies::Replies;
use crate::{
    Person,
    person::{Modes, Question},
    server::lock,
};

/// How the ids of questions begin.
const ASK: &str = "ask-";

/// The questions of one stream.
pub(crate) struct Asking {
    /// Known once the client said that it shows questions.
    person: OnceLock<Person>,
    open: Arc<Questions>,
    /// Taken when it is first needed.
    write: Mutex<Option<(Replies, CancellationToken)>>,
}

#[derive(Default)]
struct Questions {
    last: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Box<RawValue>>>>,
}

#[derive(Deserialize)]
struct Answer<'m> {
    id: String,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'m RawValue>,
}

impl Asking {
    /// None yet. `closed` tells that the client cannot answer any more.
    pub(super) fn new(replies: Replies, closed: CancellationToken) -> Self {
        Self { person: OnceLock::new(), open: Arc::default(), write: Mutex::new(Some((replies, closed))) }
    }

    /// The client shows such questions.
    pub(crate) fn may(&self, modes: Modes) {
        let Some((replies, closed)) = lock(&self.write).take() else { return };
        let (way, mut questions) = mpsc::unbounded_channel();
        self.person.get_or_init(|| Person::new(modes, Arc::default(), way));
        let open = Arc::clone(&self.open);
        tokio::spawn(async move {
            while let Some(Some(question)) = closed.run_until_cancelled(questions.recv()).await {
                tokio::spawn(ask(question, Arc::clone(&open), replies.clone(), closed.clone()));
            }
        });
    }

    /// Whoever may be asked on this stream.
    pub(crate) fn person(&self) -> Option<Person> {
        self.person.get().cloned()
    }

    /// Whether this line answers a question.
    pub(super) fn hears(&self, line: &[u8]) -> bool {
        let mut waiting = lock(&self.open.waiting);
        // Mostly nothing is open, and then no line is looked at.
        if waiting.is_empty() || !line.windows(ASK.len()).any(|word| word == ASK.as_bytes()) {
            return false;
        }
        let Ok(Answer { id, method: None, result }) = serde_json::from_slice(line) else { return false };
        let number = id.strip_prefix(ASK).and_then(|number| number.parse().ok());
        let Some(answer) = number.and_then(|number: u64| waiting.remove(&number)) else { return false };
        if let Some(result) = result {
            // Whoever asked may have gone.
            drop(answer.send(result.to_owned()));
        }
        true
    }
}

/// Asks, and takes the question back when nobody wants the answer any more.
async fn ask(question: Question, open: Arc<Questions>, replies: Replies, closed: CancellationToken) {
    let Question { params, answer: mut wanted } = question;
    let number = open.last.fetch_add(1, Ordering::Relaxed);
    let (answer, answered) = oneshot::channel();
    lock(&open.waiting).insert(number, answer);
    let say = |method: &str, params: &str, id: &str| {
        replies.send(format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\",\"params\":{params}}}\n").into(), None)
    };
    say("elicitation/create", params.get(), &format!("\"id\":\"{ASK}{number}\","));
    tokio::select! {
        answer = answered => {
            if let Ok(answer) = answer {
                drop(wanted.send(answer));
            }
            return;
        }
        () = wanted.closed() => {
            say("notifications/cancelled", &format!("{{\"requestId\":\"{ASK}{number}\"}}"), "");
        }
        () = closed.cancelled() => {}
    }
    lock(&open.waiting).remove(&number);
}
