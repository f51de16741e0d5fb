//! Sessions, notifications and goodbyes over HTTP. What comes in at all is tested in `guard`.

use mcp::Note;
use serde_json::{Value, json};

use crate::{
    client::{LEGACY, MODERN, me, told},
    memory::Memory,
    web::{Exchange, Web},
};

#[tokio::test]
async fn a_request_without_a_session_is_served_and_leaves_none() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    for _ in 0..2 {
        let answer = web.modern("tools/call", json!({"name": "list_skills"})).await;
        assert_eq!((answer.status, answer.header("mcp-session-id")), (200, None));
        assert_eq!(answer.message()["result"]["isError"], false);
    }
    let met = host.notes().into_iter().filter(|note| !matches!(note, Note::Called { .. })).collect::<Vec<_>>();
    assert_eq!(met, [Note::Met { caller: me(), name: Some("tester 1".into()), protocol: MODERN.into() }]);
}

#[tokio::test]
async fn a_client_of_a_handshake_has_a_session_until_it_ends_it() {
    let web = Web::serve(Memory::new()).await;
    let session = web.handshake("secret-one").await;
    let list = || {
        web.request("POST", "secret-one")
            .session(&session)
            .body(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
    };
    assert_eq!(list().send().await.message()["result"]["tools"].as_array().unwrap().len(), 2);

    let without = web.request("POST", "secret-one").body(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}));
    assert!((400..=404).contains(&without.send().await.status));
    assert!(web.request("DELETE", "secret-one").session(&session).send().await.status < 300);
    assert_eq!(list().send().await.status, 404);
}

#[tokio::test]
async fn a_session_opens_to_nobody_elses_token() {
    let web = Web::serve(Memory::new()).await;
    let session = web.handshake("secret-one").await;
    for method in ["POST", "GET", "DELETE"] {
        let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
        let answer = web.request(method, "secret-two").session(&session).body(&ping).send().await;
        assert_eq!(answer.status, 404, "{method}");
    }
    let ping =
        web.request("POST", "secret-one").session(&session).body(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
    assert_eq!(ping.send().await.status, 200);
}

#[tokio::test]
async fn a_token_that_is_taken_away_closes_its_sessions_too() {
    let web = Web::serve(Memory::new()).await;
    let session = web.handshake("secret-one").await;
    web.tokens(&["secret-two"]);
    let ping =
        web.request("POST", "secret-one").session(&session).body(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
    assert_eq!(ping.send().await.status, 401);
}

#[tokio::test]
async fn a_session_hears_on_its_own_stream_what_changed() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    let mut stream = web.request("GET", "secret-one").session(&session).open().await;
    let uri = json!({"uri": "skill://tea/SKILL.md"});
    let subscribe = json!({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": uri});
    assert_eq!(web.request("POST", "secret-one").session(&session).body(&subscribe).send().await.status, 200);

    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    assert_eq!(told(&stream.event().await.unwrap()), "prompts/list_changed");
    assert_eq!(told(&stream.event().await.unwrap()), "resources/list_changed");
    assert_eq!(told(&stream.event().await.unwrap()), "resources/updated skill://tea/SKILL.md");
}

#[tokio::test]
async fn a_session_that_does_not_listen_is_still_served_after_many_changes() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    for round in 0..100 {
        host.enable("tea", round % 2 == 0);
        tokio::task::yield_now().await;
    }
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let answer = web.request("POST", "secret-one").session(&session).body(&ping).send().await;
    assert_eq!(answer.message()["result"]["tools"].as_array().unwrap().len(), 2);
    let mut stream = web.request("GET", "secret-one").session(&session).open().await;
    assert_eq!(told(&stream.event().await.unwrap()), "prompts/list_changed");
}

#[tokio::test]
async fn a_listen_stream_hears_what_changed_and_is_told_when_the_endpoint_closes() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let filter = json!({"notifications": {"toolsListChanged": true, "resourcesListChanged": true}});
    let mut stream = web.modern_request("subscriptions/listen", filter).open().await;
    assert_eq!(told(&stream.event().await.unwrap()), "subscriptions/acknowledged");

    host.enable("tea", false);
    let heard = stream.event().await.unwrap();
    assert_eq!(told(&heard), "resources/list_changed");
    assert_eq!(heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);

    web.stop();
    let last = stream.event().await.unwrap();
    assert_eq!((&last["id"], &last["result"]["resultType"]), (&json!(1), &json!("complete")));
    assert!(stream.event().await.is_none());
    web.stopped().await;
}

#[tokio::test]
async fn headers_that_contradict_the_body_are_refused() {
    let web = Web::serve(Memory::new()).await;
    let params = json!({"name": "list_skills"});
    let call = |change: fn(Exchange) -> Exchange| change(web.modern_request("tools/call", params.clone())).send();
    for change in [
        (|it| it.without("Mcp-Name")) as fn(Exchange) -> Exchange,
        |it| it.replace("Mcp-Name", "get_skill"),
        |it| it.replace("Mcp-Method", "tools/list"),
        |it| it.replace("MCP-Protocol-Version", LEGACY),
    ] {
        let answer = call(change).await;
        assert_eq!((answer.status, &answer.message()["error"]["code"]), (400, &json!(-32020)));
    }
    assert_eq!(call(|it| it.replace("Accept", "application/json")).await.status, 406);
    assert_eq!(call(|it| it.replace("Content-Type", "text/plain")).await.status, 415);
}

#[tokio::test]
async fn errors_have_the_status_that_the_revision_asks_for() {
    let web = Web::serve(Memory::new()).await;
    for (method, status, code) in [("foo/bar", 404, -32601), ("ping", 404, -32601)] {
        let answer = web.modern(method, json!({})).await;
        assert_eq!((answer.status, answer.message()["error"]["code"].as_i64()), (status, Some(code)), "{method}");
    }
    let old = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "1900-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let answer = web.modern_request("tools/list", old).replace("MCP-Protocol-Version", "1900-01-01").send().await;
    assert_eq!((answer.status, &answer.message()["error"]["code"]), (400, &json!(-32022)));
    let large = Value::String("x".repeat(5 << 20));
    assert_eq!(web.modern("tools/call", json!({"name": "list_skills", "arguments": {"x": large}})).await.status, 413);
}

#[tokio::test]
async fn a_listener_that_others_can_reach_is_refused() {
    let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = mcp::serve_http(Memory::new(), listener, || unreachable!(), None, Default::default()).await;
    assert_eq!(refused.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}
