//! Skills as the vendor of a client ships them next to the user's own (decision 18): a proprietary licence in one long
//! line, schemas in nested folders, scripts, fonts and other binaries. Everything here is made up; only the shape is
//! tested.

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use mcp::FileDigest;
use serde_json::{Value, json};

use crate::{
    client::{Client, both},
    memory::Memory,
};

const IDS: [&str; 4] = ["docx", "pdf", "pptx", "xlsx"];

/// The usual library with the made-up vendor skills added.
fn library() -> Arc<Memory> {
    let host = Memory::new();
    for id in IDS {
        let licence =
            format!("Proprietary. LICENSE.txt has complete terms. {}", "All rights are reserved. ".repeat(60));
        let description = format!(
            "Use this skill whenever a .{id} file is involved: 'reading', \"creating\" or editing it. Triggers include: \
             any mention of {id}; do NOT use it for other files."
        );
        let head = format!("---\nname: {id}\ndescription: {}\nlicense: {licence}\n---\n", json!(description));
        host.write(id, "SKILL.md", format!("{head}\n# {id}\n\nRun `python scripts/pack.py`.\n").as_bytes());
        host.write(id, "LICENSE.txt", licence.as_bytes());
        host.write(id, "scripts/__init__.py", b"");
        host.write(id, "scripts/pack.py", b"#!/usr/bin/env python3\nprint('pack')\n");
        for schema in
            ["ecma/fouth-edition/opc-contentTypes.xsd", "iso-29500_2016/dml-main.xsd", "microsoft/wml-2010.xsd"]
        {
            let xml = format!("<?xml version=\"1.0\"?>\r\n<xs:schema id=\"{schema}\"/>\r\n");
            host.write(id, &format!("ooxml/schemas/{schema}"), xml.as_bytes());
        }
        host.write(id, "fonts/Sans-Bold.ttf", &[0, 1, 0, 0, 0xff, 0xfe, 0x80]);
        host.write(id, &format!("templates/blank.{id}"), b"PK\x03\x04\x14\x00\xff\xff");
    }
    host
}

async fn bytes(client: &mut Client, uri: &str) -> (Vec<u8>, String) {
    let contents = client.ask("resources/read", json!({"uri": uri})).await["result"]["contents"][0].clone();
    let mime = contents["mimeType"].as_str().unwrap().to_owned();
    match contents["text"].as_str() {
        Some(text) => (text.as_bytes().to_vec(), mime),
        None => (BASE64_STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap(), mime),
    }
}

#[tokio::test]
async fn they_stand_beside_custom_skills_on_every_surface_and_every_byte_is_theirs() {
    let host = library();
    for mut client in both(&host).await {
        let rows =
            client.ask("tools/call", json!({"name": "list_skills"})).await["result"]["structuredContent"]["skills"]
                .clone();
        let ids: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["coffee", "docx", "pdf", "pptx", "tea", "water", "xlsx"]);
        let skills = client.ask("skills/list", json!({})).await["result"]["skills"].clone();
        for id in IDS {
            let uri = format!("skill://{id}/SKILL.md");
            let skill = skills.as_array().unwrap().iter().find(|skill| skill["uri"] == uri).unwrap();
            assert!(skill["frontmatter"]["license"].as_str().unwrap().len() > 1500);
            let files = host.files(id);
            assert_eq!(skill["resources"].as_array().unwrap().len(), files.len());
            for (path, content) in files {
                let uri = format!("skill://{id}/{path}");
                let listed = skill["resources"].as_array().unwrap().iter().find(|file| file["uri"] == uri).unwrap();
                assert_eq!(listed["digest"], FileDigest::of(&content, false).to_string());
                assert_eq!(bytes(&mut client, &uri).await.0, content, "{uri}");
            }
        }
    }
}

#[tokio::test]
async fn their_nested_folders_are_read_one_by_one_and_their_types_are_known() {
    let host = library();
    let mut client = Client::modern(host);
    let mut folders = vec!["skill://docx".to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let answer = client.ask("resources/directory/read", json!({"uri": folder})).await;
        for child in answer["result"]["resources"].as_array().unwrap() {
            let uri = child["uri"].as_str().unwrap().to_owned();
            if child["mimeType"] == "inode/directory" {
                folders.push(uri);
            } else {
                files.push((uri, child["mimeType"].clone()));
            }
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [
        ("LICENSE.txt", "text/plain"),
        ("SKILL.md", "text/markdown"),
        ("fonts/Sans-Bold.ttf", "font/ttf"),
        ("ooxml/schemas/ecma/fouth-edition/opc-contentTypes.xsd", "text/xml"),
        ("ooxml/schemas/iso-29500_2016/dml-main.xsd", "text/xml"),
        ("ooxml/schemas/microsoft/wml-2010.xsd", "text/xml"),
        ("scripts/__init__.py", "text/plain"),
        ("scripts/pack.py", "text/plain"),
        ("templates/blank.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ];
    let expected: Vec<_> =
        expected.iter().map(|(path, mime)| (format!("skill://docx/{path}"), Value::from(*mime))).collect();
    assert_eq!(files, expected);
    for (uri, mime) in files {
        assert_eq!(Value::from(bytes(&mut client, &uri).await.1), mime);
    }
}
