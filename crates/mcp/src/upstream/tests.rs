use std::sync::Arc;

use rmcp::model::ElicitationCapability;
use secrets::Redaction;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split},
    sync::mpsc,
};

use super::{CallContext, Line, Upstream, UpstreamError};
use crate::elicitation::{Modes, Person};

/// The server's end of a line, played by the test.
struct Played {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

fn line() -> (Line, Played) {
    let (ours, theirs) = duplex(1 << 16);
    let (read, write) = split(ours);
    let (played_read, played_write) = split(theirs);
    (Line::over_streams(read, write), Played { read: BufReader::new(played_read), write: played_write })
}

impl Played {
    /// The next message; `None` if the line is closed.
    async fn hears(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = self.read.read_line(&mut line).await.unwrap();
        (read > 0).then(|| serde_json::from_str(&line).unwrap())
    }

    async fn says(&mut self, line: &str) {
        self.write.write_all(line.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn answers(&mut self, asked: &Value, result: &str) {
        self.says(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, asked["id"])).await;
    }

    /// Plays a server of a revision with a handshake.
    async fn shakes_hands(&mut self) {
        let asked = self.hears().await.unwrap();
        assert_eq!(
            (&asked["method"], &asked["params"]["protocolVersion"]),
            (&json!("initialize"), &json!("2025-11-25"))
        );
        let answer = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","title":"Tea","version":"1"}}"#;
        self.answers(&asked, answer).await;
        assert_eq!(self.hears().await.unwrap()["method"], "notifications/initialized");
    }
}

async fn connected() -> (Upstream, Played) {
    let (line, mut played) = line();
    let (upstream, ()) = tokio::join!(Upstream::open(line), played.shakes_hands());
    (upstream.unwrap(), played)
}

/// Connects to a server that was given this secret, and that repeats it with its name.
async fn connected_with(secret: &str) -> (Upstream, Played) {
    let (line, mut played) = line();
    let line = line.hiding(&Redaction::new([secret]));
    let greeting = async {
        let asked = played.hears().await.unwrap();
        let answer = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": format!("Tea {secret}"), "version": secret}});
        played.answers(&asked, &answer.to_string()).await;
        played.hears().await.unwrap();
    };
    let (upstream, ()) = tokio::join!(Upstream::open(line), greeting);
    (upstream.unwrap(), played)
}

#[tokio::test]
async fn what_a_server_says_of_its_secret_is_heard_by_nobody() {
    const KEY: &str = "sk-4711-tea-secret";
    let (upstream, mut played) = connected_with(KEY).await;
    assert_eq!(
        (upstream.about().name.as_deref(), upstream.about().version.as_deref()),
        (Some("Tea ••••"), Some("••••"))
    );

    let (progress, mut heard) = mpsc::unbounded_channel();
    let meanwhile = CallContext { progress: Some(progress), person: None };
    let (failed, ()) = tokio::join!(upstream.call_tool("brew", None, meanwhile), async {
        let asked = played.hears().await.unwrap();
        let told = json!({"progressToken": asked["id"], "progress": 1, "message": format!("with {KEY}")});
        played.says(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}).to_string()).await;
        let error = json!({"code": -32000, "message": format!("401 invalid key {KEY}"), "data": {"sent": [KEY]}});
        played.says(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error}).to_string()).await;
    });
    assert_eq!(heard.recv().await.unwrap().params["message"], "with ••••");
    let Err(UpstreamError::Refused { message, data, .. }) = failed else { panic!("{failed:?}") };
    assert_eq!((message.as_str(), data.unwrap().get()), ("401 invalid key ••••", r#"{"sent":["••••"]}"#));

    let (result, ()) = tokio::join!(upstream.call_tool("brew", None, CallContext::default()), async {
        let asked = played.hears().await.unwrap();
        let content = json!([{"type": "text", "text": json!({"key": KEY}).to_string()}]);
        played
            .answers(&asked, &json!({"content": content, "structuredContent": {"key": KEY, "cups": 2}}).to_string())
            .await;
    });
    let result: Value = serde_json::from_str(result.unwrap().get()).unwrap();
    assert_eq!(result["content"][0]["text"], r#"{"key":"••••"}"#);
    assert_eq!(result["structuredContent"], json!({"key": "••••", "cups": 2}));

    let (tools, ()) = tokio::join!(upstream.tools(), async {
        let asked = played.hears().await.unwrap();
        let tool = |name: &str, said: &str| json!({"name": name, "description": said, "inputSchema": {}});
        let spelled = KEY.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let tools = [tool("brew", "Brews"), tool("pour", KEY), tool(&spelled, "x")];
        played.answers(&asked, &json!({"tools": tools}).to_string()).await;
    });
    assert_eq!(tools.unwrap().into_iter().map(|tool| tool.name).collect::<Vec<_>>(), ["brew"]);
    assert_eq!(upstream.left_out(), ["pour", "••••"]);
}

#[tokio::test]
async fn in_direct_mode_too_what_a_server_says_of_its_secret_is_not_heard() {
    let ((server, mut played), (client, mut person)) = (line(), line());
    let joined = tokio::spawn(server.hiding(&Redaction::new(["sk-4711-tea-secret"])).join(client));
    played.says(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"sk-4711-tea-secret"}}"#).await;
    assert_eq!(person.hears().await.unwrap()["error"]["message"], "••••");
    drop(person);
    drop(joined.await);
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// wire contract 43
#[tokio::test]
async fn a_server_with_a_handshake_says_what_it_is() {
    let (upstream, _played) = connected().await;
    let about = upstream.about();
    assert_eq!(about.name.as_deref(), Some("Tea"));
    assert_eq!((about.protocol.as_str(), about.tools), ("2025-06-18", true));
}

/// Connects to a server that supports only 2026-07-28.
async fn connected_to_the_newest() -> (Upstream, Played) {
    let (line, mut played) = line();
    let server = async {
        let asked = played.hears().await.unwrap();
        let refusal = r#""error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}"#;
        played.says(&format!(r#"{{"jsonrpc":"2.0","id":{},{refusal}}}"#, asked["id"])).await;
        let asked = played.hears().await.unwrap();
        assert_eq!(asked["method"], "server/discover");
        assert_eq!(asked["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        let answer = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},
            "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"2"}}}"#;
        played.answers(&asked, &answer.replace('\n', " ")).await;
        assert_eq!(played.hears().await.unwrap()["method"], "subscriptions/listen");
    };
    let (upstream, ()) = tokio::join!(Upstream::open(line), server);
    (upstream.unwrap(), played)
}

/// wire contract 43
#[tokio::test]
async fn a_server_of_the_newest_revision_alone_is_asked_as_it_wants() {
    let (upstream, mut played) = connected_to_the_newest().await;
    assert_eq!(upstream.about().name.as_deref(), Some("new"));
    let mut changes = upstream.changes();
    played.says(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}"#).await;
    changes.changed().await.unwrap();
}

#[tokio::test]
async fn a_server_that_answers_with_questions_is_asked_again_with_what_the_person_says() {
    let (upstream, mut played) = connected_to_the_newest().await;
    let (way, mut questions) = mpsc::unbounded_channel();
    let modes = Modes::of(Some(&ElicitationCapability::new())).unwrap();
    let person = Person::new(modes, Arc::default(), way).asked_by("pot");
    let arguments = raw(r#"{"kind": "oolong"}"#);
    let meanwhile = CallContext { progress: None, person: Some(person) };
    let call = upstream.call_tool("brew", Some(&arguments), meanwhile);
    let server = async {
        let asked = played.hears().await.unwrap();
        let capabilities = &asked["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(capabilities, &json!({"elicitation": {"form": {}}}));
        let requests = r#"{"cups":{"method":"elicitation/create","params":{"message":"How many?","mode":"form"}},
            "model":{"method":"sampling/createMessage","params":{}}}"#;
        let required = format!(r#"{{"resultType":"input_required","inputRequests":{requests},"requestState":"s 1"}}"#);
        played.answers(&asked, &required.replace('\n', " ")).await;
        let question = questions.recv().await.unwrap();
        assert_eq!(question.params.get(), r#"{"message":"pot asks: How many?","mode":"form"}"#);
        question.answer.send(raw(r#"{"action":"accept","content":{"cups": 2}}"#)).unwrap();
        let again = played.hears().await.unwrap();
        assert_eq!(again["params"]["arguments"], json!({"kind": "oolong"}));
        assert_eq!(again["params"]["requestState"], "s 1");
        let responses = json!({"cups": {"action": "accept", "content": {"cups": 2}}, "model": {"action": "decline"}});
        assert_eq!(again["params"]["inputResponses"], responses);
        played.answers(&again, r#"{"resultType":"complete","content":[]}"#).await;
    };
    let (answer, ()) = tokio::join!(call, server);
    assert_eq!(answer.unwrap().get(), r#"{"resultType":"complete","content":[]}"#);
}

/// wire contract 44
#[tokio::test]
async fn arguments_and_results_pass_as_they_are_written() {
    let (upstream, mut played) = connected().await;
    let arguments = raw("{\"b\":1e400, \"a\":[12345678901234567890123],\n \"b\":\"\\u00e9\"}");
    let result =
        r#"{"content":[{"type":"of tomorrow","x":0.10}], "unknown":{"z":1,"a":2},"big":123456789012345678901}"#;
    let call = upstream.call_tool("brew", Some(&arguments), CallContext::default());
    let server = async {
        let mut line = String::new();
        played.read.read_line(&mut line).await.unwrap();
        assert!(line.contains(r#""arguments":{"b":1e400, "a":[12345678901234567890123],  "b":"\u00e9"}"#), "{line}");
        let asked: Value = serde_json::from_str(&line.replace("1e400", "1")).unwrap();
        assert_eq!(asked["params"]["name"], "brew");
        played.answers(&asked, result).await;
    };
    let (answer, ()) = tokio::join!(call, server);
    assert_eq!(answer.unwrap().get(), result);
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled_at_the_server() {
    let (upstream, mut played) = connected().await;
    let call = tokio::spawn({
        let upstream = upstream.clone();
        async move { upstream.call_tool("brew", None, CallContext::default()).await.map(drop) }
    });
    let asked = played.hears().await.unwrap();
    call.abort();
    let told = played.hears().await.unwrap();
    assert_eq!(told["method"], "notifications/cancelled");
    assert_eq!(told["params"]["requestId"], asked["id"]);
    // The late answer is ignored, and the next call gets its own.
    played.answers(&asked, "1").await;
    let (answer, ()) = tokio::join!(upstream.call_tool("brew", None, CallContext::default()), async {
        let asked = played.hears().await.unwrap();
        played.answers(&asked, "2").await;
    });
    assert_eq!(answer.unwrap().get(), "2");
}

#[tokio::test]
async fn progress_reaches_whoever_asked() {
    let (upstream, mut played) = connected().await;
    let (told, mut progress) = mpsc::unbounded_channel();
    let server = async {
        let asked = played.hears().await.unwrap();
        let token = &asked["params"]["_meta"]["progressToken"];
        let params = format!(r#"{{"progressToken":{token},"progress":0.5,"total":1,"message":"half"}}"#);
        played.says(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#)).await;
        played.answers(&asked, "{}").await;
    };
    let (answer, ()) =
        tokio::join!(upstream.call_tool("brew", None, CallContext { progress: Some(told), person: None }), server);
    answer.unwrap();
    let params = Value::Object(progress.recv().await.unwrap().params);
    assert_eq!(params, json!({"progress": 0.5, "total": 1, "message": "half"}));
}

#[tokio::test]
async fn every_page_of_tools_is_asked_for_and_a_tool_keeps_its_own_words() {
    let (upstream, mut played) = connected().await;
    let server = async {
        let asked = played.hears().await.unwrap();
        assert_eq!(asked["params"], json!({}));
        played.answers(&asked, r#"{"tools":[{"name":"a","x": 1}],"nextCursor":"more"}"#).await;
        let asked = played.hears().await.unwrap();
        assert_eq!(asked["params"]["cursor"], "more");
        played.answers(&asked, r#"{"tools":[{"x":1,"name":"a"}]}"#).await;
    };
    let (listed, ()) = tokio::join!(upstream.tools(), server);
    let tools = listed.unwrap();
    assert_eq!(tools[0].json.get(), r#"{"name":"a","x": 1}"#);
    assert_eq!(tools[0].digest(), tools[1].digest());
}

#[tokio::test]
async fn what_is_no_message_is_passed_over_and_a_ping_is_answered() {
    let (upstream, mut played) = connected().await;
    played.says("Tea server listening on stdio").await;
    played.says(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#).await;
    assert_eq!(played.hears().await.unwrap(), json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
    played.says(r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#).await;
    assert_eq!(played.hears().await.unwrap()["error"]["code"], -32601);
    assert!(!upstream.is_closed());
}

#[tokio::test]
async fn a_line_without_an_end_is_not_kept_for_ever() {
    let (upstream, mut played) = connected().await;
    let flood = tokio::spawn(async move {
        let piece = vec![b'x'; 1 << 20];
        // Until the connection is dropped.
        while played.write.write_all(&piece).await.is_ok() {}
    });
    assert!(matches!(upstream.closed().await, UpstreamError::Flood));
    flood.abort();
}

#[tokio::test]
async fn when_the_server_ends_whoever_waits_hears_it_and_so_does_who_asks_later() {
    let (upstream, mut played) = connected().await;
    let (answer, ()) = tokio::join!(upstream.call_tool("brew", None, CallContext::default()), async {
        played.hears().await.unwrap();
        played.write.shutdown().await.unwrap();
    });
    assert!(matches!(answer, Err(UpstreamError::Closed)));
    assert!(matches!(upstream.call_tool("brew", None, CallContext::default()).await, Err(UpstreamError::Closed)));
    assert!(upstream.is_closed());
}

#[tokio::test]
async fn the_last_one_who_speaks_to_a_server_closes_the_line() {
    let (upstream, mut played) = connected().await;
    let other = upstream.clone();
    drop(upstream);
    let (answer, ()) = tokio::join!(other.call_tool("brew", None, CallContext::default()), async {
        let asked = played.hears().await.expect("still open");
        played.answers(&asked, "{}").await;
    });
    answer.unwrap();
    drop(other);
    assert_eq!(played.hears().await, None);
}

#[tokio::test]
async fn a_refusal_is_told_with_its_code() {
    let (upstream, mut played) = connected().await;
    let (answer, ()) = tokio::join!(upstream.call_tool("brew", None, CallContext::default()), async {
        let asked = played.hears().await.unwrap();
        let id = &asked["id"];
        played
            .says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"no tea","data":[1]}}}}"#))
            .await;
    });
    let Err(UpstreamError::Refused { code, message, data }) = answer else { panic!("it was answered") };
    assert_eq!((code, message.as_str(), data.unwrap().get()), (-32602, "no tea", "[1]"));
}

#[tokio::test]
async fn a_resource_is_watched_for_as_long_as_somebody_waits() {
    let (line, mut played) = line();
    let greeting = async {
        let asked = played.hears().await.unwrap();
        let answer = r#"{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}}}"#;
        played.answers(&asked, answer).await;
        played.hears().await.unwrap();
    };
    let (upstream, ()) = tokio::join!(Upstream::open(line), greeting);
    let upstream = upstream.unwrap();
    let mut updates = upstream.updates();
    let watching = tokio::spawn({
        let upstream = upstream.clone();
        async move { upstream.watch("leaf://a").await }
    });
    let asked = played.hears().await.unwrap();
    assert_eq!((&asked["method"], &asked["params"]), (&json!("resources/subscribe"), &json!({"uri": "leaf://a"})));
    played.answers(&asked, "{}").await;
    played.says(r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"leaf://a"}}"#).await;
    assert_eq!(updates.recv().await.unwrap(), "leaf://a");
    watching.abort();
    assert_eq!(played.hears().await.unwrap()["method"], "resources/unsubscribe");

    // A server without the capability is not asked.
    let (upstream, mut played) = connected_to_the_newest().await;
    let calling = async {
        tokio::join!(upstream.call_tool("brew", None, CallContext::default()), async {
            let asked = played.hears().await.unwrap();
            assert_eq!(asked["method"], "tools/call");
            played.answers(&asked, r#"{"resultType":"complete","content":[]}"#).await;
        })
    };
    // In this order, so that the call comes after what the watch asks.
    tokio::select! {
        biased;
        () = upstream.watch("leaf://a") => panic!("a watch does not end"),
        (answer, ()) = calling => drop(answer.unwrap()),
    }
}
