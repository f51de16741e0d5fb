//! Open requests: matches answers to them, and handles the server's own requests and notifications.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use secrets::Redaction;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    CANCELLED, CallContext, DECLINED, Progress, UpstreamError,
    handshake::Era,
    http,
    transport::Line,
    wire::{self, Envelope, Fault},
};
use crate::lock::lock;

/// The maximum number of questions during one call.
const MOST_QUESTIONS: usize = 50;
/// The capacity of the queue of changed URIs.
const UPDATES: usize = 256;

/// One connection, shared by all its users.
pub(super) struct Shared {
    next: AtomicU64,
    out: mpsc::Sender<Vec<u8>>,
    open: Arc<Open>,
}

/// The state of the connection, also used by the listening task.
struct Open {
    asked: Mutex<HashMap<u64, Asked>>,
    changes: watch::Sender<u64>,
    updates: broadcast::Sender<String>,
    ended: watch::Sender<Option<UpstreamError>>,
    /// Hides secrets in everything that leaves this module, except lists, whose items the reader checks one by one.
    hidden: Redaction,
    /// The listed items that contain a secret all the same, by list.
    left_out: Mutex<BTreeMap<&'static str, Vec<String>>>,
}

/// A request that waits for its answer.
struct Asked {
    answer: oneshot::Sender<Result<Box<RawValue>, UpstreamError>>,
    meanwhile: CallContext,
    /// Whether it is a client's call, during which a server may ask questions.
    is_call: bool,
    /// Whether it requests a list.
    is_list: bool,
    /// Dropping these ends the server's questions during the call.
    asking: Vec<DropGuard>,
}

/// An open request; if dropped before its answer, it is cancelled at the server.
struct Wanted<'s> {
    shared: &'s Shared,
    id: u64,
    /// Whether the protocol allows to cancel it.
    cancellable: bool,
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        let unanswered = lock(&self.shared.open.asked).remove(&self.id).is_some();
        if unanswered && self.cancellable {
            let mut params = wire::object();
            wire::field(&mut params, "requestId", &self.id);
            // A server with a full queue is not notified; its answer is ignored.
            drop(self.shared.out.try_send(wire::notification("notifications/cancelled", Some(&params))));
        }
    }
}

impl Shared {
    /// Starts listening.
    pub(super) fn open(line: Line) -> Self {
        let Line { out, heard, newest_first: _, hidden } = line;
        let open = Arc::new(Open {
            asked: Mutex::default(),
            changes: watch::Sender::new(0),
            updates: broadcast::Sender::new(UPDATES),
            ended: watch::Sender::new(None),
            hidden,
            left_out: Mutex::default(),
        });
        // The listener must not keep an unused line open.
        tokio::spawn(listen(Arc::clone(&open), out.downgrade(), heard));
        Self { next: AtomicU64::new(1), out, open }
    }

    /// Sends a request, and waits for its answer.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Vec<u8>,
        era: Era,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, UpstreamError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = request(
            id,
            method,
            params,
            era.meta(meanwhile.progress.is_some().then_some(id), meanwhile.person.as_ref()),
        );
        let (answer, answered) = oneshot::channel();
        let is_call = matches!(method, "tools/call" | "prompts/get" | "resources/read");
        let is_list = method.ends_with("/list");
        lock(&self.open.asked).insert(id, Asked { answer, meanwhile, is_call, is_list, asking: Vec::new() });
        let wanted = Wanted { shared: self, id, cancellable: method != "initialize" };
        // If the connection ended before the request was registered, nothing would answer it.
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

    /// The secrets that the server must not repeat.
    pub(super) fn hidden(&self) -> Redaction {
        self.open.hidden.clone()
    }

    /// Records the items left out of a list, which may be requested again.
    pub(super) fn leave_out(&self, list: &'static str, names: Vec<String>) {
        lock(&self.open.left_out).insert(list, names);
    }

    pub(super) fn left_out(&self) -> Vec<String> {
        lock(&self.open.left_out).values().flatten().cloned().collect()
    }

    /// Sends a request whose answer is ignored.
    pub(super) async fn begin(&self, method: &str, params: Vec<u8>, era: Era) -> Result<(), UpstreamError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let request = request(id, method, params, era.meta(None, None));
        self.out.send(request).await.map_err(|_| UpstreamError::Closed)
    }

    /// The same without waiting: a server with a full queue is not asked.
    pub(super) fn begin_now(&self, method: &str, params: Vec<u8>, era: Era) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        drop(self.out.try_send(request(id, method, params, era.meta(None, None))));
    }

    /// Sends a notification.
    pub(super) async fn notify(&self, method: &str) -> Result<(), UpstreamError> {
        self.out.send(wire::notification(method, None)).await.map_err(|_| UpstreamError::Closed)
    }

    /// Incremented when the server reports a changed list, in either era.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.open.changes.subscribe()
    }

    pub(super) fn updates(&self) -> broadcast::Receiver<String> {
        self.open.updates.subscribe()
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

/// The answer to a user's question, and the end of the call that it belongs to.
type Asking = (oneshot::Receiver<Box<RawValue>>, CancellationToken);

/// Passes the user's answer to the server.
async fn answer_question(id: Box<RawValue>, (answered, over): Asking, out: mpsc::WeakSender<Vec<u8>>) {
    let said = tokio::select! {
        said = answered => said.ok(),
        () = over.cancelled() => Some(CANCELLED.clone()),
    };
    let answer = wire::result(&id, said.as_deref().unwrap_or(&DECLINED));
    if let Some(out) = out.upgrade() {
        // A server that is gone needs no answer.
        drop(out.send(answer).await);
    }
}

fn request(id: u64, method: &str, mut params: Vec<u8>, meta: Option<Map<String, Value>>) -> Vec<u8> {
    if let Some(meta) = meta {
        wire::field(&mut params, "_meta", &meta);
    }
    wire::request(id, method, &params)
}

/// Listens until the connection ends; open requests then fail with the reason.
async fn listen(
    open: Arc<Open>,
    out: mpsc::WeakSender<Vec<u8>>,
    mut heard: mpsc::Receiver<Result<Vec<u8>, UpstreamError>>,
) {
    let why = loop {
        match heard.recv().await {
            Some(Ok(message)) => open.handle(&message, &out),
            Some(Err(why)) => break why.hiding(&open.hidden),
            None => break UpstreamError::Closed,
        }
    };
    open.ended.send_replace(Some(why.clone()));
    for (_, asked) in lock(&open.asked).drain() {
        // The caller may be gone.
        drop(asked.answer.send(Err(why.clone())));
    }
}

impl Open {
    /// Handles one message. Text that is not a protocol message is ignored: many servers print a greeting.
    fn handle(&self, message: &[u8], out: &mpsc::WeakSender<Vec<u8>>) {
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else {
            return tracing::debug!(bytes = message.len(), "a server said something that is no message");
        };
        match (envelope.id, envelope.method.as_deref()) {
            (Some(id), Some("elicitation/create")) => {
                match envelope.params.and_then(|params| self.ask_person(params)) {
                    Some(asked) => drop(tokio::spawn(answer_question(id.to_owned(), asked, out.clone()))),
                    // A server with a full queue asks more than it reads.
                    None => drop(out.upgrade().map(|out| out.try_send(wire::result(id, &DECLINED)))),
                }
            }
            (Some(id), Some(method)) => {
                // A ping shows that we are connected; we offer no other method.
                if let Some(out) = out.upgrade() {
                    drop(out.try_send(wire::answer(id, method == "ping")));
                }
            }
            (Some(id), None) => self.answered(id, &envelope),
            (None, Some(method)) => self.on_notification(method, envelope.params),
            (None, None) => {}
        }
    }

    /// Asks the user of the open call. With open calls of several clients, the user meant is unknown, so none is asked.
    fn ask_person(&self, params: &RawValue) -> Option<Asking> {
        let mut asked = lock(&self.asked);
        let mut calls: Vec<_> = asked.iter_mut().filter(|(_, asked)| asked.is_call).collect();
        calls.sort_by_key(|(id, _)| **id);
        let (_, latest) = calls.pop().filter(|(_, latest)| latest.asking.len() < MOST_QUESTIONS)?;
        let person = latest.meanwhile.person.as_ref()?;
        let same = |other: &Asked| other.meanwhile.person.as_ref().is_some_and(|other| other.is(person));
        if !calls.iter().all(|(_, other)| same(other)) {
            return None;
        }
        let answered = person.ask(&self.hidden.words(params.to_owned()))?;
        let over = CancellationToken::new();
        latest.asking.push(over.clone().drop_guard());
        Some((answered, over))
    }

    fn answered(&self, id: &RawValue, envelope: &Envelope<'_>) {
        let Some(asked) = id.get().parse().ok().and_then(|id: u64| lock(&self.asked).remove(&id)) else { return };
        let answer = match (envelope.result, envelope.error) {
            (Some(result), _) if asked.is_list => Ok(result.to_owned()),
            (Some(result), _) => Ok(self.hidden.data(result.to_owned())),
            (None, Some(error)) => Err(match serde_json::from_str::<Fault>(error.get()) {
                Ok(Fault { code, message, data }) => match http::rights(data.as_deref()) {
                    Some(scope) => UpstreamError::TooFewRights { scope },
                    None => UpstreamError::Refused { code, message, data },
                },
                Err(error) => UpstreamError::Odd(error.to_string()),
            }),
            (None, None) => Err(UpstreamError::Odd("an answer without a result".to_owned())),
        };
        // The caller may be gone.
        drop(asked.answer.send(answer.map_err(|error| error.hiding(&self.hidden))));
    }

    fn on_notification(&self, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed" => self.changes.send_modify(|changes| *changes += 1),
            "notifications/resources/updated" => self.updated(params),
            "notifications/progress" => self.on_progress(params),
            _ => {}
        }
    }

    fn updated(&self, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        struct Told {
            uri: String,
        }
        if let Some(Ok(told)) = params.map(|params| serde_json::from_str::<Told>(params.get())) {
            // There may be no receiver.
            drop(self.updates.send(told.uri));
        }
    }

    fn on_progress(&self, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        struct Told {
            #[serde(rename = "progressToken")]
            token: u64,
            #[serde(flatten)]
            params: Map<String, Value>,
        }
        let params = params.map(|params| self.hidden.words(params.to_owned()));
        let Some(Ok(told)) = params.map(|params| serde_json::from_str::<Told>(params.get())) else { return };
        if let Some(progress) = lock(&self.asked).get(&told.token).and_then(|asked| asked.meanwhile.progress.as_ref()) {
            // The caller may have stopped listening.
            drop(progress.send(Progress { params: told.params }));
        }
    }
}
