//! Lifecycle, tools, prompt and resources over a byte stream.

use std::path::Path;

use mcp::{CallTrouble, ClientEvent, Surface, Transport};
use serde_json::{Value, json};

use crate::{
    client::{Client, LEGACY, MODERN, me, serve, tester, text, told},
    memory::Memory,
};

const CAPABILITIES: &str = r#"{
    "tools": {"listChanged": true},
    "prompts": {"listChanged": true},
    "resources": {"subscribe": true, "listChanged": true},
    "completions": {},
    "extensions": {"io.modelcontextprotocol/skills": {"directoryRead": true}}
}"#;

/// wire contract 2, 3
#[tokio::test]
async fn an_older_revision_is_echoed_and_an_unknown_one_gets_the_newest_with_a_handshake() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut client = Client::on(serve(Memory::new()).0);
        let answer = client.handshake(asked).await;
        assert_eq!(answer["result"]["protocolVersion"], answered, "{asked}");
        assert_eq!(answer["result"]["capabilities"], serde_json::from_str::<Value>(CAPABILITIES).unwrap());
        assert!(answer["result"].get("resultType").is_none(), "{answer}");
    }
}

/// wire contract 2
#[tokio::test]
async fn nothing_of_the_newer_era_stands_in_a_session_of_the_older() {
    let mut client = Client::on(serve(Memory::new()).0);
    let mut answers = vec![client.handshake("2025-06-18").await];
    for (method, params) in [
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("skills/list", json!({})),
        ("skills/get", json!({"uri": "skill://tea/SKILL.md"})),
        ("resources/read", json!({"uri": "skill://tea/SKILL.md"})),
        ("tools/call", json!({"name": "list_skills"})),
        ("prompts/get", json!({"name": "tea"})),
    ] {
        let answer = client.ask(method, params).await;
        assert!(answer["result"].is_object(), "{method}: {answer}");
        answers.push(answer);
    }
    for answer in answers {
        for field in ["resultType", "ttlMs", "cacheScope"] {
            assert!(!answer.to_string().contains(field), "{answer}");
        }
    }
}

/// wire contract 1
#[tokio::test]
async fn discovery_tells_what_the_handshake_tells() {
    let mut client = Client::modern(Memory::new());
    let answer = client.ask("server/discover", json!({})).await;
    let result = &answer["result"];
    assert_eq!(result["capabilities"], serde_json::from_str::<Value>(CAPABILITIES).unwrap());
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 0);
    assert_eq!(result["cacheScope"], "private");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "skilltender");
    let versions: Vec<_> = result["supportedVersions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(versions.contains(&LEGACY) && versions.contains(&MODERN), "{versions:?}");
    let by_handshake = Client::on(serve(Memory::new()).0).handshake(LEGACY).await;
    assert_eq!(result["instructions"], by_handshake["result"]["instructions"]);
}

/// wire contract 4
#[tokio::test]
async fn one_process_serves_a_probe_a_handshake_and_then_both_eras() {
    let mut client = Client::modern(Memory::new());
    client.ask("server/discover", json!({})).await;
    client.handshake(LEGACY).await;
    let modern = client.ask("tools/list", json!({})).await;
    assert_eq!(modern["result"]["resultType"], "complete");
    client.send(&json!({"jsonrpc": "2.0", "id": 90, "method": "tools/list"})).await;
    let legacy = client.answer_to(90).await;
    assert!(legacy["result"].get("resultType").is_none());
    assert_eq!(legacy["result"]["tools"], modern["result"]["tools"]);
}

#[tokio::test]
async fn a_request_that_says_neither_is_told_what_it_lacks_and_the_server_stays() {
    let mut client = Client::on(serve(Memory::new()).0);
    let answer = client.ask("tools/list", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().unwrap().contains("protocolVersion"), "{answer}");
    client.handshake(LEGACY).await;
    assert!(client.ask("tools/list", json!({})).await["result"]["tools"].is_array());
}

/// wire contract 7
#[tokio::test]
async fn what_was_removed_with_the_handshake_is_gone_without_it() {
    let mut client = Client::modern(Memory::new());
    client.ask("tools/list", json!({})).await;
    for method in ["ping", "logging/setLevel", "resources/subscribe", "completion/nothing", "skills/nothing"] {
        let params = json!({"uri": "skill://tea/SKILL.md", "level": "info"});
        assert_eq!(client.ask(method, params).await["error"]["code"], -32601, "{method}");
    }
    let mut client = Client::legacy(Memory::new()).await;
    assert_eq!(client.ask("ping", json!({})).await["result"], json!({}));
}

/// wire contract 28
#[tokio::test]
async fn the_tools_are_those_of_the_specification() {
    let mut client = Client::modern(Memory::new());
    let answer = client.ask("tools/list", json!({})).await;
    insta::assert_json_snapshot!(answer["result"]["tools"]);
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"], answer["result"]["tools"]);
}

/// wire contract 29
#[tokio::test]
async fn skills_are_listed_by_id_with_exactly_three_fields() {
    let mut client = Client::legacy(Memory::new()).await;
    let answer = client.ask("tools/call", json!({"name": "list_skills", "arguments": {"dummy": true}})).await;
    let rows: Value = serde_json::from_str(text(&answer)).unwrap();
    assert_eq!(
        rows,
        json!([
            {"id": "coffee", "name": "coffee", "description": "Brews coffee."},
            {"id": "tea", "name": "tea", "description": "Brews tea."},
            {"id": "water", "name": "Water for People", "description": "Pours water."},
        ])
    );
    assert_eq!(answer["result"]["structuredContent"], json!({"skills": rows}));
    assert_eq!(answer["result"]["isError"], false);
}

/// wire contract 30
#[tokio::test]
async fn a_skill_comes_with_its_path_and_its_body_as_it_is_on_the_disk_now() {
    let host = Memory::new();
    let mut client = Client::legacy(host.clone()).await;
    let ask = json!({"name": "get_skill", "arguments": {"id": "tea"}});
    let answer = client.ask("tools/call", ask.clone()).await;
    let skill: Value = serde_json::from_str(text(&answer)).unwrap();
    assert_eq!(
        skill,
        json!({
            "path": Path::new("/memory/tea").join("SKILL.md"),
            "name": "tea",
            "description": "Brews tea.",
            "content": "# Tea\n\nSee references/green tea.md.\n",
        })
    );
    assert_eq!(answer["result"]["structuredContent"], skill);

    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews tea.\n---\nBoil it.\n");
    let answer = client.ask("tools/call", ask).await;
    assert_eq!(answer["result"]["structuredContent"]["content"], "Boil it.\n");
}

/// wire contract 31
#[tokio::test]
async fn an_id_that_is_not_there_is_answered_to_the_model_with_those_that_are_near() {
    let host = Memory::new();
    host.enable("coffee", false);
    let mut client = Client::modern(host);
    for (arguments, sentence) in [
        (json!({"id": "tee"}), "No skill has the id \"tee\". Did you mean tea? Call list_skills to see every skill."),
        (
            json!({"id": "../tea"}),
            "No skill has the id \"../tea\". Did you mean tea? Call list_skills to see every skill.",
        ),
        (json!({"id": ""}), "No skill has the id \"\". Call list_skills to see every skill."),
        (json!({"id": "coffee"}), "No skill has the id \"coffee\". Call list_skills to see every skill."),
        (json!({"id": 7}), "get_skill needs the id of a skill. Call list_skills to see the ids."),
        (json!({}), "get_skill needs the id of a skill. Call list_skills to see the ids."),
    ] {
        let answer = client.ask("tools/call", json!({"name": "get_skill", "arguments": arguments})).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(text(&answer), sentence);
    }
    let unknown = client.ask("tools/call", json!({"name": "read_skill_file"})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn a_disabled_skill_is_nowhere_and_comes_back_whole() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    for (on, times) in [(false, 0), (true, 4)] {
        host.enable("tea", on);
        let rows = client.ask("tools/call", json!({"name": "list_skills"})).await;
        assert_eq!(text(&rows).contains("\"tea\""), on);
        let skill = client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}})).await;
        assert_eq!(skill["result"]["isError"], !on);
        let list = client.ask("resources/list", json!({})).await;
        assert_eq!(list.to_string().matches("skill://tea/").count(), times);
        let read = client.ask("resources/read", json!({"uri": "skill://tea/SKILL.md"})).await;
        assert_eq!(read.get("result").is_some(), on);
    }
}

#[tokio::test]
async fn while_paused_lists_are_empty_and_calls_answer_one_sentence() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    host.pause(true);
    for (method, list) in [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ] {
        assert_eq!(client.ask(method, json!({})).await["result"][list], json!([]), "{method}");
    }
    let sentence = "Skilltender is paused. Resume it in its window or in its tray menu, then try again.";
    let call = client.ask("tools/call", json!({"name": "list_skills"})).await;
    assert_eq!((text(&call), &call["result"]["isError"]), (sentence, &json!(true)));
    let read = client.ask("resources/read", json!({"uri": "skill://tea/SKILL.md"})).await;
    assert_eq!(read["error"]["message"], sentence);
    let prompt = client.ask("prompts/get", json!({"name": "init-skills"})).await;
    assert_eq!(prompt["error"]["message"], sentence);
}

#[tokio::test]
async fn the_end_of_the_stream_answers_what_is_open_and_closes() {
    for end in ["", "end"] {
        let (stream, server) = serve(Memory::new());
        let mut client = Client::on(stream).without_handshake();
        let listening =
            client.request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
        assert_eq!(told(&client.next().await.unwrap()), "subscriptions/acknowledged");
        let asked = client.request("tools/list", json!({})).await;
        if end.is_empty() {
            client.close().await;
        } else {
            client.send_line(end).await;
        }
        let mut answered = Vec::new();
        while let Some(message) = client.next().await {
            answered.extend(message["id"].as_u64());
        }
        answered.sort_unstable();
        assert_eq!(answered, [listening, asked]);
        server.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn the_host_notes_the_connection_every_call_and_the_end() {
    let host = Memory::new();
    let (stream, server) = serve(host.clone());
    let mut client = Client::on(stream);
    client.handshake(LEGACY).await;
    client.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": "a secret"}})).await;
    client.ask("resources/read", json!({"uri": "skill://tea/SKILL.md"})).await;
    client.close().await;
    server.await.unwrap().unwrap();

    let notes = host.notes();
    let Some(ClientEvent::Connected { caller, peer, .. }) = notes.first() else { panic!("{notes:?}") };
    assert_eq!((caller, peer), (&me(), &tester(LEGACY, Transport::Stdio)));
    assert_eq!(notes.last(), Some(&ClientEvent::Disconnected { caller: me() }));
    let calls: Vec<_> = notes
        .iter()
        .filter_map(|note| match note {
            ClientEvent::Called { surface, method, target, ok, bytes_in, bytes_out, .. } => {
                Some((*surface, method.as_str(), target.as_str(), *ok, *bytes_in, *bytes_out > 0))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        calls,
        [
            (Surface::Tools, "tools/call", "get_skill", false, 50, true),
            (Surface::Resources, "resources/read", "skill://tea/SKILL.md", true, 30, true),
        ]
    );
    assert!(!format!("{notes:?}").contains("a secret"));
}

#[tokio::test]
async fn the_first_call_is_answered_as_directly_as_each_later_one() {
    let host = Memory::new();
    let (stream, server) = serve(host.clone());
    let mut client = Client::on(stream);
    let hello =
        json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}});
    // All at once: each is there before anybody can have handled the one before.
    let hello = client.message("initialize", hello);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let first = client.message("tools/call", json!({"name": "list_skills"}));
    client.send_line(&format!("{hello}\n{initialized}\n{first}")).await;
    let [greeted, first] = [client.next().await.unwrap(), client.next().await.unwrap()];
    assert_eq!(greeted["result"]["protocolVersion"], LEGACY, "{greeted}");
    let later = client.ask("tools/call", json!({"name": "list_skills"})).await;
    assert_eq!(first["result"], later["result"]);
    client.close().await;
    server.await.unwrap().unwrap();

    // A call through rmcp notes the size of its result alone, a direct answer that of the message.
    let notes = host.notes();
    let written = notes.iter().filter_map(|note| match note {
        ClientEvent::Called { bytes_out, .. } => Some(*bytes_out),
        _ => None,
    });
    let written: Vec<_> = written.collect();
    assert_eq!(written[0], written[1], "{written:?}");
}

#[tokio::test]
async fn a_call_for_a_skill_is_noted_with_its_id_and_with_nothing_that_is_none() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    for (unusual, id) in [(false, "tea"), (true, "coffee"), (false, "a secret"), (true, "a secret")] {
        let mut message =
            client.message("tools/call", json!({"name": "get_skill", "arguments": {"id": id, "x": "also"}}));
        if unusual {
            // Answered by rmcp.
            message["also"] = json!(true);
        }
        client.send(&message).await;
        client.answer_to(message["id"].as_u64().unwrap()).await;
    }
    let notes = host.notes();
    let skills = notes.iter().filter_map(|note| match note {
        ClientEvent::Called { skill, .. } => Some(skill.as_deref()),
        _ => None,
    });
    assert_eq!(skills.collect::<Vec<_>>(), [Some("tea"), Some("coffee"), None, None]);
    let why = notes.iter().filter_map(|note| match note {
        ClientEvent::Called { why, .. } => Some(*why),
        _ => None,
    });
    let not_there = Some(CallTrouble::NotThere);
    assert_eq!(why.collect::<Vec<_>>(), [None, None, not_there, not_there], "a kind, and no words");
    assert!(!format!("{notes:?}").contains("secret") && !format!("{notes:?}").contains("also"));
}

#[tokio::test]
async fn the_host_learns_what_a_client_can_do_in_both_eras() {
    let capabilities = json!({"roots": {}, "extensions": {"io.modelcontextprotocol/skills": {}}});
    let client = json!({"name": "tea-cli", "title": "Tea", "version": "2.1"});
    for (protocol, modern) in [(MODERN, true), (LEGACY, false)] {
        let host = Memory::new();
        let (stream, _server) = serve(host.clone());
        let mut talk = Client::on(stream);
        if modern {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": protocol,
                "io.modelcontextprotocol/clientInfo": client,
                "io.modelcontextprotocol/clientCapabilities": capabilities,
            });
            talk.ask("tools/list", json!({ "_meta": meta })).await;
        } else {
            let hello = json!({"protocolVersion": protocol, "capabilities": capabilities, "clientInfo": client});
            talk.ask("initialize", hello).await;
        }
        let notes = host.notes();
        let Some(ClientEvent::Connected { peer, .. }) = notes.first() else { panic!("{notes:?}") };
        assert_eq!((peer.name.as_deref(), peer.version.as_deref()), (Some("Tea"), Some("2.1")));
        assert_eq!(peer.capabilities, ["roots", "skills"]);
        assert_eq!((peer.protocol.as_str(), peer.transport), (protocol, Transport::Stdio));
    }
}
