//! Resources for hosts of the draft (the draft of the skills extension): `skill://index.json`, and packed skills.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use mcp::FileDigest;
use serde_json::{Value, json};

use crate::{client::Client, memory::Memory};

async fn index(client: &mut Client) -> Value {
    let answer = client.ask("resources/read", json!({"uri": "skill://index.json"})).await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!(contents["mimeType"], "application/json");
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
}

async fn packed(client: &mut Client, uri: &str) -> Option<Vec<u8>> {
    let answer = client.ask("resources/read", json!({"uri": uri})).await;
    let contents = answer.get("result")?["contents"][0].clone();
    assert_eq!((&contents["mimeType"], contents.get("text")), (&json!("application/gzip"), None));
    Some(BASE64_STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap())
}

/// wire contract 26
#[tokio::test]
async fn the_index_has_every_published_skill_with_its_frontmatter_and_digest() {
    let host = Memory::new();
    for mut client in [Client::modern(host.clone()), Client::legacy(host.clone()).await] {
        let digest = |bytes: &[u8]| FileDigest::of(bytes, false).to_string();
        assert_eq!(
            index(&mut client).await,
            json!({"skills": [
                {
                    "frontmatter": {"name": "tea", "description": "Brews tea."},
                    "url": "skill://tea/SKILL.md",
                    "digest": digest(host.bytes("tea", "SKILL.md").as_slice()),
                },
                {
                    "frontmatter": {"name": "coffee", "description": "Brews coffee."},
                    "url": "skill://team/coffee/SKILL.md",
                    "digest": digest(host.bytes("team/coffee", "SKILL.md").as_slice()),
                },
            ]})
        );
        assert!(packed(&mut client, "skill://tea.tar.gz").await.is_none(), "off unless it is switched on");
    }
}

/// wire contract 26
/// What GNU's and BSD's `tar` make of it: Windows' own knows other words.
#[cfg(unix)]
#[tokio::test]
async fn a_packed_skill_is_the_same_twice_and_unpacks_to_the_folder() {
    use std::{fs, process::Command};

    let host = Memory::new();
    host.offer_archives(true);
    host.write("tea", "references/d\u{e9}j\u{e0} vu/50%.md", b"Again.");
    let mut client = Client::modern(host.clone());
    let tea = index(&mut client).await["skills"][0].clone();
    let archive = &tea["archives"][0];
    assert_eq!((&archive["url"], &archive["mimeType"]), (&json!("skill://tea.tar.gz"), &json!("application/gzip")));
    let bytes = packed(&mut client, "skill://tea.tar.gz").await.unwrap();
    assert_eq!(archive["digest"], FileDigest::of(&bytes, false).to_string());
    assert_eq!(packed(&mut client, "skill://tea.tar.gz").await.unwrap(), bytes);
    assert_eq!(bytes[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], "neither a time nor a system");

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tea.tar.gz"), &bytes).unwrap();
    let tar = |arguments: &[&str]| {
        let output = Command::new("tar").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let listed = tar(&["--numeric-owner", "--utc", "--quoting-style=literal", "-tvzf", "tea.tar.gz"]);
    for line in listed.lines() {
        let mode = if line.contains("scripts/") { "-rwxr-xr-x" } else { "-rw-r--r--" };
        assert!(line.starts_with(&format!("{mode} 0/0 ")) && line.contains(" 1970-01-01 00:00 "), "{line}");
    }
    fs::create_dir(folder.path().join("tea")).unwrap();
    tar(&["-xzf", "tea.tar.gz", "-C", "tea"]);
    let files = host.files("tea");
    assert_eq!(listed.lines().count(), files.len());
    for (path, content) in files {
        assert_eq!(fs::read(folder.path().join("tea").join(&path)).unwrap(), content, "{path}");
    }

    host.write("tea", "SKILL.md", b"---\nname: tea\ndescription: Brews more tea.\n---\n");
    let now = index(&mut client).await["skills"][0]["archives"][0]["digest"].clone();
    assert_ne!(now, archive["digest"]);
    assert_eq!(now, FileDigest::of(&packed(&mut client, "skill://tea.tar.gz").await.unwrap(), false).to_string());
    host.enable("tea", false);
    assert!(packed(&mut client, "skill://tea.tar.gz").await.is_none());
}

#[tokio::test]
async fn a_path_too_long_for_the_format_leaves_the_skill_unpacked_and_says_so() {
    let host = Memory::new();
    host.offer_archives(true);
    host.write("tea", &format!("{}.md", "x".repeat(120)), b"");
    let mut client = Client::modern(host);
    let index = index(&mut client).await;
    assert!(index["skills"][0].get("archives").is_none() && index["skills"][1].get("archives").is_some(), "{index}");
    assert!(packed(&mut client, "skill://tea.tar.gz").await.is_none());
    let listed = client.ask("resources/list", json!({})).await.to_string();
    assert!(!listed.contains("skill://tea.tar.gz") && listed.contains("skill://team/coffee.tar.gz"));
    let record = client.ask("resources/read", json!({"uri": "resource://catalog/skills/tea"})).await.to_string();
    assert!(record.contains("too long for the packed form"), "{record}");
}
