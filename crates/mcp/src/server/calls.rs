//! What the host hears about each call, and who was already met. Arguments and contents stay out.

use std::{collections::HashMap, io, sync::Mutex, time::Instant};

use rmcp::{ErrorData, model::Implementation};
use serde::Serialize;

use super::lock;
use crate::{Caller, Host, Note, Surface, surface};

/// One call under way.
pub(crate) struct Call<'a, H: Host> {
    host: &'a H,
    caller: Caller,
    method: &'static str,
    target: String,
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

    /// The same where the size of the parameters is known.
    pub(crate) fn begin_sized(host: &'a H, caller: Caller, method: &'static str, target: &str, bytes_in: u64) -> Self {
        Self { host, caller, method, target: target.to_owned(), bytes_in, began: Instant::now() }
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Why this call is not answered now, as a sentence.
    pub(super) fn closed(&self) -> Option<&'static str> {
        surface::closed(self.host, &self.caller, Surface::of(self.method))
    }

    /// The same as an error.
    pub(crate) fn refuse_if_closed(&self) -> Result<(), ErrorData> {
        self.closed().map_or(Ok(()), |sentence| Err(ErrorData::invalid_request(sentence, None)))
    }

    /// Notes the call with its answer, and hands the answer on.
    pub(super) fn end<T: Serialize>(self, answer: Result<T, ErrorData>) -> Result<T, ErrorData> {
        let fine = answer.is_ok();
        self.end_as(fine, answer)
    }

    /// The same where the answer itself can say that something failed.
    pub(super) fn end_as<T: Serialize>(self, ok: bool, answer: Result<T, ErrorData>) -> Result<T, ErrorData> {
        let bytes_out = match &answer {
            Ok(answer) => size(answer),
            Err(error) => size(error),
        };
        self.end_sized(ok, bytes_out);
        answer
    }

    /// The same where the answer is written already.
    pub(crate) fn end_sized(self, ok: bool, bytes_out: u64) {
        let Self { host, caller, method, target, bytes_in, began } = self;
        let surface = Surface::of(method);
        let method = method.to_owned();
        host.note(Note::Called { caller, surface, method, target, ok, took: began.elapsed(), bytes_in, bytes_out });
    }
}

/// Who has spoken over HTTP so far, and how it introduced itself last.
#[derive(Default)]
pub(crate) struct Met(Mutex<HashMap<Caller, (Option<String>, String)>>);

impl Met {
    /// Tells the host of this caller where it is new, or now goes by another name or revision.
    pub(crate) fn meet<H: Host>(&self, host: &H, caller: &Caller, client: Option<&Implementation>, protocol: &str) {
        let name = client.map(introduced);
        let mut met = lock(&self.0);
        if met.get(caller).is_some_and(|before| before.0 == name && before.1 == protocol) {
            return;
        }
        met.insert(caller.clone(), (name.clone(), protocol.to_owned()));
        drop(met);
        host.note(Note::Met { caller: caller.clone(), name, protocol: protocol.to_owned() });
    }
}

/// The name and version that a client gives of itself.
pub(super) fn introduced(client: &Implementation) -> String {
    format!("{} {}", client.title.as_ref().unwrap_or(&client.name), client.version)
}

/// How many bytes something is as JSON.
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
