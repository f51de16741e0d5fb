//! What clients ask most, answered straight from the bytes of the request to the bytes of the reply: a
//! call of a tool, ours or another server's, another server's prompt, and a read of a resource.
//!
//! rmcp answers the same with the same words (a test asks both ways), and answers everything else, and
//! these too whenever anything about a message is out of the ordinary. But it tries every kind of message
//! in turn, takes each answer apart into a tree and sends it through several queues, which costs several
//! times what the answer itself does. What a call means stays in `tools` and `resources`.

mod request;

use std::io::Write as _;

use rmcp::{
    ErrorData,
    model::{ErrorCode, JsonObject, ServerResult},
};
use serde::Serialize;
use serde_json::value::RawValue;

pub(crate) use self::request::{Era, Question, Request};
use crate::{Caller, Host, Meanwhile, prompts, resources, server::Call, tools, weight::Reader};

/// What reads more bytes of files than this is answered by rmcp.
const SMALL: u64 = 256 << 10;

/// Whether this is answered here. Of our own only little is read for an answer, as far as is known before anything is:
/// rmcp hears when nobody wants a larger one any more. What came since then weighs what it weighs, by either way. What
/// another server answers is handed on here where it can be cancelled, and where nobody wants to hear how far it is.
pub(crate) fn is_ours<H: Host>(host: &H, caller: &Caller, request: &Request, cancellable: bool) -> bool {
    let catalog = host.seen(caller);
    let reads = match &request.question {
        Question::Call { name, .. } if tools::may_be_theirs(name) => return cancellable && !request.wants_progress(),
        Question::Call { name, arguments } => tools::reads(&catalog, name, read(arguments.as_deref()).as_ref()),
        Question::Prompt { name, .. } => {
            return cancellable && !request.wants_progress() && prompts::is_theirs(host, caller, &catalog, name);
        }
        Question::Read { uri } => resources::reads(&catalog, uri),
    };
    reads <= SMALL
}

/// The reply to a request, as one message without a line end.
pub(crate) async fn answer<H: Host>(host: &H, reader: &Reader, caller: Caller, request: Request, era: Era) -> Vec<u8> {
    let Request { id, question, bytes_in, .. } = request;
    let (call, reply) = match question {
        Question::Call { name, arguments } => {
            let call = Call::begin_sized(host, caller, "tools/call", &name, bytes_in);
            let given = match tools::only_reads(&name) {
                true => {
                    let arguments = read(arguments.as_deref());
                    tools::call(host, reader, call.caller(), &name, arguments.as_ref(), Meanwhile::default()).await
                }
                false => {
                    tools::call_theirs(host, call.caller(), &name, arguments.as_deref(), Meanwhile::default()).await
                }
            };
            let fine = given.as_ref().is_ok_and(|given| !given.is_failure());
            ((call, fine), given.map(|given| result(&id, given.size(), |reply| given.write(reply, era))))
        }
        Question::Prompt { name, arguments } => {
            let call = Call::begin_sized(host, caller, "prompts/get", &name, bytes_in);
            let given = match call.refuse_if_closed() {
                Ok(()) => {
                    prompts::get_theirs(host, call.caller(), &name, arguments.as_deref(), Meanwhile::default()).await
                }
                Err(closed) => Err(closed),
            };
            ((call, given.is_ok()), given.map(|given| result(&id, given.size(), |reply| given.write(reply, era))))
        }
        Question::Read { uri } => {
            let call = Call::begin_sized(host, caller, "resources/read", &uri, bytes_in);
            let read = match call.refuse_if_closed() {
                Ok(()) => resources::read(host, reader, call.caller(), &uri).await,
                Err(closed) => Err(closed),
            };
            let fine = read.is_ok();
            ((call, fine), read.map(|read| typed(&id, era, ServerResult::ReadResourceResult(read))))
        }
    };
    let (call, fine) = call;
    let reply = reply.unwrap_or_else(|failed| error(&id, era, failed));
    call.end_sized(fine, reply.len() as u64);
    reply
}

/// Arguments as a tool of our own wants them.
fn read(arguments: Option<&RawValue>) -> Option<JsonObject> {
    serde_json::from_str(arguments?.get()).ok()
}

/// A result of rmcp's, as rmcp writes it for this revision.
fn typed(id: &str, era: Era, mut result: ServerResult) -> Vec<u8> {
    match era {
        Era::Handshake => result.strip_result_type_for_legacy_peer(),
        Era::Inline => result.fill_missing_cache_hints(),
    }
    self::result(id, 8 << 10, |reply| json(reply, &result))
}

fn error(id: &str, era: Era, mut error: ErrorData) -> Vec<u8> {
    if era == Era::Inline && error.code == ErrorCode::RESOURCE_NOT_FOUND {
        error.code = ErrorCode::INVALID_PARAMS;
    }
    message(id, "error", 256, |reply| json(reply, &error))
}

fn result(id: &str, size: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    message(id, "result", size, write)
}

fn message(id: &str, what: &str, size: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut reply = Vec::with_capacity(size + 64);
    // Writing to memory does not fail.
    drop(write!(reply, "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{what}\":"));
    write(&mut reply);
    reply.push(b'}');
    reply
}

/// Writes a value as JSON.
pub(crate) fn json(reply: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Nothing that is served has keys that are no text, and writing to memory does not fail.
    drop(serde_json::to_writer(reply, value));
}
