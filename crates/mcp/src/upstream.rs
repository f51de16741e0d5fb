//! Another MCP server, spoken to as its client: one of those that skills need.
//!
//! What a server answers is passed on as it wrote it, so this speaks the protocol by hand on raw JSON: rmcp's client
//! would take every result apart into its own types and put it together again, without what it does not know. It makes
//! the handshake, keeps apart which answer belongs to which question, and tells when a list changed. How the server came
//! to be, by a process or a connection, is the business of whoever opens a [`Line`]; whether it may be called at all
//! is the host's.

mod bearer;
mod handshake;
mod http;
mod line;
mod listed;
mod peer;
mod required;
#[cfg(test)]
mod tests;
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
    line::Line,
    listed::{Listed, ListedResources},
};
use self::{
    handshake::{Era, Spoken},
    peer::Shared,
    required::InputRequired,
};
use crate::{Person, Redaction};

/// How long a server may take over its part of the handshake before it counts as silent. A package that has to be
/// fetched first takes its time.
const HANDSHAKE: Duration = Duration::from_secs(120);
/// How often one request may be answered with questions.
const MOST_ROUNDS: usize = 10;
/// What a server hears whose question nobody is asked.
static DECLINED: LazyLock<Box<RawValue>> = LazyLock::new(|| said("decline"));
/// What it hears when the call is over before anybody answered.
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

/// What a server said of itself, cut short and in one line each: it is somebody else's text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// Its name, for people where it has one for them.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The protocol revision that both speak.
    pub protocol: String,
    /// Whether it has tools.
    pub tools: bool,
    /// Whether it has prompts.
    pub prompts: bool,
    /// Whether it has resources.
    pub resources: bool,
    /// Whether it tells when one of them changes, to whoever asks.
    pub subscribe: bool,
    /// Whether it says what could stand in an argument.
    pub completions: bool,
}

/// Why a server gave no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum UpstreamError {
    /// The connection ended, or was never one.
    #[error("the server closed the connection")]
    Closed,
    /// It sent a message that is too long to be kept.
    #[error("the server sent more than {} MiB without an end", line::LONGEST >> 20)]
    Flood,
    /// It did not answer in time.
    #[error("the server did not answer in time")]
    Silent,
    /// It answered something that is not what the protocol says.
    #[error("the server does not speak MCP as it should: {0}")]
    Odd(String),
    /// It could not be reached, or refused the connection, as a sentence without its address.
    #[error("{0}")]
    Unreachable(String),
    /// It wants that its person signs in, for the first time or anew.
    #[error("it wants its person to sign in")]
    SignIn,
    /// Its person is signed in there, and gave it too few rights for what was asked.
    #[error("its person gave it too few rights there: it wants {scope}")]
    TooFewRights {
        /// What it wants, as it calls it.
        scope: String,
    },
    /// It answered with an error of the protocol.
    #[error("the server answered with the error {code}: {message}")]
    Refused {
        /// JSON-RPC's code.
        code: i64,
        /// What it said.
        message: String,
        /// What it added, as it wrote it.
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

/// How a call goes on while it is under way.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The parameters of a progress notification, as the server wrote them, without its token.
    pub params: serde_json::Map<String, serde_json::Value>,
}

/// What whoever asks hears, and is asked, while the answer is under way.
#[derive(Debug, Clone, Default)]
pub struct Meanwhile {
    /// How far it is; `None` where nobody wants to know.
    pub progress: Option<mpsc::UnboundedSender<Progress>>,
    /// Who may be asked something before there is an answer; `None` where nobody can be.
    pub person: Option<Person>,
}

impl Meanwhile {
    /// The same when a server of this name asks the person.
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
    /// Makes the handshake with the server at the other end of a line.
    ///
    /// Of a process, older revisions are tried first: a server of those answers at once, while some of them end at a
    /// question that they do not know; a server of 2026-07-28 alone refuses a handshake plainly and is then asked as it
    /// wants. Over HTTP nothing ends, and the newest revision is tried first.
    ///
    /// # Errors
    /// When it closes, stays silent or says something that is no handshake.
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

    /// What it said of itself.
    pub fn about(&self) -> &About {
        &self.spoken.about
    }

    /// Calls one of its tools; dropping the future cancels the call there. The arguments and the result are passed as
    /// they are written.
    ///
    /// # Errors
    /// When it answers with an error, or not at all.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
        meanwhile: Meanwhile,
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
        meanwhile: Meanwhile,
    ) -> Result<Box<RawValue>, UpstreamError> {
        self.ask("prompts/get", named(name, arguments), meanwhile).await
    }

    /// Reads what stands at one of its URIs.
    ///
    /// # Errors
    /// As [`Self::call_tool`].
    pub async fn read_resource(&self, uri: &str, meanwhile: Meanwhile) -> Result<Box<RawValue>, UpstreamError> {
        let mut params = wire::object();
        wire::field(&mut params, "uri", uri);
        self.ask("resources/read", params, meanwhile).await
    }

    /// Asks what could stand in an argument of one of its prompts.
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
        self.ask("completion/complete", params, Meanwhile::default()).await
    }

    /// Asks for something that has one answer; `params` is the inside of an object.
    async fn ask(&self, method: &str, params: Vec<u8>, meanwhile: Meanwhile) -> Result<Box<RawValue>, UpstreamError> {
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

    /// What it lists that holds one of its secrets, as a word for each: nobody is told of that.
    pub fn left_out(&self) -> Vec<String> {
        self.shared.left_out()
    }

    /// Wants to hear when what stands at one of its URIs changes, for as long as this is waited for: it never ends, and
    /// [`Self::updates`] tells what is heard. A server that does not tell is not asked.
    pub async fn watch(&self, uri: &str) {
        if self.about().subscribe {
            watched::watch(&self.shared, self.spoken.era, uri).await;
        }
        std::future::pending::<()>().await;
    }

    /// The URIs of what the server says has changed. Who comes late hears of the latest only.
    pub fn updates(&self) -> broadcast::Receiver<String> {
        self.shared.updates()
    }

    /// Goes up whenever the server says that one of its lists changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes()
    }

    /// Waits until the connection is over, and says why.
    pub async fn closed(&self) -> UpstreamError {
        self.shared.closed().await
    }

    /// Whether it is over.
    pub fn is_closed(&self) -> bool {
        self.shared.is_closed()
    }
}

/// The inside of an object that names something and gives it arguments.
fn named(name: &str, arguments: Option<&RawValue>) -> Vec<u8> {
    let mut params = wire::object();
    wire::field(&mut params, "name", name);
    if let Some(arguments) = arguments {
        wire::raw_field(&mut params, "arguments", arguments);
    }
    params
}
