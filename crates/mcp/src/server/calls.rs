//! Reports each call to the host, and remembers which clients were met. Of its arguments only the skill that a call is
//! about is reported; other arguments, and contents, are not.

use std::{
    collections::HashMap,
    io,
    sync::Mutex,
    time::{Instant, SystemTime},
};

use rmcp::{
    ErrorData,
    model::{ErrorCode, JsonObject},
};
use serde::Serialize;

use crate::{CallTrouble, Caller, ClientEvent, Host, Peer, Surface, lock::lock, surface, tools};

/// An open call.
pub(crate) struct Call<'a, H: Host> {
    host: &'a H,
    caller: Caller,
    method: &'static str,
    target: String,
    skill: Option<String>,
    bytes_in: u64,
    began: Instant,
}

impl<'a, H: Host> Call<'a, H> {
    pub(super) fn begin(
        host: &'a H,
        caller: Caller,
        method: &'static str,
        target: &str,
        params: &impl Serialize,
    ) -> Self {
        Self::begin_sized(host, caller, method, target, size(params))
    }

    /// Begins a call with a known size of its parameters.
    pub(crate) fn begin_sized(host: &'a H, caller: Caller, method: &'static str, target: &str, bytes_in: u64) -> Self {
        Self { host, caller, method, target: target.to_owned(), skill: None, bytes_in, began: Instant::now() }
    }

    /// Records the skill that it is about.
    pub(crate) fn is_about(&mut self, arguments: Option<&JsonObject>) {
        let catalog = self.host.seen(&self.caller);
        self.skill = tools::skill_of(&catalog, &self.target, arguments).map(str::to_owned);
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Why this call is not answered now, as a sentence.
    pub(super) fn closed(&self) -> Option<&'static str> {
        surface::closed(self.host, &self.caller, Surface::of(self.method))
    }

    /// The same reason as an error.
    pub(crate) fn refuse_if_closed(&self) -> Result<(), ErrorData> {
        self.closed().map_or(Ok(()), |sentence| Err(ErrorData::invalid_request(sentence, None)))
    }

    /// Reports the call with its answer, and returns the answer.
    pub(super) fn end<T: Serialize>(self, answer: Result<T, ErrorData>) -> Result<T, ErrorData> {
        let fine = answer.is_ok();
        self.end_as(fine, answer)
    }

    /// The same for an answer that can itself report a failure.
    pub(super) fn end_as<T: Serialize>(self, ok: bool, answer: Result<T, ErrorData>) -> Result<T, ErrorData> {
        let bytes_out = match &answer {
            Ok(answer) => size(answer),
            Err(error) => size(error),
        };
        self.end_sized(ok, answer.as_ref().err().map(|error| error.code), bytes_out);
        answer
    }

    /// The same for an answer that is already serialized, with the code of its error.
    pub(crate) fn end_sized(self, ok: bool, code: Option<ErrorCode>, bytes_out: u64) {
        let why = (!ok).then(|| self.trouble(code));
        let Self { host, caller, method, target, skill, bytes_in, began } = self;
        let surface = Surface::of(method);
        let method = method.to_owned();
        let took = began.elapsed();
        host.note(ClientEvent::Called { caller, surface, method, target, skill, ok, why, took, bytes_in, bytes_out });
    }

    /// Why it failed: by the error's code, or, where a tool's result says so, by what was called.
    fn trouble(&self, code: Option<ErrorCode>) -> CallTrouble {
        let ours = tools::only_reads(&self.target);
        match code {
            _ if self.closed().is_some() => CallTrouble::Off,
            Some(ErrorCode::INVALID_PARAMS | ErrorCode::RESOURCE_NOT_FOUND | ErrorCode::INVALID_REQUEST) => {
                CallTrouble::NotThere
            }
            Some(ErrorCode::INTERNAL_ERROR) => CallTrouble::Unreadable,
            None if ours && self.skill.is_none() => CallTrouble::NotThere,
            None if ours => CallTrouble::Unreadable,
            _ => CallTrouble::Server,
        }
    }
}

/// The clients seen over HTTP so far, with their latest descriptions.
#[derive(Default)]
pub(crate) struct Met(Mutex<HashMap<String, Peer>>);

impl Met {
    /// Notifies the host of this caller if it begins with a handshake, is new, or changed its description.
    pub(crate) fn meet<H: Host>(&self, host: &H, caller: &Caller, peer: Peer, begins: bool) {
        let mut met = lock(&self.0);
        let known = met.get(&caller.client) == Some(&peer);
        if !known {
            met.insert(caller.client.clone(), peer.clone());
        }
        drop(met);
        if begins || !known {
            let since = (begins || peer.is_without_connection()).then(SystemTime::now);
            host.note(ClientEvent::Met { caller: caller.clone(), peer, since });
        }
    }
}

/// The size of a value as JSON, in bytes.
fn size(value: &impl Serialize) -> u64 {
    struct Count(u64);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    let written = serde_json::to_writer(&mut count, value);
    written.map_or(0, |()| count.0)
}
