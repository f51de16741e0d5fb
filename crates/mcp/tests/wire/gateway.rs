//! Another server's tools on the wire: listed after ours, called as written, cancelled, and announced when they change.

use std::sync::Arc;

use mcp::{CallContext, Line, Listed, Offered, OfferedTool, Upstream, UpstreamError};
use serde_json::{Value, json, value::RawValue};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use zeroize::Zeroizing;

use crate::{
    client::{Client, both, text, told},
    memory::Memory,
    web::Web,
};

/// The other server, played by the test.
pub(crate) struct Played {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

impl Played {
    pub(crate) async fn hears(&mut self) -> (Value, String) {
        let mut line = String::new();
        self.read.read_line(&mut line).await.unwrap();
        (serde_json::from_str(&line).unwrap(), line)
    }

    pub(crate) async fn says(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn answers(&mut self, asked: &Value, result: &str) {
        self.says(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, asked["id"])).await;
    }
}

pub(crate) fn tool(name: &str, described: &str) -> OfferedTool {
    let json = json!({"name": name, "description": described, "inputSchema": {"type": "object", "zebra": 1, "ant": 2}});
    let json = RawValue::from_string(json.to_string()).unwrap();
    OfferedTool::new(&format!("pot__{name}"), &Listed { name: name.to_owned(), json }).unwrap()
}

pub(crate) fn offered(tools: Vec<OfferedTool>) -> Offered {
    let tools = Arc::new(tools);
    Offered { listed: Arc::clone(&tools), tools, ..Offered::default() }
}

async fn host() -> (Arc<Memory>, Played) {
    host_of(offered(vec![tool("brew", "Brews"), tool("pour", "Pours")])).await
}

/// A host with another server that offers this.
pub(crate) async fn host_of(offered: Offered) -> (Arc<Memory>, Played) {
    let (ours, theirs) = duplex(1 << 16);
    let (read, write) = split(ours);
    let (theirs_read, theirs_write) = split(theirs);
    let mut played = Played { read: BufReader::new(theirs_read), write: theirs_write };
    let greeting = async {
        let (asked, _) = played.hears().await;
        played.answers(&asked, r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}"#).await;
        played.hears().await;
    };
    let (upstream, ()) = tokio::join!(Upstream::open(Line::over_streams(read, write)), greeting);
    let host = Memory::new();
    host.offer(upstream.unwrap(), offered);
    (host, played)
}

fn names(listed: &Value) -> Vec<&str> {
    listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn tools_of_another_server_stand_after_ours_and_change_aloud() {
    let (host, _played) = host().await;
    let mut client = Client::legacy(host.clone()).await;
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(names(&listed), ["list_skills", "get_skill", "pot__brew", "pot__pour"]);
    let schema = &listed["result"]["tools"][2]["inputSchema"];
    assert_eq!(schema.to_string(), r#"{"type":"object","zebra":1,"ant":2}"#, "in the server's own order");
    let upstream = host.gateway();
    host.offer(upstream, offered(vec![tool("brew", "Brews better")]));
    let message = client.next().await.unwrap();
    assert_eq!(told(&message), "tools/list_changed");
}

#[tokio::test]
async fn a_call_and_its_result_pass_untouched_to_clients_of_both_eras() {
    let (host, mut played) = host().await;
    for (client, modern) in both(&host).await.into_iter().zip([true, false]) {
        let mut client = client;
        client.ask("tools/list", json!({})).await;
        let message = client.message("tools/call", json!({"name": "pot__brew", "arguments": {}}));
        let line = message
            .to_string()
            .replace(r#""arguments":{}"#, r#""arguments":{"n": 1.10, "a":[12345678901234567890123]}"#);
        client.send_line(&line).await;
        let (asked, line) = played.hears().await;
        assert!(line.contains(r#""arguments":{"n": 1.10, "a":[12345678901234567890123]}"#), "{line}");
        assert_eq!(asked["params"]["name"], "brew");
        played.answers(&asked, r#"{"content":[{"type":"text","text":"Oolong"}],"x":{"later":true}}"#).await;
        let answer = client.answer_to(message["id"].as_u64().unwrap()).await;
        assert_eq!(text(&answer), "Oolong");
        assert_eq!(answer["result"]["x"]["later"], true);
        assert_eq!(answer["result"].get("resultType").is_some(), modern, "{answer}");
    }
}

#[tokio::test]
async fn who_wants_to_hear_how_far_it_is_hears_it_under_its_own_token() {
    let (host, mut played) = host().await;
    let mut client = Client::legacy(host).await;
    let params = json!({"name": "pot__brew", "arguments": {}, "_meta": {"progressToken": "mine"}});
    let id = client.request("tools/call", params).await;
    let (asked, _) = played.hears().await;
    let token = &asked["params"]["_meta"]["progressToken"];
    let params = json!({"progressToken": token, "progress": 1, "total": 2, "message": "half"});
    played.says(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}).to_string()).await;
    let told = client.next().await.unwrap();
    assert_eq!(told["params"], json!({"progressToken": "mine", "progress": 1.0, "total": 2.0, "message": "half"}));
    played.answers(&asked, r#"{"content":[]}"#).await;
    client.answer_to(id).await;
}

#[tokio::test]
async fn a_call_that_its_client_cancels_is_cancelled_at_the_server() {
    let (host, mut played) = host().await;
    for progress in [json!({}), json!({"progressToken": 1})] {
        let mut client = Client::legacy(host.clone()).await;
        client.ask("tools/list", json!({})).await;
        let id = client.request("tools/call", json!({"name": "pot__brew", "arguments": {}, "_meta": progress})).await;
        let (asked, _) = played.hears().await;
        let params = json!({"requestId": id, "reason": "enough"});
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
        let (told, _) = played.hears().await;
        assert_eq!(told["method"], "notifications/cancelled");
        assert_eq!(told["params"]["requestId"], asked["id"]);
        // The connection continues.
        client.ask("tools/list", json!({})).await;
    }
}

#[tokio::test]
async fn a_client_that_leaves_leaves_no_call_behind() {
    let (host, mut played) = host().await;
    let mut client = Client::legacy(host).await;
    client.ask("tools/list", json!({})).await;
    client.request("tools/call", json!({"name": "pot__brew", "arguments": {}})).await;
    let (asked, _) = played.hears().await;
    drop(client);
    let (told, _) = played.hears().await;
    assert_eq!(told["params"]["requestId"], asked["id"]);
}

#[tokio::test]
async fn an_error_of_the_server_and_a_name_that_nobody_has_are_told_apart() {
    let (host, mut played) = host().await;
    let mut client = Client::legacy(host).await;
    client.ask("tools/list", json!({})).await;
    let id = client.request("tools/call", json!({"name": "pot__brew", "arguments": {}})).await;
    let (asked, _) = played.hears().await;
    played
        .says(&format!(r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32011,"message":"no water"}}}}"#, asked["id"]))
        .await;
    let answer = client.answer_to(id).await;
    assert_eq!((&answer["error"]["code"], &answer["error"]["message"]), (&json!(-32011), &json!("no water")));
    let unknown = client.ask("tools/call", json!({"name": "pot__stir", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn two_tools_that_never_change_find_and_call_all_others() {
    let (host, mut played) = host().await;
    let tools = offered(vec![tool("brew", "Makes oolong"), tool("pour", "Fills a cup")]);
    host.offer(host.gateway(), Offered { search: true, ..tools });
    let mut client = Client::legacy(host).await;
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(names(&listed), ["list_skills", "get_skill", "find_tools", "call_tool"]);
    let found = client.ask("tools/call", json!({"name": "find_tools", "arguments": {"query": "oolong"}})).await;
    assert_eq!(found["result"]["structuredContent"]["tools"][0]["name"], "pot__brew");
    assert_eq!(found["result"]["structuredContent"]["tools"].as_array().unwrap().len(), 1);
    let arguments = json!({"name": "pot__brew", "arguments": {"cups": 2}});
    let id = client.request("tools/call", json!({"name": "call_tool", "arguments": arguments})).await;
    let (asked, _) = played.hears().await;
    assert_eq!(asked["params"], json!({"name": "brew", "arguments": {"cups": 2}}));
    played.answers(&asked, r#"{"content":[]}"#).await;
    client.answer_to(id).await;
    let unknown = client.ask("tools/call", json!({"name": "call_tool", "arguments": {"name": "stir"}})).await;
    assert_eq!(unknown["result"]["isError"], true);
}

async fn over_http(web: &Web, token: &str) -> Result<Upstream, UpstreamError> {
    let headers = [("Authorization".to_owned(), Zeroizing::new(format!("Bearer {token}")))].into();
    Upstream::open(Line::over_http(&format!("http://127.0.0.1:{}/mcp", web.port), headers, None)?).await
}

#[tokio::test]
async fn a_server_over_http_is_reached_with_its_header_and_refused_without() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let upstream = over_http(&web, "secret-one").await.unwrap();
    assert_eq!(upstream.about().protocol, "2026-07-28");
    assert_eq!(upstream.about().name.as_deref(), Some("Skilltender"));
    let listed = upstream.tools().await.unwrap();
    assert_eq!(listed.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["list_skills", "get_skill"]);
    let arguments = RawValue::from_string(r#"{"id":"tea"}"#.to_owned()).unwrap();
    let result = upstream.call_tool("get_skill", Some(&arguments), CallContext::default()).await.unwrap();
    assert!(result.get().contains("See references/green tea.md"), "{result}");

    let mut changes = upstream.changes();
    host.offer(upstream.clone(), offered(vec![tool("brew", "Brews")]));
    tokio::time::timeout(std::time::Duration::from_secs(20), changes.changed()).await.unwrap().unwrap();

    let refused = over_http(&web, "wrong").await.err().unwrap().to_string();
    assert!(refused.contains("its secret is missing or wrong") && !refused.contains("127.0.0.1"), "{refused}");
    let url = format!("http://127.0.0.1:{}/mcp", web.port);
    let nobody = Upstream::open(Line::over_http(&url, std::collections::BTreeMap::new(), None).unwrap()).await;
    assert!(matches!(nobody, Err(UpstreamError::SignIn)), "where no header says who asks, a sign-in may");
    let odd = over_http(&web, "two\nlines").await.err().unwrap().to_string();
    assert_eq!(odd, "The header Authorization cannot be sent: it holds what no header may");
    web.stop();
    let gone = Line::over_http("http://127.0.0.1:9/mcp", std::collections::BTreeMap::new(), None).unwrap();
    let gone = Upstream::open(gone).await.err().unwrap().to_string();
    assert!(gone.starts_with("it was not reached") && !gone.contains("127.0.0.1"), "{gone}");
}
