//! Direct answers equal rmcp's. A message with one additional key is left to rmcp and is otherwise the same.

use mcp::Surfaces;
use serde_json::{Value, json};

use crate::{
    client::{Client, both},
    memory::Memory,
    web::{Answer, Exchange, Web},
};

/// Calls and reads that succeed, fail, and are refused.
fn questions() -> Vec<(&'static str, Value)> {
    let call = |name: &str, arguments: Value| ("tools/call", json!({"name": name, "arguments": arguments}));
    let read = |uri: &str| ("resources/read", json!({"uri": uri}));
    vec![
        call("list_skills", json!({})),
        ("tools/call", json!({"name": "list_skills"})),
        ("tools/call", json!({"name": "list_skills", "arguments": null, "_meta": {"progressToken": "a"}})),
        call("get_skill", json!({"id": "tea"})),
        call("get_skill", json!({"id": "coffee"})),
        call("get_skill", json!({"id": "te"})),
        call("get_skill", json!({})),
        call("brew", json!({})),
        read("skill://tea/SKILL.md"),
        read("skill://tea/references/green%20tea.md"),
        read("skill://tea/assets/leaf.png"),
        read("skill://tea/references"),
        read("skill://tea/none.md"),
        read("skill://index.json"),
        read("resource://catalog/skills"),
        read("resource://catalog/skills/tea"),
        read("nonsense"),
    ]
}

/// A library with data of every kind.
fn library() -> std::sync::Arc<Memory> {
    let host = Memory::new();
    host.remark_on("coffee", "This skill is not ready: \"beans\".");
    host.write(
        "odd",
        "SKILL.md",
        "---\nname: odd\ndescription: \"Tab\\t, \\\"quote\\\", é\"\n---\n\u{1}\r\n\\".as_bytes(),
    );
    host
}

fn told(answer: &Value) -> [&Value; 2] {
    [&answer["result"], &answer["error"]]
}

#[tokio::test]
async fn a_stream_says_what_rmcp_says() {
    let host = library();
    for mut client in both(&host).await {
        // The server knows from the first request how this client names its revision.
        client.ask("tools/list", json!({})).await;
        for (open, paused) in [(true, false), (false, false), (true, true)] {
            host.open(Surfaces { tools: open, resources: open, ..Surfaces::default() });
            host.pause(paused);
            for (method, params) in questions() {
                let answers =
                    [ask(&mut client, method, &params, false).await, ask(&mut client, method, &params, true).await];
                assert_eq!(told(&answers[0]), told(&answers[1]), "{method} {params}");
            }
        }
        host.pause(false);
        host.open(Surfaces::default());
    }
}

async fn ask(client: &mut Client, method: &str, params: &Value, unusual: bool) -> Value {
    let mut message = client.message(method, params.clone());
    if unusual {
        message["also"] = json!(true);
    }
    client.send(&message).await;
    client.answer_to(message["id"].as_u64().unwrap()).await
}

#[tokio::test]
async fn http_says_what_rmcp_says() {
    let host = library();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    for (method, params) in questions() {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = web.request("POST", "secret-one").session(&session).body(&message);
        says_the_same(request, &message, &format!("in a session: {method} {params}")).await;
        if params.get("_meta").is_none() {
            let request = web.modern_request(method, params.clone());
            let message = serde_json::from_str(request.text_of_body()).unwrap();
            says_the_same(request, &message, &format!("{method} {params}")).await;
        }
    }
}

async fn says_the_same(request: Exchange, message: &Value, about: &str) {
    let mut unusual = message.clone();
    unusual["also"] = json!(true);
    let (direct, rmcp) = (request.clone().send().await, request.body(&unusual).send().await);
    let kind = |answer: &Answer| answer.header("content-type").map(str::to_owned);
    assert_eq!(kind(&direct).as_deref(), Some("application/json"), "{about}");
    assert_eq!(kind(&rmcp).as_deref(), Some("text/event-stream"), "{about}");
    assert_eq!((direct.status, told(&direct.message())), (rmcp.status, told(&rmcp.message())), "{about}");
}

#[tokio::test]
async fn a_head_that_contradicts_its_body_is_refused_as_ever() {
    let web = Web::serve(library()).await;
    let request = || web.modern_request("tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}}));
    assert_eq!(request().send().await.status, 200);
    for (header, value) in
        [("Mcp-Name", "list_skills"), ("Mcp-Method", "resources/read"), ("MCP-Protocol-Version", "2025-11-25")]
    {
        assert_eq!(request().replace(header, value).send().await.status, 400, "{header}");
    }
    assert_eq!(request().without("Mcp-Name").send().await.status, 400);
    assert_eq!(request().with("Mcp-Name", "get_skill").send().await.status, 400, "named twice");
    assert_eq!(request().replace("Accept", "text/event-stream").send().await.status, 406);
    let unknown = web.request("POST", "secret-one").session("3f2b8c1e-0d4a-4b6f-9c7d-5e8f0a1b2c3d");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_skills"}});
    assert_eq!(unknown.body(&list).send().await.status, 404);
}

#[tokio::test]
async fn more_than_a_pipe_holds_is_answered_although_the_client_writes_first() {
    let mut client = Client::legacy(Memory::of(10)).await;
    for _ in 0..500 {
        client.request("tools/call", json!({"name": "get_skill", "arguments": {"id": "skill-0007"}})).await;
    }
    for _ in 0..500 {
        assert_eq!(client.next().await.unwrap()["result"]["isError"], false);
    }
}

#[tokio::test]
async fn what_reads_much_is_left_to_rmcp() {
    let host = library();
    let web = Web::serve(host.clone()).await;
    for (size, kind) in [(256 << 10, "application/json"), ((256 << 10) + 1, "text/event-stream")] {
        host.write("tea", "assets/large.bin", &vec![0xff; size]);
        let answer = web.modern("resources/read", json!({"uri": "skill://tea/assets/large.bin"})).await;
        assert_eq!(answer.header("content-type"), Some(kind), "{size}");
    }
}

#[tokio::test]
async fn what_was_answered_directly_weighs_nothing_any_more() {
    let host = library();
    host.write("tea", "assets/large.bin", &vec![0xff; 200 << 10]);
    for mut client in both(&host).await {
        client.ask("tools/list", json!({})).await;
        // Together more than the maximum weight of all answers.
        for _ in 0..50 {
            let answer = client.ask("resources/read", json!({"uri": "skill://tea/assets/large.bin"})).await;
            assert!(answer["result"]["contents"][0]["blob"].is_string());
        }
    }
}
