//! Answers the most frequent requests directly from the bytes of the request to the bytes of the reply: a tool call,
//! ours or another server's, another server's prompt, and a read of a resource.
//!
//! rmcp gives the same answers in the same words (a test asks both ways); it answers everything else, and any unusual
//! message of these kinds. But it tries every kind of message in turn, takes each answer apart into a tree and sends it
//! through several queues, which costs several times as much as the answer itself. The meaning of a call is left to
//! `tools` and `resources`.

pub(crate) mod request;

use std::io::Write as _;

use rmcp::{
    ErrorData,
    model::{ErrorCode, JsonObject, ServerResult},
};
use serde_json::value::RawValue;

use self::request::{Era, Question, Request};
use crate::{
    CallContext, Caller, Host, json::write_json, memory_budget::Reader, prompts, resources, server::Call, tools,
};

/// An answer that reads more bytes of files than this is left to rmcp.
const SMALL: u64 = 256 << 10;

/// The source of an answer that is given here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Skilltender itself, at once.
    Ours,
    /// Another server, which may take long.
    Theirs,
}

/// The source of the answer if it is given here; `None` if rmcp answers.
///
/// Our own answers are given here if, by what is known in advance, they read little: rmcp notices when a larger one is
/// no longer wanted. What was added since then is answered at its actual size in either way. Another server's answer
/// is passed on here if the call can be cancelled and the client wants no progress.
pub(crate) fn source<H: Host>(host: &H, caller: &Caller, request: &Request, cancellable: bool) -> Option<Source> {
    let catalog = host.seen(caller);
    let theirs = match &request.question {
        Question::Call { name, .. } => tools::may_be_theirs(name),
        Question::Prompt { name, .. } => prompts::is_theirs(host, caller, &catalog, name),
        Question::Read { uri } => resources::is_theirs(host, caller, &catalog, uri),
    };
    if theirs {
        return (cancellable && !request.wants_progress()).then_some(Source::Theirs);
    }
    let reads = match &request.question {
        Question::Call { name, arguments } => tools::reads(&catalog, name, read(arguments.as_deref()).as_ref()),
        Question::Read { uri } => resources::reads(&catalog, uri),
        Question::Prompt { .. } => return None,
    };
    (reads <= SMALL).then_some(Source::Ours)
}

/// The reply to a request, as one message without a line end.
pub(crate) async fn answer<H: Host>(
    host: &H,
    reader: &Reader,
    caller: Caller,
    (request, source): (Request, Source),
    era: Era,
    meanwhile: CallContext,
) -> Vec<u8> {
    let (method, name) = request.names();
    let mut call = Call::begin_sized(host, caller, method, name, request.bytes_in);
    let given = match &request.question {
        Question::Call { arguments, .. } if source == Source::Ours => read(arguments.as_deref()),
        _ => None,
    };
    call.is_about(given.as_ref());
    let (caller, id) = (call.caller(), &*request.id);
    let answering = async {
        Ok::<_, ErrorData>(match &request.question {
            Question::Call { name, arguments } => {
                let answer = match source {
                    Source::Ours => tools::call(host, reader, caller, name, given.as_ref(), meanwhile).await?,
                    Source::Theirs => tools::call_theirs(host, caller, name, arguments.as_deref(), meanwhile).await?,
                };
                (!answer.is_failure(), result(id, answer.size(), |reply| answer.write(reply, era)))
            }
            Question::Prompt { name, arguments } => {
                call.refuse_if_closed()?;
                let given = prompts::get_theirs(host, caller, name, arguments.as_deref(), meanwhile).await?;
                (true, result(id, given.size(), |reply| given.write(reply, era)))
            }
            Question::Read { uri } => {
                call.refuse_if_closed()?;
                let read = match source {
                    Source::Ours => {
                        let read = resources::read(host, reader, caller, uri, meanwhile).await?;
                        typed(id, era, ServerResult::ReadResourceResult(read))
                    }
                    Source::Theirs => {
                        let given = resources::read_theirs(host, caller, uri, meanwhile).await?;
                        result(id, given.size(), |reply| given.write(reply, era))
                    }
                };
                (true, read)
            }
        })
    };
    let answered = answering.await;
    let code = answered.as_ref().err().map(|failed| failed.code);
    let (fine, reply) = answered.unwrap_or_else(|failed| (false, error(id, era, failed)));
    call.end_sized(fine, code, reply.len() as u64);
    reply
}

/// Arguments in the form that our own tools take.
fn read(arguments: Option<&RawValue>) -> Option<JsonObject> {
    serde_json::from_str(arguments?.get()).ok()
}

/// A result of rmcp's type, written as rmcp writes it for this revision.
fn typed(id: &str, era: Era, mut result: ServerResult) -> Vec<u8> {
    match era {
        Era::Handshake => result.strip_result_type_for_legacy_peer(),
        Era::Inline => result.fill_missing_cache_hints(),
    }
    self::result(id, 8 << 10, |reply| write_json(reply, &result))
}

fn error(id: &str, era: Era, mut error: ErrorData) -> Vec<u8> {
    if era == Era::Inline && error.code == ErrorCode::RESOURCE_NOT_FOUND {
        error.code = ErrorCode::INVALID_PARAMS;
    }
    message(id, "error", 256, |reply| write_json(reply, &error))
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
