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
#[cfg(test)]
mod tests;
mod wire;

use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};

pub(crate) use self::http::use_ring;
pub use self::{
    bearer::{Bearer, Keep},
    line::Line,
    listed::ListedTool,
};
use self::{handshake::Spoken, peer::Shared};

/// How long a server may take over its part of the handshake before it counts as silent. A package that has to be
/// fetched first takes its time.
const HANDSHAKE: Duration = Duration::from_secs(120);

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
    #[error("the server did not answer the handshake")]
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

/// How a call goes on while it is under way.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The parameters of a progress notification, as the server wrote them, without its token.
    pub params: serde_json::Map<String, serde_json::Value>,
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
        let spoken = Arc::new(spoken.map_err(|_| UpstreamError::Silent)??);
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
        progress: Option<mpsc::UnboundedSender<Progress>>,
    ) -> Result<Box<RawValue>, UpstreamError> {
        let mut params = wire::object();
        wire::field(&mut params, "name", name);
        if let Some(arguments) = arguments {
            wire::raw_field(&mut params, "arguments", arguments);
        }
        self.ask("tools/call", params, progress).await
    }

    /// Asks for something that has one answer; `params` is the inside of an object.
    async fn ask(
        &self,
        method: &str,
        params: Vec<u8>,
        progress: Option<mpsc::UnboundedSender<Progress>>,
    ) -> Result<Box<RawValue>, UpstreamError> {
        self.shared.ask(method, params, self.spoken.era, progress).await
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
