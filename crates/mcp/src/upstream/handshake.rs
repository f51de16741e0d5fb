//! The start of a connection in both eras of the protocol, and the subscription to changes in each.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{About, CallContext, UpstreamError, connection::Shared, wire};
use crate::{Person, peer::tidied};

/// The last revision with a handshake.
const WITH_HANDSHAKE: &str = "2025-11-25";
/// The first revision without one.
const WITHOUT: &str = "2026-07-28";
/// The prefix of that revision's own keys in `_meta`.
const RESERVED: &str = "io.modelcontextprotocol/";

/// The era of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// The handshake describes both sides.
    Handshake,
    /// Each request describes the client.
    Inline,
}

/// The result of the handshake.
pub(super) struct Spoken {
    pub(super) era: Era,
    pub(super) about: About,
}

/// The relevant fields of a server's answer to either greeting.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    protocol_version: Option<String>,
    #[serde(default)]
    supported_versions: Vec<String>,
    #[serde(default)]
    capabilities: Map<String, Value>,
    #[serde(default)]
    server_info: Option<Info>,
    #[serde(default, rename = "_meta")]
    meta: Map<String, Value>,
}

#[derive(Deserialize)]
struct Info {
    name: Option<String>,
    title: Option<String>,
    version: Option<String>,
}

impl Era {
    /// The `_meta` of a request: its progress token, and in the newest era our description of ourselves.
    pub(super) fn meta(self, progress: Option<u64>, person: Option<&Person>) -> Option<Map<String, Value>> {
        let mut meta = Map::new();
        if let Some(token) = progress {
            meta.insert("progressToken".to_owned(), token.into());
        }
        if self == Self::Inline {
            meta.insert(format!("{RESERVED}protocolVersion"), WITHOUT.into());
            meta.insert(format!("{RESERVED}clientInfo"), ourselves());
            let asked = person.map(|person| ("elicitation".to_owned(), person.capability()));
            meta.insert(format!("{RESERVED}clientCapabilities"), Value::Object(asked.into_iter().collect()));
        }
        (!meta.is_empty()).then_some(meta)
    }
}

fn ourselves() -> Value {
    json!({"name": "skilltender", "title": "Skilltender", "version": env!("CARGO_PKG_VERSION")})
}

/// Greets in one way, and in the other if that is refused.
pub(super) async fn greet(shared: &Shared, newest_first: bool) -> Result<Spoken, UpstreamError> {
    if newest_first {
        match discover(shared).await {
            Err(UpstreamError::Refused { .. } | UpstreamError::Odd(_)) => initialize(shared).await,
            other => other,
        }
    } else {
        match initialize(shared).await {
            Err(UpstreamError::Refused { .. }) => discover(shared).await,
            other => other,
        }
    }
}

/// Greets as all revisions with a handshake do.
async fn initialize(shared: &Shared) -> Result<Spoken, UpstreamError> {
    let mut params = wire::object();
    wire::field(&mut params, "protocolVersion", WITH_HANDSHAKE);
    // Whether a user can be asked is known only during a call. If not, the question is declined.
    wire::field(&mut params, "capabilities", &json!({"elicitation": {"form": {}, "url": {}}}));
    wire::field(&mut params, "clientInfo", &ourselves());
    let answer = read(shared.ask("initialize", params, Era::Handshake, CallContext::default()).await?.get())?;
    shared.notify("notifications/initialized").await?;
    let protocol = answer.protocol_version.clone().unwrap_or_default();
    Ok(Spoken { era: Era::Handshake, about: about(answer, &protocol) })
}

/// Greets as the newest revision does.
async fn discover(shared: &Shared) -> Result<Spoken, UpstreamError> {
    let answer = read(shared.ask("server/discover", wire::object(), Era::Inline, CallContext::default()).await?.get())?;
    if !answer.supported_versions.iter().any(|version| version == WITHOUT) {
        return Err(UpstreamError::Odd(format!("it does not know revision {WITHOUT}")));
    }
    Ok(Spoken { era: Era::Inline, about: about(answer, WITHOUT) })
}

fn read(answer: &str) -> Result<Answer, UpstreamError> {
    serde_json::from_str(answer).map_err(|_| UpstreamError::Odd("its answer to the greeting is none".to_owned()))
}

fn about(mut answer: Answer, protocol: &str) -> About {
    let in_meta = answer.meta.remove(&format!("{RESERVED}serverInfo"));
    let info = answer.server_info.or_else(|| serde_json::from_value(in_meta?).ok());
    let (name, version) = info.map(|info| (info.title.or(info.name), info.version)).unwrap_or_default();
    About {
        name: name.as_deref().and_then(tidied),
        version: version.as_deref().and_then(tidied),
        protocol: tidied(protocol).unwrap_or_default(),
        tools: answer.capabilities.contains_key("tools"),
        prompts: answer.capabilities.contains_key("prompts"),
        resources: answer.capabilities.contains_key("resources"),
        subscribe: answer.capabilities.get("resources").is_some_and(|resources| resources["subscribe"] == true),
        completions: answer.capabilities.contains_key("completions"),
    }
}

/// Subscribes to changes in the newest revision; the older ones report them to every client.
pub(super) async fn listen_for_changes(shared: &Shared, spoken: &Spoken) -> Result<(), UpstreamError> {
    if spoken.era == Era::Handshake {
        return Ok(());
    }
    let mut params = wire::object();
    let lists = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
    wire::field(&mut params, "notifications", &lists);
    // The answer comes at its end and is not waited for; a server without changes refuses, which has the same effect.
    shared.begin("subscriptions/listen", params, spoken.era).await
}
