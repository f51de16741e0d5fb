//! Listing and reading resources.

use serde_json::{Value, json};

use crate::{client::Client, memory::Memory};

#[tokio::test]
async fn only_skills_that_pass_strictly_are_resources_and_every_file_of_them_is() {
    let mut client = Client::legacy(Memory::new()).await;
    let answer = client.ask("resources/list", json!({})).await;
    insta::assert_json_snapshot!(answer["result"]);
    let templates = client.ask("resources/templates/list", json!({})).await;
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap().iter();
    let uris: Vec<_> = templates.map(|template| template["uriTemplate"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        [
            "resource://catalog/skills/{skill_id}",
            "resource://skills/{skill_id}/document",
            "resource://skills/{skill_id}/references/{ref_id}",
            "resource://docs/{path*}",
            "skill://{+path}",
        ]
    );
}

#[tokio::test]
async fn a_file_of_a_skill_within_a_skill_is_listed_once() {
    let host = Memory::new();
    host.write("tea/green", "SKILL.md", b"---\nname: green\ndescription: Brews green tea.\n---\n");
    host.write("tea", "green/SKILL.md", b"---\nname: green\ndescription: Brews green tea.\n---\n");
    host.write("tea", "greenhouse.md", b"Not part of it.");
    let mut client = Client::modern(host.clone());
    let uris = |answer: &Value| -> Vec<String> {
        let resources = answer["result"]["resources"].as_array().unwrap().iter();
        resources.map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
    };
    let listed = uris(&client.ask("resources/list", json!({})).await);
    assert_eq!(
        listed.iter().filter(|uri| uri.starts_with("skill://tea/green/")).collect::<Vec<_>>(),
        ["skill://tea/green/SKILL.md"]
    );
    assert!(listed.contains(&"skill://tea/greenhouse.md".to_owned()));

    host.enable("green", false);
    // Its document is gone; its SKILL.md is still a file of the outer skill.
    assert_eq!(uris(&client.ask("resources/list", json!({})).await).len(), listed.len() - 1);
    let read = client.ask("resources/read", json!({"uri": "skill://tea/green/SKILL.md"})).await;
    assert!(read.get("result").is_some(), "it is still a file of the outer skill");
}

#[tokio::test]
async fn files_are_read_byte_for_byte() {
    let mut client = Client::modern(Memory::new());
    for (uri, mime, field, content) in [
        ("skill://tea/references/green%20tea.md", "text/markdown", "text", "\u{feff}Seventy degrees.\r\n"),
        ("skill://tea/assets/leaf.png", "image/png", "blob", "iVBOR//+"),
        ("skill://tea/scripts/brew", "text/plain", "text", "#!/bin/sh\n"),
        (
            "skill://team/coffee/SKILL.md",
            "text/markdown",
            "text",
            "---\nname: coffee\ndescription: Brews coffee.\n---\nGrind it.\n",
        ),
    ] {
        let answer = client.ask("resources/read", json!({"uri": uri})).await;
        let contents = &answer["result"]["contents"][0];
        assert_eq!(contents, &json!({"uri": uri, "mimeType": mime, field: content}), "{answer}");
    }
}

#[tokio::test]
async fn a_file_that_no_skill_has_is_not_found_in_the_words_of_each_era() {
    for uri in ["skill://nope/SKILL.md", "skill://tea/../tea/SKILL.md", "skill://water/SKILL.md", "file:///etc/passwd"]
    {
        let modern = Client::modern(Memory::new()).ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(modern["error"]["code"], -32602, "{uri}");
        let legacy = Client::legacy(Memory::new()).await.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(legacy["error"]["code"], -32002, "{uri}");
    }
}

#[tokio::test]
async fn a_long_list_comes_in_pages_and_every_resource_once() {
    let mut client = Client::modern(Memory::of(450));
    let mut uris = Vec::new();
    let mut params = json!({});
    loop {
        let answer = client.ask("resources/list", params).await;
        let page = answer["result"]["resources"].as_array().unwrap();
        assert!(page.len() <= 200);
        uris.extend(page.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()));
        let Some(cursor) = answer["result"]["nextCursor"].as_str() else { break };
        params = json!({"cursor": cursor});
    }
    let of_skill = |number: usize| {
        let id = format!("skill-{number:04}");
        [format!("resource://skills/{id}/document"), format!("skill://{id}/SKILL.md")]
    };
    let first = ["resource://catalog/skills_index", "skill://index.json"].map(str::to_owned);
    let all = first.into_iter().chain((0..450).flat_map(of_skill));
    assert_eq!(uris, all.collect::<Vec<_>>());
    for cursor in ["garbage", "", "%%%", "dGVh"] {
        assert_eq!(client.ask("resources/list", json!({"cursor": cursor})).await["error"]["code"], -32602, "{cursor}");
    }
}
