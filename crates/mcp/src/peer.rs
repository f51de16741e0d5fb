//! A client's description of itself: in its handshake, or since 2026-07-28 in the `_meta` of each request. It is
//! foreign text, so it is shortened, and control characters are removed.

use rmcp::model::{ClientCapabilities, Implementation};
use serde::{Deserialize, Serialize};

/// The first revision without a handshake. Revisions are dates, so they compare as texts.
const WITHOUT_HANDSHAKE: &str = "2026-07-28";
/// The maximum length of a name, version or capability, in characters.
const LONGEST: usize = 100;
/// The maximum number of capabilities kept: a client may send any number.
const MOST: usize = 32;
/// The prefix of the extensions in the specification.
const OFFICIAL: &str = "io.modelcontextprotocol/";

/// A client's description of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// Its name, preferably its title for people.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The protocol revision: `2025-11-25`.
    pub protocol: String,
    /// Its capabilities, one word each: `roots`, `sampling`, `elicitation`, `skills` ...
    pub capabilities: Vec<String>,
    /// Its transport.
    pub transport: Transport,
}

/// How a client reaches us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// It runs the program `skilltender`.
    Stdio,
    /// It connects to our port.
    Http,
}

impl Peer {
    /// Whether each of its requests describes the client, so that a call proves what a connection proves for others.
    pub fn is_without_connection(&self) -> bool {
        self.transport == Transport::Http && self.protocol.as_str() >= WITHOUT_HANDSHAKE
    }

    pub(crate) fn new(
        client: Option<&Implementation>,
        capabilities: Option<&ClientCapabilities>,
        protocol: &str,
        transport: Transport,
    ) -> Self {
        Self {
            name: client.and_then(|client| tidied(client.title.as_ref().unwrap_or(&client.name))),
            version: client.and_then(|client| tidied(&client.version)),
            protocol: tidied(protocol).unwrap_or_default(),
            capabilities: capabilities.map(words).unwrap_or_default(),
            transport,
        }
    }
}

/// The capabilities in words, those of the protocol first.
fn words(capabilities: &ClientCapabilities) -> Vec<String> {
    let ClientCapabilities { experimental, extensions, roots, sampling, elicitation, .. } = capabilities;
    let own = [("roots", roots.is_some()), ("sampling", sampling.is_some()), ("elicitation", elicitation.is_some())];
    let own = own.into_iter().filter(|(_, has)| *has).map(|(word, _)| word.to_owned());
    let extensions = extensions.iter().flat_map(|extensions| extensions.keys());
    let extensions = extensions.filter_map(|id| tidied(id.strip_prefix(OFFICIAL).unwrap_or(id)));
    let experimental = experimental.iter().flat_map(|experimental| experimental.keys());
    let experimental = experimental.filter_map(|name| tidied(&format!("{name} (experimental)")));
    own.chain(extensions).chain(experimental).take(MOST).collect()
}

/// One line of at most [`LONGEST`] characters; `None` if it is empty.
pub(crate) fn tidied(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|character| !character.is_control()).take(LONGEST).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn capabilities(value: serde_json::Value) -> ClientCapabilities {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn capabilities_are_told_in_words_and_extensions_of_others_by_their_ids() {
        let all = capabilities(json!({
            "elicitation": {"form": {}},
            "roots": {"listChanged": true},
            "extensions": {"com.example/tea": {}, "io.modelcontextprotocol/skills": {}},
            "experimental": {"brewing": {}},
        }));
        let mut words = words(&all);
        words.sort();
        assert_eq!(words, ["brewing (experimental)", "com.example/tea", "elicitation", "roots", "skills"]);
        assert_eq!(super::words(&capabilities(json!({}))), [""; 0]);
    }

    #[test]
    fn a_client_that_says_too_much_is_cut_short() {
        let extensions: serde_json::Map<_, _> = (0..1_000).map(|n| (format!("x{n}"), json!({}))).collect();
        let all = capabilities(json!({ "extensions": extensions }));
        let client = Implementation::new("a".repeat(1 << 20), "\u{1b}[2J 1\n");
        let peer = Peer::new(Some(&client), Some(&all), "2025-11-25", Transport::Stdio);
        assert_eq!(peer.name.map(|name| name.len()), Some(LONGEST));
        assert_eq!(peer.version.as_deref(), Some("[2J 1"));
        assert_eq!(peer.capabilities.len(), MOST);
    }

    #[test]
    fn only_http_of_the_newest_revision_has_no_connection() {
        let without = |protocol, transport| Peer::new(None, None, protocol, transport).is_without_connection();
        assert!(without("2026-07-28", Transport::Http));
        assert!(!without("2025-11-25", Transport::Http) && !without("2026-07-28", Transport::Stdio));
    }
}
