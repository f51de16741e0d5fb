//! Other servers' questions to the user of a stream: written among the answers. Their answers are kept from rmcp, which
//! did not ask. An answer longer than the longest line that is examined counts as none.

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
    elicitation::{Modes, Question},
    lock::lock,
};

/// The prefix of the ids of questions.
const ASK: &str = "ask-";

/// The questions of one stream.
pub(crate) struct Asking {
    /// Set once the client declares that it shows questions.
    person: OnceLock<Person>,
    open: Arc<Questions>,
    /// Taken on first use.
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
    /// Starts without questions. `closed` is cancelled when the client can no longer answer.
    pub(super) fn new(replies: Replies, closed: CancellationToken) -> Self {
        Self { person: OnceLock::new(), open: Arc::default(), write: Mutex::new(Some((replies, closed))) }
    }

    /// Records that the client shows questions of these `modes`.
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

    /// The user who may be asked on this stream.
    pub(crate) fn person(&self) -> Option<Person> {
        self.person.get().cloned()
    }

    /// Whether this line answers a question.
    pub(super) fn hears(&self, line: &[u8]) -> bool {
        let mut waiting = lock(&self.open.waiting);
        // Usually no question is open, and then no line is examined.
        if waiting.is_empty() || !line.windows(ASK.len()).any(|word| word == ASK.as_bytes()) {
            return false;
        }
        let Ok(Answer { id, method: None, result }) = serde_json::from_slice(line) else { return false };
        let number = id.strip_prefix(ASK).and_then(|number| number.parse().ok());
        let Some(answer) = number.and_then(|number: u64| waiting.remove(&number)) else { return false };
        if let Some(result) = result {
            // The asking call may be gone.
            drop(answer.send(result.to_owned()));
        }
        true
    }
}

/// Asks, and withdraws the question when its answer is no longer wanted.
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
