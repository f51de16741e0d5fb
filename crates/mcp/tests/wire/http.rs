//! Sessions, notifications and goodbyes over HTTP. `guard` tests which requests are accepted.

use mcp::{ClientEvent, Transport};
use serde_json::{Value, json};

use crate::{
    client::{LEGACY, MODERN, me, tester, told},
    memory::Memory,
    web::{Exchange, Web},
};

/// wire contract 13
#[tokio::test]
async fn a_request_without_a_session_is_served_and_leaves_none() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    for _ in 0..2 {
        let answer = web.modern("tools/call", json!({"name": "list_skills"})).await;
        assert_eq!((answer.status, answer.header("mcp-session-id")), (200, None));
        assert_eq!(answer.message()["result"]["isError"], false);
    }
    for method in ["GET", "DELETE"] {
        let answer = web.modern_request("tools/list", json!({})).line(&format!("{method} /mcp HTTP/1.1")).send().await;
        assert_eq!((answer.status, answer.header("mcp-session-id")), (405, None), "{method}");
    }
    let met = host.notes().into_iter().filter(|note| !matches!(note, ClientEvent::Called { .. })).collect::<Vec<_>>();
    let [ClientEvent::Met { caller, peer, since: Some(_) }] = &*met else { panic!("{met:?}") };
    assert_eq!((caller, peer), (&me(), &tester(MODERN, Transport::Http)));
}

/// wire contract 14
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
    assert_eq!(without.send().await.status, 400);
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
async fn a_stream_hears_nothing_more_once_its_token_is_taken_away() {
    let host = Memory::new();
    let web = Web::serve(host.clone()).await;
    let session = web.handshake("secret-one").await;
    let listen = web.request("GET", "secret-one").session(&session).with("Connection", "close");
    let mut stream = listen.open().await;
    host.enable("tea", false);
    assert_eq!(told(&stream.event().await.unwrap()), "prompts/list_changed");
    web.tokens(&["secret-two"]);
    host.enable("tea", true);
    let mut late = Vec::new();
    while let Some(event) = stream.event().await {
        late.push(told(&event));
    }
    assert!(!late.contains(&"prompts/list_changed".to_owned()), "the stream ended without it: {late:?}");
}

/// wire contract 41
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

/// wire contract 40
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

/// wire contract 11, 12
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

/// wire contract 5, 7, 11
#[tokio::test]
async fn errors_have_the_status_that_the_revision_asks_for() {
    let web = Web::serve(Memory::new()).await;
    for (method, status, code) in [
        ("foo/bar", 404, -32601),
        ("ping", 404, -32601),
        ("logging/setLevel", 404, -32601),
        ("resources/subscribe", 404, -32601),
    ] {
        let answer = web.modern(method, json!({})).await;
        assert_eq!((answer.status, answer.message()["error"]["code"].as_i64()), (status, Some(code)), "{method}");
    }
    let old = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "1900-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let answer = web.modern_request("tools/list", old).replace("MCP-Protocol-Version", "1900-01-01").send().await;
    assert_eq!((answer.status, &answer.message()["error"]["code"]), (400, &json!(-32022)));
    let supported = answer.message()["error"]["data"]["supported"].clone();
    assert!(supported.as_array().is_some_and(|versions| versions.contains(&json!(MODERN))), "{supported}");
    let large = Value::String("x".repeat(5 << 20));
    assert_eq!(web.modern("tools/call", json!({"name": "list_skills", "arguments": {"x": large}})).await.status, 413);
}

/// wire contract 9
#[tokio::test]
async fn a_listener_that_others_can_reach_is_refused() {
    let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = mcp::serve_http(
        Memory::new(),
        mcp::Entrance::ThisComputer(listener),
        || unreachable!(),
        None,
        Default::default(),
        Default::default(),
        Default::default(),
    )
    .await;
    assert_eq!(refused.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

/// wire contract 6
#[tokio::test]
async fn a_request_needs_the_clients_capabilities_and_not_its_name() {
    let web = Web::serve(Memory::new()).await;
    let ask = |meta: Value| web.modern("tools/list", json!({"_meta": meta}));
    let version = "io.modelcontextprotocol/protocolVersion";
    let without = ask(json!({version: MODERN})).await;
    assert_eq!((without.status, &without.message()["error"]["code"]), (400, &json!(-32602)));
    let nameless = ask(json!({version: MODERN, "io.modelcontextprotocol/clientCapabilities": {}})).await;
    assert_eq!(nameless.status, 200);
}

/// wire contract 15
#[tokio::test]
async fn a_name_beyond_ascii_comes_in_base64() {
    let host = Memory::new();
    host.write("th\u{e9}", "SKILL.md", "---\nname: th\u{e9}\ndescription: Infuse.\n---\nInfuse.\n".as_bytes());
    let web = Web::serve(host).await;
    let ask =
        |name: &str| web.modern_request("prompts/get", json!({"name": "th\u{e9}"})).replace("Mcp-Name", name).send();
    let answer = ask("=?base64?dGjDqQ==?=").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.contains("Infuse."));
    assert_eq!(ask("=?base64?dGVh?=").await.status, 400, "that is another name");
}

/// The event without data was added in 2025-11-25; Gemini CLI, which speaks 2025-06-18, disconnects because of it.
#[tokio::test]
async fn a_stream_begins_with_an_event_without_data_only_for_clients_that_know_it() {
    let web = Web::serve(Memory::new()).await;
    let session = web.handshake("secret-one").await;
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    for (revision, known) in [(None, false), (Some("2025-06-18"), false), (Some(LEGACY), true)] {
        let of = |request: Exchange| match revision {
            Some(revision) => request.session(&session).with("MCP-Protocol-Version", revision),
            None => request.session(&session),
        };
        let answer = of(web.request("POST", "secret-one")).body(&list).send().await;
        assert_eq!(answer.message()["result"]["tools"].as_array().unwrap().len(), 2);
        let begins = of(web.request("GET", "secret-one")).open().await.first_line().await;
        let empty = |line: &str| line.strip_prefix("data:").is_some_and(|data| data.trim().is_empty());
        assert_eq!((answer.body.lines().any(empty), empty(&begins)), (known, known), "{revision:?} {begins}");
    }
}
