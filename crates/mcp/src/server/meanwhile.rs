//! Progress notifications and questions to the user during a call to another server, where rmcp answers.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer,
    model::{ClientResult, CustomRequest, ProtocolVersion, ServerRequest},
    service::RequestContext,
};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::{Server, Way};
use crate::{
    CallContext, Host, Person, Progress,
    elicitation::{Modes, Question},
};

/// Questions that are asked through rmcp.
pub(super) type Questions = Option<mpsc::UnboundedReceiver<Question>>;

impl<H: Host> Server<H> {
    /// The progress and questions for the client of this request.
    pub(super) fn meanwhile(&self, context: &RequestContext<RoleServer>) -> (CallContext, Questions) {
        let (person, questions) = self.person(context);
        (CallContext { progress: progress(context), person }, questions)
    }

    /// The user whom a server may ask; none since 2026-07-28, whose clients cannot be asked during a call.
    fn person(&self, context: &RequestContext<RoleServer>) -> (Option<Person>, Questions) {
        if context.protocol_version().is_none_or(|version| version >= ProtocolVersion::V_2026_07_28) {
            return (None, None);
        }
        if let Way::Stream { asking, .. } = &self.way {
            return (asking.person(), None);
        }
        let capabilities = context.client_capabilities();
        let modes = Modes::of(capabilities.as_ref().and_then(|capabilities| capabilities.elicitation.as_ref()));
        let Some(modes) = modes else { return (None, None) };
        let (way, questions) = mpsc::unbounded_channel();
        (Some(Person::new(modes, Arc::clone(&self.connection), way)), Some(questions))
    }
}

/// Waits for an answer as long as the client does, and asks questions until then. A cancelled call ends the wait and
/// cancels the other server's work.
pub(super) async fn attend<T>(
    context: &RequestContext<RoleServer>,
    questions: Questions,
    answering: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    tokio::select! {
        answer = answering => answer,
        () = ask_all(context, questions) => Err(ErrorData::internal_error("Nobody works on this any more.", None)),
        () = context.ct.cancelled() => Err(ErrorData::internal_error("The call was cancelled.", None)),
    }
}

/// Asks one question after the other, and never ends. It runs in the task of the request, so that over HTTP rmcp knows
/// which stream a question belongs to.
async fn ask_all(context: &RequestContext<RoleServer>, questions: Questions) {
    if let Some(mut questions) = questions {
        while let Some(Question { params, mut answer }) = questions.recv().await {
            tokio::select! {
                said = ask(context, &params) => {
                    if let Some(said) = said {
                        drop(answer.send(said));
                    }
                }
                () = answer.closed() => {}
            }
        }
    }
    std::future::pending::<()>().await;
}

/// The client's answer; `None` if it answers with an error.
async fn ask(context: &RequestContext<RoleServer>, params: &RawValue) -> Option<Box<RawValue>> {
    let params = serde_json::from_str(params.get()).ok()?;
    let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
    match context.peer.send_request(request).await.ok()? {
        ClientResult::ElicitResult(said) => to_raw_value(&said).ok(),
        ClientResult::CustomResult(said) => to_raw_value(&said).ok(),
        _ => None,
    }
}

/// The channel for another server's progress, if the client wants it.
fn progress(context: &RequestContext<RoleServer>) -> Option<mpsc::UnboundedSender<Progress>> {
    let token = context.meta.get_progress_token()?;
    let (told, mut progress) = mpsc::unbounded_channel::<Progress>();
    let peer = context.peer.clone();
    tokio::spawn(async move {
        while let Some(Progress { mut params }) = progress.recv().await {
            params.insert("progressToken".to_owned(), serde_json::to_value(&token).unwrap_or_default());
            let Ok(params) = serde_json::from_value(params.into()) else { continue };
            if peer.notify_progress(params).await.is_err() {
                return;
            }
        }
    });
    Some(told)
}
