//! Another server's prompts and resources on the wire: listed after ours, and passed on unchanged.

use std::sync::Arc;

use mcp::{
    Listed, ListedResources, Offered, OfferedPrompt, OfferedResources, OfferedServer, Surfaces, Taken, our_name,
};
use serde_json::{Value, json, value::RawValue};

use crate::{
    client::{Client, both, uris},
    gateway::host_of,
    memory::Memory,
};

fn prompt(name: &str, described: &str) -> OfferedPrompt {
    let arguments = json!([{"name": "cups", "description": "How many", "required": true}]);
    let json = json!({"name": name, "title": "Brew", "description": described, "arguments": arguments});
    let json = RawValue::from_string(json.to_string()).unwrap();
    OfferedPrompt::new(&our_name("pot", name), &Listed { name: name.to_owned(), json }).unwrap()
}

fn server(prompts: Vec<OfferedPrompt>) -> OfferedServer {
    OfferedServer { name: "pot".to_owned(), listed: true, prompts: Arc::new(prompts), resources: Arc::default() }
}

fn offered(server: OfferedServer) -> Offered {
    Offered { servers: Arc::new(vec![server]), ..Offered::default() }
}

async fn prompts(client: &mut Client) -> Vec<Value> {
    client.ask("prompts/list", json!({})).await["result"]["prompts"].as_array().unwrap().clone()
}

fn names(prompts: &[Value]) -> Vec<&str> {
    prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn prompts_of_another_server_stand_after_ours_and_change_aloud() {
    let (host, _played) = host_of(offered(server(vec![prompt("brew", "Brews")]))).await;
    let mut client = Client::legacy(host.clone()).await;
    let listed = prompts(&mut client).await;
    assert_eq!(names(&listed), ["init-skills", "coffee", "tea", "water", "pot__brew"]);
    let arguments = json!([{"name": "cups", "description": "How many", "required": true}]);
    let expected = json!({"name": "pot__brew", "title": "Brew", "description": "Brews", "arguments": arguments});
    assert_eq!(listed[4], expected);
    host.offer(host.gateway(), offered(server(vec![prompt("brew", "Brews better")])));
    client.hears(&["prompts/list_changed"]).await;
    // An unlisted prompt may be requested, and its changes are not announced.
    let unlisted = OfferedServer { listed: false, ..server(vec![prompt("brew", "Brews better")]) };
    host.offer(host.gateway(), offered(unlisted.clone()));
    client.hears(&["prompts/list_changed"]).await;
    assert_eq!(names(&prompts(&mut client).await), ["init-skills", "coffee", "tea", "water"]);
    host.offer(host.gateway(), offered(OfferedServer { prompts: Arc::default(), ..unlisted }));
    client.hears(&[]).await;
}

#[tokio::test]
async fn a_long_list_of_prompts_comes_in_pages_and_each_prompt_once() {
    let many = (0..450).map(|number| prompt(&format!("p{number:03}"), "One of many"));
    let (host, _played) = host_of(offered(server(many.rev().collect()))).await;
    let mut client = Client::modern(host);
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let params = cursor.map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
        let page = client.ask("prompts/list", params).await["result"].clone();
        all.extend(page["prompts"].as_array().unwrap().clone());
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert_eq!(all.len(), 4 + 450);
    assert_eq!((&all[4]["name"], &all[453]["name"]), (&json!("pot__p000"), &json!("pot__p449")));
}

#[tokio::test]
async fn a_prompt_and_its_arguments_pass_untouched_to_clients_of_both_eras() {
    let (host, mut played) = host_of(offered(server(vec![prompt("brew", "Brews")]))).await;
    for (mut client, modern) in both(&host).await.into_iter().zip([true, false]) {
        client.ask("prompts/list", json!({})).await;
        let message = client.message("prompts/get", json!({"name": "pot__brew", "arguments": {}}));
        let line = message.to_string().replace(r#""arguments":{}"#, r#""arguments":{"cups": "\u0032"}"#);
        client.send_line(&line).await;
        let (asked, line) = played.hears().await;
        assert_eq!((&asked["method"], &asked["params"]["name"]), (&json!("prompts/get"), &json!("brew")));
        assert!(line.contains(r#""arguments":{"cups": "\u0032"}"#), "{line}");
        let said = r#"{"messages":[{"role":"user","content":{"type":"of tomorrow","n":1.10}}],"later":true}"#;
        played.answers(&asked, said).await;
        let answer = client.answer_to(message["id"].as_u64().unwrap()).await;
        assert_eq!(answer["result"]["messages"][0]["content"], json!({"type": "of tomorrow", "n": 1.10}));
        assert_eq!(answer["result"]["later"], true);
        assert_eq!(answer["result"].get("resultType").is_some(), modern, "{answer}");
    }
}

#[tokio::test]
async fn a_prompt_of_ours_keeps_its_name_and_an_unknown_one_is_refused() {
    let (host, _played) = host_of(offered(server(vec![prompt("brew", "Brews")]))).await;
    host.write("pot__brew", "SKILL.md", b"---\nname: pot__brew\ndescription: Ours.\n---\nOurs.\n");
    for mut client in both(&host).await {
        let listed = prompts(&mut client).await;
        assert_eq!(names(&listed), ["init-skills", "coffee", "pot__brew", "tea", "water"]);
        assert_eq!(listed[2]["description"], "Ours.");
        let ours = client.ask("prompts/get", json!({"name": "pot__brew"})).await;
        assert!(ours["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("Ours."));
        let unknown = client.ask("prompts/get", json!({"name": "pot__stir"})).await;
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    }
}

#[tokio::test]
async fn what_could_stand_in_an_argument_of_a_prompt_its_server_says() {
    let (host, mut played) = host_of(offered(server(vec![prompt("brew", "Brews")]))).await;
    let mut client = Client::legacy(host.clone()).await;
    let all = Surfaces { tools: true, prompts: true, resources: true, skills: true };
    host.open(Surfaces { resources: false, ..all });
    let of = |name: &str| {
        json!({"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "cups", "value": "t"},
            "context": {"arguments": {"kind": "oolong"}}})
    };
    let id = client.request("completion/complete", of("pot__brew")).await;
    let (asked, _) = played.hears().await;
    assert_eq!(asked["params"], of("brew"));
    played.answers(&asked, r#"{"completion":{"values":["two","ten"],"total":2}}"#).await;
    assert_eq!(client.answer_to(id).await["result"]["completion"]["values"], json!(["two", "ten"]));
    let nothing = client.ask("completion/complete", of("tea")).await;
    assert_eq!(nothing["result"]["completion"]["values"], json!([]));
    host.open(Surfaces { prompts: false, ..all });
    let nothing = client.ask("completion/complete", of("pot__brew")).await;
    assert_eq!(nothing["result"]["completion"]["values"], json!([]), "its server is not asked");
}

fn listed(key: &str, uris: &[&str]) -> Vec<Listed> {
    let json = |uri: &str| {
        let json = json!({key: uri, "name": format!("The {uri}"), "mimeType": "text/plain"});
        RawValue::from_string(json.to_string()).unwrap()
    };
    uris.iter().map(|uri| Listed { name: (*uri).to_owned(), json: json(uri) }).collect()
}

/// Servers with resources at these URIs and from these templates.
fn with_resources(servers: &[(&str, &[&str], &[&str])]) -> Offered {
    let mut taken = Taken::default();
    let mut offered = |(name, resources, templates): &(&str, &[&str], &[&str])| {
        let said = ListedResources { resources: listed("uri", resources), templates: listed("uriTemplate", templates) };
        let resources = Arc::new(OfferedResources::new(name, &said, &mut taken));
        OfferedServer { name: (*name).to_owned(), resources, ..server(Vec::new()) }
    };
    Offered { servers: Arc::new(servers.iter().map(&mut offered).collect()), ..Offered::default() }
}

async fn resources(client: &mut Client) -> Vec<Value> {
    client.ask("resources/list", json!({})).await["result"]["resources"].as_array().unwrap().clone()
}

#[tokio::test]
async fn resources_of_other_servers_stand_after_ours_and_change_aloud() {
    let pot = ("pot", &["leaf://b", "leaf://a", "skill://tea/SKILL.md"][..], &["leaf://{name}"][..]);
    let (host, _played) = host_of(with_resources(&[pot, ("urn", &["leaf://a"], &["leaf://{name}"])])).await;
    let mut client = Client::legacy(host.clone()).await;
    let all = resources(&mut client).await;
    let theirs: Vec<_> = uris(&all).into_iter().skip_while(|uri| *uri != "leaf://a").collect();
    assert_eq!(theirs, ["leaf://a", "leaf://b", "pot+skill://tea/SKILL.md", "urn+leaf://a"]);
    let last = json!({"uri": "urn+leaf://a", "name": "The leaf://a", "mimeType": "text/plain"});
    assert_eq!(all.last().unwrap(), &last);
    let templates = client.ask("resources/templates/list", json!({})).await["result"]["resourceTemplates"].clone();
    let templates: Vec<_> = templates.as_array().unwrap().iter().skip(5).map(|one| &one["uriTemplate"]).collect();
    assert_eq!(templates, ["leaf://{name}", "urn+leaf://{name}"]);

    host.offer(host.gateway(), with_resources(&[("pot", &["leaf://b"], &[])]));
    client.hears(&["resources/list_changed"]).await;
    host.offer(host.gateway(), with_resources(&[("pot", &["leaf://b"], &[])]));
    client.hears(&[]).await;
}

#[tokio::test]
async fn a_long_list_of_resources_comes_in_pages_and_each_resource_once() {
    let many: Vec<_> = (0..450).map(|number| format!("leaf://{number:03}")).collect();
    let many: Vec<_> = many.iter().rev().map(String::as_str).collect();
    let (host, _played) = host_of(with_resources(&[("pot", &many, &[]), ("urn", &["cup://1"], &[])])).await;
    let mut client = Client::modern(host);
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let params = cursor.map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
        let page = client.ask("resources/list", params).await["result"].clone();
        all.extend(page["resources"].as_array().unwrap().clone());
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    let all: Vec<_> = uris(&all).into_iter().skip_while(|uri| *uri != "leaf://000").collect();
    assert_eq!((all.len(), all[449], all[450]), (451, "leaf://449", "cup://1"));
    let unknown = client.ask("resources/list", json!({"cursor": "cmVzb3VyY2VzCm5vbnNlbnNl"})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn a_read_of_what_another_server_has_passes_untouched_to_clients_of_both_eras() {
    let servers = with_resources(&[("pot", &["leaf://a", "skill://x"], &["leaf://{name}"])]);
    let (host, mut played) = host_of(servers).await;
    for (mut client, modern) in both(&host).await.into_iter().zip([true, false]) {
        client.ask("tools/list", json!({})).await;
        // One request goes to rmcp because of an additional field, the other is passed on directly.
        for (uri, own, more) in [
            ("leaf://a", "leaf://a", false),
            ("leaf://not-listed", "leaf://not-listed", false),
            ("pot+skill://x", "skill://x", false),
            ("pot+leaf://b", "leaf://b", true),
        ] {
            let mut message = client.message("resources/read", json!({"uri": uri}));
            if more {
                message["params"]["more"] = json!(1);
            }
            client.send(&message).await;
            let (asked, _) = played.hears().await;
            assert_eq!((&asked["method"], &asked["params"]["uri"]), (&json!("resources/read"), &json!(own)));
            let said = json!({"contents": [{"uri": own, "mimeType": "text/x", "text": "Green"}]});
            played.answers(&asked, &said.to_string()).await;
            let answer = client.answer_to(message["id"].as_u64().unwrap()).await;
            assert_eq!(answer["result"]["contents"], said["contents"], "{answer}");
            for field in ["resultType", "ttlMs", "cacheScope"] {
                assert_eq!(answer["result"].get(field).is_some(), modern, "{answer}");
            }
        }
    }
}

#[tokio::test]
async fn what_nobody_has_or_two_may_have_is_not_found_in_the_words_of_each_era() {
    let servers = [("pot", &[][..], &["leaf://{name}"][..]), ("urn", &["cup://1"], &["leaf://{+path}"])];
    let (host, _played) = host_of(with_resources(&servers)).await;
    for (mut client, code) in both(&host).await.into_iter().zip([-32602, -32002]) {
        client.ask("tools/list", json!({})).await;
        for uri in ["leaf://either", "cup://2", "urn+cup://2", "tin+cup://1", "skill://cup", "resource://docs/none.md"]
        {
            let answer = client.ask("resources/read", json!({"uri": uri})).await;
            assert_eq!(answer["error"]["code"], code, "{uri} {answer}");
            assert_eq!(answer["error"]["data"]["uri"], uri);
        }
    }
}

#[tokio::test]
async fn an_answer_that_says_its_kind_does_not_say_it_to_older_clients() {
    let (host, mut played) = host_of(with_resources(&[("pot", &["leaf://a"], &[])])).await;
    for (mut client, modern) in both(&host).await.into_iter().zip([true, false]) {
        client.ask("tools/list", json!({})).await;
        let id = client.request("resources/read", json!({"uri": "leaf://a"})).await;
        let (asked, _) = played.hears().await;
        let said = r#"{"resultType":"complete","ttlMs":9,"cacheScope":"public","contents":[],"later":1}"#;
        played.answers(&asked, said).await;
        let expected = if modern { serde_json::from_str(said).unwrap() } else { json!({"contents": [], "later": 1}) };
        assert_eq!(client.answer_to(id).await["result"], expected);
    }
}

async fn is_watched(host: &Memory, uris: &[&str]) {
    let since = std::time::Instant::now();
    while host.watched() != uris {
        assert!(since.elapsed().as_secs() < 20, "{:?}", host.watched());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_watches_a_resource_of_another_server_hears_of_it_under_the_uri_that_it_knows() {
    let offered = with_resources(&[("pot", &["leaf://a", "skill://x"], &[])]);
    let (host, _played) = host_of(offered).await;
    let mut client = Client::legacy(host.clone()).await;
    client.ask("resources/subscribe", json!({"uri": "pot+skill://x"})).await;
    is_watched(&host, &["skill://x"]).await;
    host.update("skill://x");
    host.update("leaf://a");
    client.hears(&["resources/updated pot+skill://x"]).await;
    client.ask("resources/unsubscribe", json!({"uri": "pot+skill://x"})).await;
    is_watched(&host, &[]).await;
    host.update("skill://x");
    client.hears(&[]).await;

    let mut client = Client::modern(host.clone());
    let filter = json!({"resourceSubscriptions": ["leaf://a", "skill://tea/SKILL.md"]});
    let id = client.request("subscriptions/listen", json!({"notifications": filter})).await;
    client.hears(&["subscriptions/acknowledged"]).await;
    is_watched(&host, &["leaf://a"]).await;
    host.update("leaf://a");
    host.update("skill://x");
    client.hears(&["resources/updated leaf://a"]).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    is_watched(&host, &[]).await;

    // A client that leaves stops watching; a subscription from before the server was there takes effect once it is.
    host.offer(host.gateway(), with_resources(&[]));
    let mut client = Client::legacy(host.clone()).await;
    client.ask("resources/subscribe", json!({"uri": "leaf://a"})).await;
    host.offer(host.gateway(), with_resources(&[("pot", &["leaf://a"], &[])]));
    is_watched(&host, &["leaf://a"]).await;
    drop(client);
    is_watched(&host, &[]).await;
}
