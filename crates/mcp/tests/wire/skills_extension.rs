//! SEP-2640 on the wire: `skills/list`, `skills/get` and `resources/directory/read`, in both eras.
//! The numbers are those of the statements in docs/wire-contract.md.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use mcp::FileDigest;
use serde_json::{Value, json};

use crate::{
    client::{Client, MODERN, both, uris},
    memory::Memory,
};

async fn list(client: &mut Client) -> Vec<Value> {
    let answer = client.ask("skills/list", json!({})).await;
    answer["result"]["skills"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

async fn get(client: &mut Client, uri: &str) -> Value {
    client.ask("skills/get", json!({"uri": uri})).await["result"]["skill"].clone()
}

/// The bytes of a URI.
async fn bytes(client: &mut Client, uri: &str) -> Vec<u8> {
    let answer = client.ask("resources/read", json!({"uri": uri})).await;
    let contents = &answer["result"]["contents"][0];
    match (contents["text"].as_str(), contents["blob"].as_str()) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(blob)) => BASE64_STANDARD.decode(blob).unwrap(),
        _ => panic!("{answer}"),
    }
}

/// wire contract 16
#[tokio::test]
async fn every_listed_digest_is_that_of_a_fresh_read() {
    let host = Memory::new();
    for mut client in both(&host).await {
        let skills = list(&mut client).await;
        assert_eq!(uris(&skills), ["skill://team/coffee/SKILL.md", "skill://tea/SKILL.md"]);
        for skill in &skills {
            let name = skill["frontmatter"]["name"].as_str().unwrap();
            let uri = skill["uri"].as_str().unwrap();
            assert!(uri.ends_with(&format!("/{name}/SKILL.md")) && skills::is_kebab_case(name), "{uri}");
            let files = skill["resources"].as_array().unwrap();
            assert!(files.iter().any(|file| file["uri"] == uri), "{skill}");
            for file in files {
                let digest = FileDigest::of(&bytes(&mut client, file["uri"].as_str().unwrap()).await, false);
                assert_eq!(file["digest"], digest.to_string());
                assert_eq!(file["size"], digest.size);
            }
        }
    }
}

/// wire contract 17
#[tokio::test]
async fn the_frontmatter_is_what_the_author_wrote() {
    let host = Memory::new();
    let text = "---\r\nname: wine\r\ndescription: ' Pours wine. '\r\nlicense: MIT\r\nmetadata:\r\n  version: 1.10\r\n  \
                since: 2026-04-16\r\n  cold: yes\r\nx-personal-mcp:\r\n  id: wine\r\n  version: 1.0.0\r\n  \
                capabilities: [resource://skills/wine/document]\r\nrequires-mcp-servers:\r\n  - cellar\r\n---\r\nPour.\r\n";
    host.write("wine", "SKILL.md", text.as_bytes());
    let mut client = Client::modern(host);
    let wine = get(&mut client, "skill://wine/SKILL.md").await;
    assert_eq!(
        wine["frontmatter"],
        json!({
            "name": "wine",
            "description": " Pours wine. ",
            "license": "MIT",
            "metadata": {"version": 1.1, "since": "2026-04-16", "cold": "yes"},
            "x-personal-mcp": {
                "id": "wine",
                "version": "1.0.0",
                "capabilities": ["resource://skills/wine/document"],
            },
            "requires-mcp-servers": ["cellar"],
        })
    );
    assert_eq!(bytes(&mut client, "skill://wine/SKILL.md").await, text.as_bytes());
}

/// wire contract 18
#[tokio::test]
async fn a_skill_by_its_uri_is_its_line_of_the_list_and_nothing_else_is_one() {
    let host = Memory::new();
    for mut client in both(&host).await {
        for skill in list(&mut client).await {
            assert_eq!(get(&mut client, skill["uri"].as_str().unwrap()).await, skill);
        }
        for uri in [
            "skill://nope/SKILL.md",
            "skill://tea",
            "skill://tea/README.md",
            "skill://tea/references/green%20tea.md",
            "skill://tea/./SKILL.md",
            "skill://t%65a/SKILL.md",
            "skill://water/SKILL.md",
            "resource://skills/tea/document",
            "",
        ] {
            let answer = client.ask("skills/get", json!({"uri": uri})).await;
            assert_eq!(answer["error"]["code"], -32602, "{uri}: {answer}");
        }
    }
}

/// wire contract 19
#[tokio::test]
async fn a_skill_that_is_not_fit_is_left_out_and_harms_no_other() {
    let host = Memory::new();
    let head = |name: &str| format!("---\nname: {name}\ndescription: Pours it.\n---\n");
    host.write("folder", "SKILL.md", head("other").as_bytes());
    host.write("silent", "SKILL.md", b"---\nname: silent\n---\n");
    host.write("wordy", "SKILL.md", format!("---\nname: wordy\ndescription: {}\n---\n", "x".repeat(1025)).as_bytes());
    host.write("broken", "SKILL.md", b"---\nname: [broken\ndescription: \"x\n---\n");
    host.write("loose", "SKILL.md", b"---\nname: loose\ndescription: One: two.\n---\n");
    host.write("marked", "SKILL.md", format!("\u{feff}{}", head("marked")).as_bytes());
    host.write("many", "SKILL.md", head("many").as_bytes());
    (0..512).for_each(|number| host.write("many", &format!("{number}.txt"), b""));
    host.write("large", "SKILL.md", head("large").as_bytes());
    host.write("large", "large.bin", &vec![0; 17 << 20]);
    host.write("enough", "SKILL.md", head("enough").as_bytes());
    (0..511).for_each(|number| host.write("enough", &format!("{number}.txt"), b""));
    for mut client in both(&host).await {
        let expected = ["skill://team/coffee/SKILL.md", "skill://enough/SKILL.md", "skill://tea/SKILL.md"];
        assert_eq!(uris(&list(&mut client).await), expected);
    }
}

/// wire contract 20
#[tokio::test]
async fn odd_names_and_odd_bytes_come_back_as_they_are() {
    let host = Memory::new();
    let names = ["a b.md", "50%.txt", "what?.md", "sharp#.md", "référence/é.md", "a+b&c=d.md", "空.json", "~x", "..x"];
    let contents: [&[u8]; 4] = [b"\xef\xbb\xbfwith a mark", b"one\r\ntwo\r\n", b"\x89PNG\r\n\x00\xff", b""];
    for (at, name) in names.iter().enumerate() {
        host.write("tea", name, contents[at % contents.len()]);
    }
    for mut client in both(&host).await {
        let tea = get(&mut client, "skill://tea/SKILL.md").await;
        assert_eq!(tea["resources"].as_array().unwrap().len(), 4 + names.len());
        for file in tea["resources"].as_array().unwrap() {
            let uri = file["uri"].as_str().unwrap();
            assert!(uri.is_ascii() && !uri.contains([' ', '?', '#']), "{uri}");
            let digest = FileDigest::of(&bytes(&mut client, uri).await, false);
            assert_eq!((&file["digest"], &file["size"]), (&json!(digest.to_string()), &json!(digest.size)));
        }
    }
}

/// wire contract 21
#[tokio::test]
async fn a_nested_skill_has_its_own_line_and_its_files_in_the_outer_one() {
    let host = Memory::new();
    let green = b"---\nname: green\ndescription: Brews green tea.\n---\n";
    for (skill, file) in [("tea/green", "SKILL.md"), ("tea", "green/SKILL.md")] {
        host.write(skill, file, green);
    }
    for (skill, file) in [("tea/green", "notes.md"), ("tea", "green/notes.md")] {
        host.write(skill, file, b"Notes.");
    }
    let mut client = Client::modern(host);
    let skills = list(&mut client).await;
    assert_eq!(uris(&skills), ["skill://team/coffee/SKILL.md", "skill://tea/green/SKILL.md", "skill://tea/SKILL.md"]);
    let inner = uris(skills[1]["resources"].as_array().unwrap());
    assert_eq!(inner, ["skill://tea/green/SKILL.md", "skill://tea/green/notes.md"]);
    let outer = uris(skills[2]["resources"].as_array().unwrap());
    assert!(inner.iter().all(|uri| outer.contains(uri)), "{outer:?}");
}

/// wire contract 22
#[tokio::test]
async fn a_folder_shows_what_stands_directly_in_it() {
    let host = Memory::new();
    host.write("tea", "references/deep/notes.md", b"Notes.");
    host.add_empty_folder("tea/empty");
    for mut client in both(&host).await {
        let listed = client.ask("resources/list", json!({})).await["result"]["resources"].clone();
        let mut read = async |uri: &str| client.ask("resources/directory/read", json!({"uri": uri})).await;
        let tea = read("skill://tea").await["result"]["resources"].clone();
        let tea = tea.as_array().unwrap();
        let expected = [
            "skill://tea/SKILL.md",
            "skill://tea/assets",
            "skill://tea/empty",
            "skill://tea/references",
            "skill://tea/scripts",
        ];
        assert_eq!(uris(tea), expected);
        assert!(listed.as_array().unwrap().contains(&tea[0]), "the same object as in resources/list");
        assert_eq!(
            tea[1],
            json!({"uri": "skill://tea/assets", "name": "assets", "title": "tea/assets", "mimeType": "inode/directory"})
        );
        let references = read("skill://tea/references").await["result"]["resources"].clone();
        let expected = ["skill://tea/references/deep", "skill://tea/references/green%20tea.md"];
        assert_eq!(uris(references.as_array().unwrap()), expected);
        assert!(listed.as_array().unwrap().contains(&references[1]));
        assert_eq!(read("skill://tea/empty").await["result"]["resources"], json!([]));
        for uri in [
            "skill://tea/SKILL.md",
            "skill://tea/",
            "skill://tea/nothing",
            "skill://tea/references/..",
            "skill://tea/%2e%2e",
            "skill://team",
            "skill://water",
            "skill://",
            "resource://docs",
        ] {
            assert_eq!(read(uri).await["error"]["code"], -32602, "{uri}");
        }
    }
}

/// wire contract 23
#[tokio::test]
async fn pages_show_every_skill_every_child_and_every_prompt_once() {
    let host = Memory::of(450);
    (0..450).for_each(|number| host.write("skill-0000", &format!("f{number:03}.md"), b""));
    let mut client = Client::modern(host.clone());
    for (method, field, params, expected) in [
        ("skills/list", "skills", json!({}), 450),
        ("resources/directory/read", "resources", json!({"uri": "skill://skill-0000"}), 451),
        ("prompts/list", "prompts", json!({}), 451),
    ] {
        let mut seen = Vec::new();
        let mut page = params.clone();
        loop {
            let result = client.ask(method, page.clone()).await["result"].clone();
            let items = result[field].as_array().unwrap();
            assert!(items.len() <= 200);
            seen.extend(items.iter().map(|item| item.get("uri").unwrap_or(&item["name"]).to_string()));
            let Some(cursor) = result.get("nextCursor") else { break };
            page["cursor"] = cursor.clone();
        }
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!((seen.len(), once.len()), (expected, expected), "{method}");
    }
    // A page begins at the right place although skills before it are gone.
    let cursor = client.ask("skills/list", json!({})).await["result"]["nextCursor"].clone();
    host.enable("skill-0003", false);
    let next = client.ask("skills/list", json!({"cursor": cursor})).await["result"]["skills"][0]["uri"].clone();
    assert_eq!(next, "skill://skill-0200/SKILL.md");

    let foreign = client.ask("resources/list", json!({})).await["result"]["nextCursor"].clone();
    for cursor in [json!("garbage"), json!(""), json!("%%%"), foreign] {
        for method in
            ["skills/list", "resources/directory/read", "resources/templates/list", "prompts/list", "tools/list"]
        {
            let params = json!({"cursor": cursor, "uri": "skill://skill-0000"});
            assert_eq!(client.ask(method, params).await["error"]["code"], -32602, "{method} {cursor}");
        }
    }
}

/// wire contract 24
#[tokio::test]
async fn an_edit_and_a_new_and_a_removed_file_show_in_the_next_answer() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    let uri = "skill://tea/SKILL.md";
    let before = get(&mut client, uri).await;
    host.write("tea", "scripts/brew", b"#!/bin/bash\n");
    let after = get(&mut client, uri).await;
    assert_ne!(before["resources"], after["resources"]);
    assert_eq!(before["frontmatter"], after["frontmatter"]);
    host.write("tea", "new.md", b"New.");
    let files = |skill: &Value| skill["resources"].as_array().unwrap().len();
    assert_eq!(files(&get(&mut client, uri).await), files(&after) + 1);
    host.remove("tea", "new.md");
    assert_eq!(get(&mut client, uri).await, after);
}

#[tokio::test]
async fn a_skill_md_that_was_written_since_the_catalogue_was_made_is_shown_as_it_is() {
    let host = Memory::new();
    let mut client = Client::modern(host.clone());
    host.freeze_catalog().await;
    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    let tea = get(&mut client, "skill://tea/SKILL.md").await;
    assert_eq!(tea["frontmatter"]["description"], "Brews more tea.");
    let digest = FileDigest::of(&bytes(&mut client, "skill://tea/SKILL.md").await, false);
    assert_eq!(tea["resources"][0]["digest"], digest.to_string());

    host.write("tea", "SKILL.md", b"---\nname: coffee\ndescription: Not tea any more.\n---\n");
    assert_eq!(uris(&list(&mut client).await), ["skill://team/coffee/SKILL.md"]);
}

/// wire contract 25
#[tokio::test]
async fn a_skill_that_is_off_is_absent_and_comes_back() {
    let host = Memory::new();
    for mut client in both(&host).await {
        for on in [false, true] {
            host.enable("tea", on);
            assert_eq!(uris(&list(&mut client).await).contains(&"skill://tea/SKILL.md"), on);
            assert_eq!(get(&mut client, "skill://tea/SKILL.md").await.is_object(), on);
            for (method, uri) in [
                ("resources/directory/read", "skill://tea"),
                ("resources/read", "skill://tea/SKILL.md"),
                ("resources/read", "skill://tea/scripts/brew"),
            ] {
                let answer = client.ask(method, json!({"uri": uri})).await;
                assert_eq!(answer.get("result").is_some(), on, "{method} {uri}");
            }
        }
    }
}

#[tokio::test]
async fn answers_have_the_shape_of_their_era() {
    let host = Memory::new();
    let [mut modern, mut legacy] = both(&host).await;
    for (method, params) in [("skills/list", json!({})), ("skills/get", json!({"uri": "skill://tea/SKILL.md"}))] {
        let new = modern.ask(method, params.clone()).await["result"].clone();
        assert_eq!(
            (&new["resultType"], &new["ttlMs"], &new["cacheScope"]),
            (&json!("complete"), &json!(0), &json!("private"))
        );
        let old = legacy.ask(method, params).await["result"].clone();
        for field in ["resultType", "ttlMs", "cacheScope"] {
            assert!(old.get(field).is_none(), "{method} {field} before {MODERN}");
        }
    }
}

#[tokio::test]
async fn while_paused_the_list_is_empty_and_the_rest_says_so() {
    let host = Memory::new();
    host.pause(true);
    let mut client = Client::modern(host);
    assert_eq!(list(&mut client).await, [] as [Value; 0]);
    for (method, uri) in [("skills/get", "skill://tea/SKILL.md"), ("resources/directory/read", "skill://tea")] {
        let answer = client.ask(method, json!({"uri": uri})).await;
        assert!(answer["error"]["message"].as_str().unwrap().starts_with("Skilltender is paused."), "{answer}");
    }
}
