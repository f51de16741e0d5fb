//! Questions under way: which answer belongs to which, what is asked back, and what is told unasked.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::{mpsc, oneshot, watch};

use super::{
    Progress, UpstreamError,
    handshake::Era,
    http,
    line::Line,
    wire::{self, Envelope, Fault},
};
use crate::server::lock;

/// One connection, as all its users share it.
pub(super) struct Shared {
    next: AtomicU64,
    out: mpsc::Sender<Vec<u8>>,
    open: Arc<Open>,
}

/// What is known of the other end, by the task that listens to it too.
struct Open {
    asked: Mutex<HashMap<u64, Asked>>,
    changes: watch::Sender<u64>,
    ended: watch::Sender<Option<UpstreamError>>,
}

/// A question that waits for its answer.
struct Asked {
    answer: oneshot::Sender<Result<Box<RawValue>, UpstreamError>>,
    progress: Option<mpsc::UnboundedSender<Progress>>,
}

/// A question under way; dropped before its answer came, the server hears that nobody wants it any more.
struct Wanted<'s> {
    shared: &'s Shared,
    id: u64,
    /// Whether the protocol lets it be cancelled.
    cancellable: bool,
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        let unanswered = lock(&self.shared.open.asked).remove(&self.id).is_some();
        if unanswered && self.cancellable {
            let mut params = wire::object();
            wire::field(&mut params, "requestId", &self.id);
            // A server whose queue is full is told by nothing; its answer finds nobody.
            drop(self.shared.out.try_send(wire::notification("notifications/cancelled", Some(&params))));
        }
    }
}

impl Shared {
    /// Begins to listen.
    pub(super) fn open(line: Line) -> Self {
        let Line { out, heard, newest_first: _ } = line;
        let open =
            Arc::new(Open { asked: Mutex::default(), changes: watch::Sender::new(0), ended: watch::Sender::new(None) });
        // The listener must not keep the line open that nobody speaks on.
        tokio::spawn(listen(Arc::clone(&open), out.downgrade(), heard));
        Self { next: AtomicU64::new(1), out, open }
    }

    /// Asks, and waits for the answer.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Vec<u8>,
        era: Era,
        progress: Option<mpsc::UnboundedSender<Progress>>,
    ) -> Result<Box<RawValue>, UpstreamError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = request(id, method, params, era.meta(progress.is_some().then_some(id)));
        let (answer, answered) = oneshot::channel();
        lock(&self.open.asked).insert(id, Asked { answer, progress });
        let wanted = Wanted { shared: self, id, cancellable: method != "initialize" };
        // An end that came before the question was entered has emptied the list already.
        if let Some(why) = self.ended() {
            return Err(why);
        }
        if self.out.send(request).await.is_err() {
            return Err(self.ended().unwrap_or(UpstreamError::Closed));
        }
        let answer = answered.await;
        drop(wanted);
        answer.unwrap_or_else(|_| Err(self.ended().unwrap_or(UpstreamError::Closed)))
    }

    /// Asks something whose answer nobody waits for.
    pub(super) async fn begin(&self, method: &str, params: Vec<u8>, era: Era) -> Result<(), UpstreamError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = request(id, method, params, era.meta(None));
        self.out.send(request).await.map_err(|_| UpstreamError::Closed)
    }

    /// Tells something that needs no answer.
    pub(super) async fn tell(&self, method: &str) -> Result<(), UpstreamError> {
        self.out.send(wire::notification(method, None)).await.map_err(|_| UpstreamError::Closed)
    }

    /// Whether an era's own way of telling changes brought one.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.open.changes.subscribe()
    }

    pub(super) async fn closed(&self) -> UpstreamError {
        let mut ended = self.open.ended.subscribe();
        let why = ended.wait_for(Option::is_some).await;
        why.ok().and_then(|why| why.clone()).unwrap_or(UpstreamError::Closed)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.open.ended.borrow().is_some()
    }

    fn ended(&self) -> Option<UpstreamError> {
        self.open.ended.borrow().clone()
    }
}

fn request(id: u64, method: &str, mut params: Vec<u8>, meta: Option<Map<String, Value>>) -> Vec<u8> {
    if let Some(meta) = meta {
        wire::field(&mut params, "_meta", &meta);
    }
    wire::request(id, method, &params)
}

/// Listens until the server says nothing more; whoever still waits for an answer hears why there is none.
async fn listen(
    open: Arc<Open>,
    out: mpsc::WeakSender<Vec<u8>>,
    mut heard: mpsc::Receiver<Result<Vec<u8>, UpstreamError>>,
) {
    let why = loop {
        match heard.recv().await {
            Some(Ok(message)) => open.hear(&message, &out),
            Some(Err(why)) => break why,
            None => break UpstreamError::Closed,
        }
    };
    open.ended.send_replace(Some(why.clone()));
    for (_, asked) in lock(&open.asked).drain() {
        // Whoever asked may have gone.
        drop(asked.answer.send(Err(why.clone())));
    }
}

impl Open {
    /// Takes in one message. What is no message of the protocol is passed over: many servers print a greeting.
    fn hear(&self, message: &[u8], out: &mpsc::WeakSender<Vec<u8>>) {
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else {
            return tracing::debug!(bytes = message.len(), "a server said something that is no message");
        };
        match (envelope.id, envelope.method.as_deref()) {
            (Some(id), Some(method)) => {
                // A ping shows that we are there; there is nothing else that we offered to be asked.
                if let Some(out) = out.upgrade() {
                    drop(out.try_send(wire::answer(id, method == "ping")));
                }
            }
            (Some(id), None) => self.answered(id, &envelope),
            (None, Some(method)) => self.told(method, envelope.params),
            (None, None) => {}
        }
    }

    fn answered(&self, id: &RawValue, envelope: &Envelope<'_>) {
        let Some(asked) = id.get().parse().ok().and_then(|id: u64| lock(&self.asked).remove(&id)) else { return };
        let answer = match (envelope.result, envelope.error) {
            (Some(result), _) => Ok(result.to_owned()),
            (None, Some(error)) => Err(match serde_json::from_str::<Fault>(error.get()) {
                Ok(Fault { code, message, data }) => match http::rights(data.as_deref()) {
                    Some(scope) => UpstreamError::TooFewRights { scope },
                    None => UpstreamError::Refused { code, message, data },
                },
                Err(error) => UpstreamError::Odd(error.to_string()),
            }),
            (None, None) => Err(UpstreamError::Odd("an answer without a result".to_owned())),
        };
        // Whoever asked may have gone.
        drop(asked.answer.send(answer));
    }

    fn told(&self, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed" => self.changes.send_modify(|changes| *changes += 1),
            "notifications/progress" => self.goes_on(params),
            _ => {}
        }
    }

    fn goes_on(&self, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        struct Told {
            #[serde(rename = "progressToken")]
            token: u64,
            #[serde(flatten)]
            params: Map<String, Value>,
        }
        let Some(Ok(told)) = params.map(|params| serde_json::from_str::<Told>(params.get())) else { return };
        if let Some(progress) = lock(&self.asked).get(&told.token).and_then(|asked| asked.progress.as_ref()) {
            // Whoever asked may have stopped listening.
            drop(progress.send(Progress { params: told.params }));
        }
    }
}
