//! The bridge's memory of a client, which lets it continue with another engine (decision 3).
//!
//! A pure state machine over lines: lines of either side go in, lines for either side come out. It keeps the handshake,
//! the subscribed URIs, and every unanswered request. When the engine is lost, an open tool call is answered at once
//! and never sent twice; the two tools that only read skills are repeated like every other read. When the next engine
//! is connected, the handshake and the subscriptions are replayed without passing their answers to the client, open
//! reads are repeated, `listen` streams continue under their ids, and the client is notified that its lists may have
//! changed. In every case the client gets one answer per request.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    END,
    message::{self, Message, Params},
};
use crate::tools;

/// The answer to an open tool call whose engine was lost.
const RESTARTED: &str = "Skilltender restarted; try again.";
/// The answer to a read that stopped several engines.
const GIVEN_UP: &str = "Skilltender stopped each time it worked on this request. It is not repeated again.";
/// How often a read is sent before it is suspected of stopping the engine.
const MOST_TRIES: u8 = 3;

/// The lists that a client may keep.
const LISTS: [&str; 3] = ["tools", "prompts", "resources"];

/// A line and its destination.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Out {
    Client(Vec<u8>),
    Upstream(Vec<u8>),
}

/// The state of one client.
#[derive(Default)]
pub(super) struct Relay {
    upstream: Upstream,
    handshake: Option<Handshake>,
    subscribed: BTreeSet<String>,
    /// Unanswered requests, in the order of arrival.
    open: Vec<Open>,
    /// Ids of the bridge's own requests, whose answers are not passed on.
    own: BTreeSet<String>,
    count: u64,
    ended: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Upstream {
    /// No engine: requests are kept for the next one.
    #[default]
    Away,
    Here,
    /// A better engine exists: open requests are still answered, new ones wait.
    Leaving,
}

struct Handshake {
    initialize: Vec<u8>,
    answered: bool,
    initialized: Option<Vec<u8>>,
}

struct Open {
    id: Value,
    line: Vec<u8>,
    kind: Kind,
    /// Whether the current engine has received it.
    sent: bool,
    tries: u8,
}

enum Kind {
    Initialize,
    /// Answered when the engine is lost. The flag: whether the client speaks without a handshake.
    Call(bool),
    /// Open until the client ends. Holds what was accepted, once acknowledged.
    Listen(Option<Map<String, Value>>),
    Subscribe(String),
    Unsubscribe(String),
    /// Repeated when the engine is lost.
    Read,
}

impl Relay {
    /// Handles a line of the client.
    pub(super) fn client_says(&mut self, line: Vec<u8>) -> Vec<Out> {
        let Some(message) = Message::parse(&line) else { return self.if_here(line) };
        match (message.id.as_ref(), message.method.as_deref()) {
            (Some(id), Some(method)) => {
                let (id, kind) = (id.clone(), Kind::of(method, message.params()));
                self.request(id, kind, line)
            }
            (None, Some("notifications/initialized")) => {
                if let Some(handshake) = &mut self.handshake {
                    handshake.initialized = Some(line.clone());
                }
                self.if_here(line)
            }
            (None, Some("notifications/cancelled")) => {
                let request = message.params().request_id;
                let Some(at) = self.open.iter().position(|open| open.id == request) else { return Vec::new() };
                if self.open.remove(at).sent { vec![Out::Upstream(line)] } else { Vec::new() }
            }
            // Answers to the engine's own requests: it works on them until it is left.
            (Some(_), None) if self.upstream == Upstream::Leaving => vec![Out::Upstream(line)],
            _ => self.if_here(line),
        }
    }

    /// Handles a line of the engine.
    pub(super) fn engine_says(&mut self, line: Vec<u8>) -> Vec<Out> {
        let Some(message) = Message::parse(&line) else { return vec![Out::Client(line)] };
        match (message.id.as_ref(), message.method.as_deref()) {
            (Some(Value::String(id)), None) if self.own.remove(id) => {
                let through = self.own.is_empty() && self.shook_hands();
                return if through { self.news_unasked() } else { Vec::new() };
            }
            (Some(id), None) if !self.closes(id, message.failed()) => return Vec::new(),
            (None, Some("notifications/subscriptions/acknowledged")) => {
                let params = message.params();
                let listening = self.open.iter_mut().find(|open| Some(&open.id) == params.subscription());
                if let Some(Open { id, kind: Kind::Listen(heard), .. }) = listening
                    && heard.replace(params.notifications.clone()).is_some()
                {
                    return news_of(&params.notifications, id);
                }
            }
            _ => {}
        }
        vec![Out::Client(line)]
    }

    /// Handles a better engine: the current one finishes its requests.
    pub(super) fn leave(&mut self) -> Vec<Out> {
        if self.upstream == Upstream::Here {
            self.upstream = Upstream::Leaving;
        }
        Vec::new()
    }

    /// Whether the current engine owes no answer.
    pub(super) fn is_idle(&self) -> bool {
        !self.open.iter().any(|open| open.sent && !matches!(open.kind, Kind::Listen(_)))
    }

    /// Handles the loss of the engine.
    pub(super) fn lost(&mut self) -> Vec<Out> {
        self.upstream = Upstream::Away;
        self.own.clear();
        let mut answers = Vec::new();
        self.open.retain_mut(|open| {
            let answer = match open.kind {
                Kind::Call(modern) if open.sent => message::tool_failure(&open.id, modern, RESTARTED),
                Kind::Read if open.tries == MOST_TRIES => message::failure(&open.id, GIVEN_UP),
                _ => {
                    open.sent = false;
                    return true;
                }
            };
            answers.push(Out::Client(answer));
            false
        });
        answers
    }

    /// Whether the client has ended and has every answer.
    pub(super) fn is_done(&self) -> bool {
        self.ended && self.open.is_empty()
    }

    /// Handles the connection of an engine, the first one or the next.
    pub(super) fn joined(&mut self) -> Vec<Out> {
        self.upstream = Upstream::Here;
        let mut out = self.replay();
        for open in &mut self.open {
            open.sent = true;
            open.tries = open.tries.saturating_add(1);
            out.push(Out::Upstream(open.line.clone()));
            if let (Kind::Initialize, Some(Handshake { initialized: Some(line), .. })) = (&open.kind, &self.handshake) {
                out.push(Out::Upstream(line.clone()));
            }
        }
        if self.ended {
            out.push(Out::Upstream(END.into()));
        }
        out
    }

    /// Handles the end of the client's requests. Its `listen` streams end; other open requests are still answered.
    pub(super) fn ended(&mut self) -> Vec<Out> {
        self.ended = true;
        let (streams, open) = self.open.drain(..).partition(|open| matches!(open.kind, Kind::Listen(_)));
        self.open = open;
        let streams: Vec<Open> = streams;
        let goodbyes = streams.iter().map(|stream| Out::Client(message::goodbye(&stream.id)));
        goodbyes.chain(self.if_here(END.into())).collect()
    }

    fn if_here(&self, line: Vec<u8>) -> Vec<Out> {
        if self.upstream == Upstream::Here { vec![Out::Upstream(line)] } else { Vec::new() }
    }

    fn request(&mut self, id: Value, kind: Kind, line: Vec<u8>) -> Vec<Out> {
        if let Kind::Initialize = kind {
            self.handshake = Some(Handshake { initialize: line.clone(), answered: false, initialized: None });
        }
        let sent = self.upstream == Upstream::Here;
        self.open.push(Open { id, line: line.clone(), kind, sent, tries: u8::from(sent) });
        self.if_here(line)
    }

    /// Whether this answer is for the client: it closes an open request.
    fn closes(&mut self, id: &Value, failed: bool) -> bool {
        let Some(at) = self.open.iter().position(|open| open.sent && open.id == *id) else { return false };
        if matches!(self.open[at].kind, Kind::Listen(_)) && !failed {
            // The engine ends the stream, which continues with the next engine.
            return false;
        }
        match self.open.remove(at).kind {
            Kind::Initialize if failed => self.handshake = None,
            Kind::Initialize => {
                if let Some(handshake) = &mut self.handshake {
                    handshake.answered = true;
                }
            }
            Kind::Subscribe(uri) if !failed => {
                self.subscribed.insert(uri);
            }
            Kind::Unsubscribe(uri) if !failed => {
                self.subscribed.remove(&uri);
            }
            _ => {}
        }
        true
    }

    /// The handshake and the subscriptions, as the bridge's own requests.
    fn replay(&mut self) -> Vec<Out> {
        let mut out = Vec::new();
        if let Some(Handshake { initialize, answered: true, initialized }) = &self.handshake {
            let initialized = initialized.clone();
            let id = own_id(&mut self.count, &mut self.own);
            out.extend(message::with_id(initialize, &id));
            out.extend(initialized);
        }
        for uri in &self.subscribed {
            let id = own_id(&mut self.count, &mut self.own);
            out.push(message::request(&id, "resources/subscribe", &json!({"uri": uri})));
        }
        out.into_iter().map(Out::Upstream).collect()
    }

    /// Whether the client has completed its handshake. Until then it has seen no list.
    fn shook_hands(&self) -> bool {
        self.handshake.as_ref().is_some_and(|handshake| handshake.initialized.is_some())
    }

    /// The notifications for a client with a handshake when the replay is complete: it may have missed changes until
    /// now, and misses none from here on.
    fn news_unasked(&self) -> Vec<Out> {
        let lists = LISTS.iter().map(|list| message::notification(&format!("{list}/list_changed"), None, None));
        let updates = self.subscribed.iter().map(|uri| message::notification("resources/updated", Some(uri), None));
        lists.chain(updates).map(Out::Client).collect()
    }
}

/// The same notifications on a `listen` stream, limited to those it asked for.
fn news_of(accepted: &Map<String, Value>, stream: &Value) -> Vec<Out> {
    let asked = |list: &&&str| accepted.get(&format!("{list}ListChanged")) == Some(&Value::Bool(true));
    let lists = LISTS.iter().filter(asked);
    let lists = lists.map(|list| message::notification(&format!("{list}/list_changed"), None, Some(stream)));
    let uris = accepted.get("resourceSubscriptions").and_then(Value::as_array).into_iter().flatten();
    let updates = uris.map(|uri| message::notification("resources/updated", uri.as_str(), Some(stream)));
    lists.chain(updates).map(Out::Client).collect()
}

impl Kind {
    fn of(method: &str, params: Params) -> Self {
        match method {
            "initialize" => Self::Initialize,
            "tools/call" if tools::only_reads(&params.name) => Self::Read,
            "tools/call" => Self::Call(params.is_modern()),
            "subscriptions/listen" => Self::Listen(None),
            "resources/subscribe" => Self::Subscribe(params.uri),
            "resources/unsubscribe" => Self::Unsubscribe(params.uri),
            _ => Self::Read,
        }
    }
}

/// An id that no client uses, because it names the bridge.
fn own_id(count: &mut u64, own: &mut BTreeSet<String>) -> String {
    *count += 1;
    let id = format!("skilltender/bridge/{count}");
    own.insert(id.clone());
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIALIZE: &str =
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;

    impl Relay {
        fn client(&mut self, line: &str) -> Vec<String> {
            shown(self.client_says(line.into()))
        }

        fn engine(&mut self, line: &str) -> Vec<String> {
            shown(self.engine_says(line.into()))
        }

        /// A relay with an engine.
        fn here() -> Self {
            let mut relay = Self::default();
            assert!(relay.joined().is_empty());
            relay
        }

        /// The same, after a handshake.
        fn after_handshake() -> Self {
            let mut relay = Self::here();
            relay.client(INITIALIZE);
            relay.engine(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
            relay.client(INITIALIZED);
            relay
        }
    }

    /// `>` marks lines to the engine, `<` lines to the client.
    fn shown(out: Vec<Out>) -> Vec<String> {
        let text = |arrow, line| format!("{arrow} {}", String::from_utf8(line).unwrap());
        out.into_iter()
            .map(|line| match line {
                Out::Client(line) => text('<', line),
                Out::Upstream(line) => text('>', line),
            })
            .collect()
    }

    fn call(id: u8, tool: &str, more: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"{more}}}}}"#)
    }

    #[test]
    fn what_comes_before_the_first_engine_waits_for_it() {
        let mut relay = Relay::default();
        for line in [INITIALIZE, INITIALIZED, &call(1, "deploy", "")] {
            assert!(relay.client(line).is_empty());
        }
        assert_eq!(
            shown(relay.joined()),
            [format!("> {INITIALIZE}"), format!("> {INITIALIZED}"), format!("> {}", call(1, "deploy", ""))]
        );
    }

    #[test]
    fn an_open_call_is_answered_when_its_engine_is_lost_and_never_sent_twice() {
        let mut relay = Relay::here();
        relay.client(&call(1, "deploy", ""));
        relay.client(&call(2, "deploy", &format!(",{META}")));
        let sentence = r#""content":[{"type":"text","text":"Skilltender restarted; try again."}],"isError":true"#;
        assert_eq!(
            shown(relay.lost()),
            [
                format!(r#"< {{"jsonrpc":"2.0","id":1,"result":{{{sentence}}}}}"#),
                format!(r#"< {{"jsonrpc":"2.0","id":2,"result":{{{sentence},"resultType":"complete"}}}}"#),
            ]
        );
        assert!(relay.joined().is_empty());
        assert!(relay.engine(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).is_empty());
    }

    #[test]
    fn the_tools_that_only_read_are_repeated() {
        let mut relay = Relay::here();
        relay.client(&call(1, "get_skill", ""));
        assert!(relay.lost().is_empty());
        assert_eq!(shown(relay.joined()), [format!("> {}", call(1, "get_skill", ""))]);
    }

    #[test]
    fn a_read_that_no_engine_survives_is_given_up() {
        let mut relay = Relay::here();
        let read = r#"{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"skill://tea/SKILL.md"}}"#;
        relay.client(read);
        for _ in 1..MOST_TRIES {
            assert!(relay.lost().is_empty());
            assert_eq!(shown(relay.joined()), [format!("> {read}")]);
        }
        assert_eq!(
            shown(relay.lost()),
            [format!(r#"< {{"jsonrpc":"2.0","id":"a","error":{{"code":-32603,"message":"{GIVEN_UP}"}}}}"#)]
        );
        assert!(relay.joined().is_empty());
    }

    #[test]
    fn the_next_engine_gets_handshake_and_subscriptions_and_the_client_only_the_news() {
        let mut relay = Relay::after_handshake();
        let subscribe =
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"skill://tea/SKILL.md"}}"#;
        relay.client(subscribe);
        relay.engine(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        relay.client(&subscribe.replace("\"id\":1", "\"id\":2").replace("tea", "no"));
        relay.engine(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":""}}"#);
        assert!(relay.lost().is_empty());
        let mut told = shown(relay.joined());
        for own in 1..=2 {
            told.extend(relay.engine(&format!(r#"{{"jsonrpc":"2.0","id":"skilltender/bridge/{own}","result":{{}}}}"#)));
        }
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn a_client_that_has_not_ended_its_handshake_is_told_nothing() {
        let mut relay = Relay::here();
        relay.client(INITIALIZE);
        relay.engine(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
        assert!(relay.lost().is_empty());
        let again = INITIALIZE.replace("\"id\":0", "\"id\":\"skilltender/bridge/1\"");
        assert_eq!(shown(relay.joined()), [format!("> {again}")]);
        assert!(relay.engine(r#"{"jsonrpc":"2.0","id":"skilltender/bridge/1","result":{}}"#).is_empty());
        assert_eq!(relay.client(INITIALIZED), [format!("> {INITIALIZED}")]);
    }

    #[test]
    fn a_listen_stream_goes_on_under_its_id_and_is_acknowledged_once() {
        let mut relay = Relay::here();
        let listen = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{META}}}}}"#
        );
        let acknowledged = r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["skill://tea/SKILL.md"]},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}"#;
        let goodbye = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#;
        relay.client(&listen);
        assert_eq!(relay.engine(acknowledged).len(), 1);
        assert!(relay.engine(goodbye).is_empty());
        assert!(relay.lost().is_empty());
        let mut told = shown(relay.joined());
        told.extend(relay.engine(acknowledged));
        insta::assert_snapshot!(told.join("\n"));
        let last = r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}}"#;
        let last = format!(r#"< {{"jsonrpc":"2.0","id":7,"result":{last}}}"#);
        assert_eq!(shown(relay.ended()), [last, "> end".to_owned()]);
        assert!(relay.engine(goodbye).is_empty() && relay.is_done());
    }

    #[test]
    fn a_read_is_still_repeated_after_the_client_has_ended() {
        let mut relay = Relay::here();
        let read = r#"{"jsonrpc":"2.0","id":8,"method":"tools/list"}"#;
        relay.client(read);
        assert_eq!(shown(relay.ended()), ["> end"]);
        assert!(relay.lost().is_empty() && !relay.is_done());
        assert_eq!(shown(relay.joined()), [format!("> {read}"), "> end".to_owned()]);
    }

    #[test]
    fn a_cancelled_request_is_forgotten() {
        let mut relay = Relay::here();
        let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        assert!(relay.client(cancel).is_empty());
        relay.client(&call(1, "deploy", ""));
        assert_eq!(relay.client(cancel), [format!("> {cancel}")]);
        assert!(relay.lost().is_empty());
        relay.client(&call(1, "deploy", ""));
        assert!(relay.client(cancel).is_empty());
        assert!(relay.joined().is_empty());
    }

    #[test]
    fn a_better_engine_gets_what_came_while_the_present_one_finished() {
        let mut relay = Relay::here();
        relay.client(&call(1, "deploy", ""));
        relay.leave();
        assert!(relay.client(&call(2, "deploy", "")).is_empty());
        assert!(!relay.is_idle());
        assert_eq!(relay.engine(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).len(), 1);
        assert!(relay.is_idle());
        assert!(relay.lost().is_empty());
        assert_eq!(shown(relay.joined()), [format!("> {}", call(2, "deploy", ""))]);
    }

    #[test]
    fn what_is_no_message_passes_while_there_is_an_engine() {
        let mut relay = Relay::here();
        for line in ["[]", "nonsense", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#] {
            assert_eq!(relay.client(line), [format!("> {line}")]);
        }
        for line in ["nonsense", r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":""}}"#] {
            assert_eq!(relay.engine(line), [format!("< {line}")]);
        }
    }

    #[test]
    fn what_an_engine_asks_is_answered_to_it_also_when_there_is_a_better_one() {
        let mut relay = Relay::after_handshake();
        relay.client(&call(1, "pot__brew", ""));
        let question = r#"{"jsonrpc":"2.0","id":"ask-0","method":"elicitation/create","params":{"message":"m"}}"#;
        assert_eq!(relay.engine(question), [format!("< {question}")]);
        relay.leave();
        let answer = r#"{"jsonrpc":"2.0","id":"ask-0","result":{"action":"decline"}}"#;
        assert_eq!(relay.client(answer), [format!("> {answer}")]);
    }
}
