//! A client for another MCP server that skills require.
//!
//! A server's answer is passed on as written, so this speaks the protocol by hand on raw JSON: rmcp's client would
//! convert every result into its own types and back, without the fields that it does not know. This module does the
//! handshake, matches answers to requests, and reports changed lists. Starting the server, as a process or a
//! connection, is left to the code that opens a [`Line`]; whether the server may be called is the host's decision.

mod bearer;
mod connection;
mod handshake;
mod http;
mod listed;
mod required;
#[cfg(test)]
mod tests;
mod transport;
mod watched;
mod wire;

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tokio::sync::{broadcast, mpsc, watch};

pub(crate) use self::http::use_ring;
pub use self::{
    bearer::{Bearer, Keep},
    listed::{Listed, ListedResources},
    transport::Line,
};
use self::{
    connection::Shared,
    handshake::{Era, Spoken},
    required::InputRequired,
};
use secrets::Redaction;

use crate::Person;

/// How long a server may take for its part of the handshake before it counts as silent. A package that has to be
/// downloaded first takes long.
const HANDSHAKE: Duration = Duration::from_secs(120);
/// How often one request may be answered with questions.
const MOST_ROUNDS: usize = 10;
/// The answer to a server's question that no user is asked.
static DECLINED: LazyLock<Box<RawValue>> = LazyLock::new(|| said("decline"));
/// The answer to a question whose call ended before it was answered.
static CANCELLED: LazyLock<Box<RawValue>> = LazyLock::new(|| said("cancel"));

fn said(action: &str) -> Box<RawValue> {
    to_raw_value(&json!({"action": action})).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A connection to another server. Cheap to clone; the last clone closes it.
#[derive(Clone)]
pub struct Upstream {
    shared: Arc<Shared>,
    spoken: Arc<Spoken>,
}

/// A server's description of itself, each part shortened to one line, because it is foreign text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// Its name, preferably its title for people.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The protocol revision in use.
    pub protocol: String,
    /// Whether it has tools.
    pub tools: bool,
    /// Whether it has prompts.
    pub prompts: bool,
    /// Whether it has resources.
    pub resources: bool,
    /// Whether clients can subscribe to changes of its resources.
    pub subscribe: bool,
    /// Whether it completes arguments.
    pub completions: bool,
}

/// Why a server's answer is missing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum UpstreamError {
    /// The connection ended or was never made.
    #[error("the server closed the connection")]
    Closed,
    /// It sent a message above the size limit.
    #[error("the server sent more than {} MiB without an end", transport::LONGEST >> 20)]
    Flood,
    /// It did not answer in time.
    #[error("the server did not answer in time")]
    Silent,
    /// Its answer violates the protocol.
    #[error("the server does not speak MCP as it should: {0}")]
    Odd(String),
    /// It could not be reached, or refused the connection; a sentence without its address.
    #[error("{0}")]
    Unreachable(String),
    /// It requires the user to sign in, for the first time or again.
    #[error("it wants its person to sign in")]
    SignIn,
    /// The user is signed in there, but with too few rights for the request.
    #[error("its person gave it too few rights there: it wants {scope}")]
    TooFewRights {
        /// The required rights, in its own terms.
        scope: String,
    },
    /// It answered with a protocol error.
    #[error("the server answered with the error {code}: {message}")]
    Refused {
        /// The JSON-RPC code.
        code: i64,
        /// Its message.
        message: String,
        /// Its additional data, as written.
        data: Option<Box<RawValue>>,
    },
}

impl UpstreamError {
    /// The same without a server's secrets: much of it is the server's own text.
    pub(super) fn hiding(self, secrets: &Redaction) -> Self {
        match self {
            Self::Odd(why) => Self::Odd(secrets.text(&why)),
            Self::Unreachable(why) => Self::Unreachable(secrets.text(&why)),
            Self::TooFewRights { scope } => Self::TooFewRights { scope: secrets.text(&scope) },
            Self::Refused { code, message, data } => {
                let data = data.map(|data| secrets.words(data));
                Self::Refused { code, message: secrets.text(&message), data }
            }
            Self::Closed | Self::Flood | Self::Silent | Self::SignIn => self,
        }
    }
}

/// The progress of a call.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The parameters of a progress notification, as the server wrote them, without its token.
    pub params: serde_json::Map<String, serde_json::Value>,
}

/// The caller's channels for progress and questions during a request.
#[derive(Debug, Clone, Default)]
pub struct CallContext {
    /// Receives the progress; `None` if it is not wanted.
    pub progress: Option<mpsc::UnboundedSender<Progress>>,
    /// The user who may be asked before the answer; `None` if none can be.
    pub person: Option<Person>,
}

impl CallContext {
    /// The same, with the name of the server that asks the user.
    #[must_use]
    pub fn asked_by(self, server: &str) -> Self {
        Self { person: self.person.map(|person| person.asked_by(server)), ..self }
    }
}

impl About {
    fn hide(&mut self, secrets: &Redaction) {
        let texts = [self.name.as_mut(), self.version.as_mut(), Some(&mut self.protocol)];
        texts.into_iter().flatten().for_each(|text| *text = secrets.text(text));
    }
}

impl Upstream {
    /// Does the handshake with the server at the other end of a line.
    ///
    /// With a process, older revisions are tried first: servers of those answer at once, while some of them exit at an
    /// unknown request; a server that supports only 2026-07-28 refuses the handshake cleanly, and its own is tried
    /// then. Over HTTP no server exits, and the newest revision is tried first.
    ///
    /// # Errors
    /// If the server closes, stays silent, or answers with something else.
    pub async fn open(line: Line) -> Result<Self, UpstreamError> {
        let newest_first = line.newest_first;
        let shared = Arc::new(Shared::open(line));
        let spoken = tokio::time::timeout(HANDSHAKE, handshake::greet(&shared, newest_first)).await;
        let mut spoken = spoken.map_err(|_| UpstreamError::Silent)??;
        spoken.about.hide(&shared.hidden());
        let spoken = Arc::new(spoken);
        handshake::listen_for_changes(&shared, &spoken).await?;
        Ok(Self { shared, spoken })
    }

    /// Its description of itself.
    pub fn about(&self) -> &About {
        &self.spoken.about
    }

    /// Calls one of its tools; dropping the future cancels the call there. The arguments and the result pass as
    /// written.
    ///
    /// # Errors
    /// If the server answers with an error, or not at all.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, UpstreamError> {
        self.ask("tools/call", named(name, arguments), meanwhile).await
    }

    /// Gets one of its prompts, in the same way.
    ///
    /// # Errors
    /// As [`Self::call_tool`].
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
        meanwhile: CallContext,
    ) -> Result<Box<RawValue>, UpstreamError> {
        self.ask("prompts/get", named(name, arguments), meanwhile).await
    }

    /// Reads the resource at one of its URIs.
    ///
    /// # Errors
    /// As [`Self::call_tool`].
    pub async fn read_resource(&self, uri: &str, meanwhile: CallContext) -> Result<Box<RawValue>, UpstreamError> {
        let mut params = wire::object();
        wire::field(&mut params, "uri", uri);
        self.ask("resources/read", params, meanwhile).await
    }

    /// Requests completions for an argument of one of its prompts.
    ///
    /// # Errors
    /// As [`Self::call_tool`].
    pub async fn complete(
        &self,
        prompt: &str,
        argument: &RawValue,
        context: Option<&RawValue>,
    ) -> Result<Box<RawValue>, UpstreamError> {
        let mut params = wire::object();
        wire::field(&mut params, "ref", &json!({"type": "ref/prompt", "name": prompt}));
        wire::raw_field(&mut params, "argument", argument);
        if let Some(context) = context {
            wire::raw_field(&mut params, "context", context);
        }
        self.ask("completion/complete", params, CallContext::default()).await
    }

    /// Sends a request with one answer; `params` is the inside of an object.
    async fn ask(&self, method: &str, params: Vec<u8>, meanwhile: CallContext) -> Result<Box<RawValue>, UpstreamError> {
        let era = self.spoken.era;
        let (Era::Inline, Some(person)) = (era, meanwhile.person.clone()) else {
            return self.shared.ask(method, params, era, meanwhile).await;
        };
        let mut answer = self.shared.ask(method, params.clone(), era, meanwhile.clone()).await?;
        for _ in 0..MOST_ROUNDS {
            let mut again = params.clone();
            match InputRequired::of(&answer) {
                None => return Ok(answer),
                Some(required) => required.answer(&person, &mut again).await,
            }
            answer = self.shared.ask(method, again, era, meanwhile.clone()).await?;
        }
        Err(UpstreamError::Odd("its questions have no end".to_owned()))
    }

    /// The names of listed items that are left out because they contain one of its secrets.
    pub fn left_out(&self) -> Vec<String> {
        self.shared.left_out()
    }

    /// Subscribes to changes of one of its URIs while this future, which never ends, is polled; [`Self::updates`]
    /// reports them. A server that does not support this is not asked.
    pub async fn watch(&self, uri: &str) {
        if self.about().subscribe {
            watched::watch(&self.shared, self.spoken.era, uri).await;
        }
        std::future::pending::<()>().await;
    }

    /// The URIs that the server reports as changed. A slow receiver gets only the latest.
    pub fn updates(&self) -> broadcast::Receiver<String> {
        self.shared.updates()
    }

    /// Incremented whenever the server reports a changed list.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes()
    }

    /// Waits until the connection has ended, and returns the reason.
    pub async fn closed(&self) -> UpstreamError {
        self.shared.closed().await
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.shared.is_closed()
    }
}

/// The inside of an object with a name and arguments.
fn named(name: &str, arguments: Option<&RawValue>) -> Vec<u8> {
    let mut params = wire::object();
    wire::field(&mut params, "name", name);
    if let Some(arguments) = arguments {
        wire::raw_field(&mut params, "arguments", arguments);
    }
    params
}
