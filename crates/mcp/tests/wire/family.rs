//! The family `resource://` of the frontmatter contract and the URI contract on the wire, in both eras. The numbers are
//! those of the statements in docs/wire-contract.md.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    client::{Client, both, uris},
    memory::Memory,
};

const WINE: &str = "---\nname: wine\ndescription: Pours wine.\nx-personal-mcp:\n  id: wine\n  version: 1.2.0\n  \
    tags: [red, cold]\n  capabilities:\n    - resource://skills/wine/document\n    \
    - resource://skills/wine/references/cellar\n  depends_on: [tea]\n  references:\n    cellar:\n      \
    path: references/cellar.md\n      title: The cellar\n    lost:\n      path: references/lost.md\n---\nPour it.\n";

/// The usual library, and a skill with the block of the frontmatter contract.
fn library() -> Arc<Memory> {
    let host = Memory::new();
    host.write("wine", "SKILL.md", WINE.as_bytes());
    host.write("wine", "references/cellar.md", b"Below the house.\n");
    host.write("wine", "references/secret.md", b"Not declared.\n");
    host
}

/// The contents of a URI, or the error code.
async fn read(client: &mut Client, uri: &str) -> Result<Value, i64> {
    let answer = client.ask("resources/read", json!({"uri": uri})).await;
    match answer["error"]["code"].as_i64() {
        Some(code) => Err(code),
        None => Ok(answer["result"]["contents"][0].clone()),
    }
}

async fn text(client: &mut Client, uri: &str) -> String {
    read(client, uri).await.unwrap()["text"].as_str().unwrap().to_owned()
}

async fn data(client: &mut Client, uri: &str) -> Value {
    let contents = read(client, uri).await.unwrap();
    assert_eq!((&contents["mimeType"], contents["_meta"].is_null()), (&json!("application/json"), true));
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
}

/// wire contract 34
#[tokio::test]
async fn the_catalogue_each_document_and_each_reference_are_listed_in_order() {
    let host = library();
    for mut client in both(&host).await {
        let listed = client.ask("resources/list", json!({})).await["result"]["resources"].clone();
        assert_eq!(
            uris(listed.as_array().unwrap()),
            [
                "resource://catalog/skills_index",
                "skill://index.json",
                "resource://skills/coffee/document",
                "skill://team/coffee/SKILL.md",
                "resource://skills/tea/document",
                "skill://tea/SKILL.md",
                "skill://tea/assets/leaf.png",
                "skill://tea/references/green%20tea.md",
                "skill://tea/scripts/brew",
                "resource://skills/water/document",
                "resource://skills/wine/document",
                "resource://skills/wine/references/cellar",
                "skill://wine/SKILL.md",
                "skill://wine/references/cellar.md",
                "skill://wine/references/secret.md",
            ]
        );
    }
}

/// wire contract 35
#[tokio::test]
async fn the_catalogue_has_one_record_of_every_skill_that_is_on() {
    let host = library();
    host.enable("coffee", false);
    host.write("Odd Folder", "SKILL.md", b"---\nname: odd\ndescription: Odd.\n---\n");
    for mut client in both(&host).await {
        let index = data(&mut client, "resource://catalog/skills_index").await;
        let short = |id: &str, name: &str, description: &str| {
            json!({
                "id": id,
                "name": name,
                "description": description,
                "version": null,
                "tags": [],
                "capabilities": [format!("resource://skills/{id}/document")],
            })
        };
        assert_eq!(
            index,
            json!([
                short("tea", "tea", "Brews tea."),
                short("water", "Water for People", "Pours water."),
                {
                    "id": "wine",
                    "name": "wine",
                    "description": "Pours wine.",
                    "version": "1.2.0",
                    "tags": ["red", "cold"],
                    "capabilities": ["resource://skills/wine/document", "resource://skills/wine/references/cellar"],
                },
            ])
        );
    }
}

/// wire contract 36
#[tokio::test]
async fn a_record_says_where_everything_is_and_an_unknown_one_is_not_found() {
    let host = library();
    host.remark_on("wine", "This skill is not ready: its server needs a key.");
    for (mut client, code) in both(&host).await.into_iter().zip([-32602, -32002]) {
        let record = data(&mut client, "resource://catalog/skills/wine").await;
        assert_eq!(record["document_uri"], "resource://skills/wine/document");
        assert_eq!((&record["depends_on"], &record["enabled"]), (&json!(["tea"]), &json!(true)));
        let cellar = json!({
            "id": "cellar",
            "uri": "resource://skills/wine/references/cellar",
            "title": "The cellar",
            "mime_type": "text/markdown",
        });
        assert_eq!(record["references"], json!([cellar]));
        assert_eq!(
            (&record["ready"], &record["warnings"]),
            (&json!(false), &json!(["This skill is not ready: its server needs a key."]))
        );
        for reference in record["references"].as_array().unwrap() {
            text(&mut client, reference["uri"].as_str().unwrap()).await;
        }
        let water = data(&mut client, "resource://catalog/skills/water").await;
        assert_eq!(
            (&water["ready"], &water["references"], &water["depends_on"]),
            (&json!(true), &json!([]), &json!([]))
        );
        assert!(water["warnings"][0].as_str().unwrap().starts_with("The name should consist of"), "{water}");
        for uri in ["resource://catalog/skills/rum", "resource://catalog/skills/", "resource://catalog/skills/../tea"] {
            assert_eq!(read(&mut client, uri).await, Err(code), "{uri}");
        }
    }
}

/// wire contract 37
#[tokio::test]
async fn a_document_is_skill_md_and_only_declared_references_are_served() {
    let host = library();
    for (mut client, code) in both(&host).await.into_iter().zip([-32602, -32002]) {
        assert_eq!(text(&mut client, "resource://skills/wine/document").await, WINE);
        let cellar = "resource://skills/wine/references/cellar";
        assert_eq!(text(&mut client, cellar).await, "Below the house.\n");
        for uri in [
            "resource://skills/wine/references/lost",
            "resource://skills/wine/references/secret",
            "resource://skills/wine/references/references%2Fsecret.md",
            "resource://skills/wine/references/..",
            "resource://skills/wine/references/",
            "resource://skills/tea/references/cellar",
            "resource://skills/rum/document",
            "resource://skills/Wine/document",
            "resource://skills/wine/document/",
            "resource://skills/wine",
            "resource://skills/wine/document?x",
        ] {
            assert_eq!(read(&mut client, uri).await, Err(code), "{uri}");
        }
        // The file moves; its address stays.
        host.remove("wine", "references/cellar.md");
        assert_eq!(read(&mut client, cellar).await, Err(code));
        host.write("wine", "references/deep/cellar.md", b"Deeper.\n");
        host.write("wine", "SKILL.md", WINE.replace("references/cellar.md", "references/deep/cellar.md").as_bytes());
        assert_eq!(text(&mut client, cellar).await, "Deeper.\n");
        host.remove("wine", "references/deep/cellar.md");
        host.write("wine", "references/cellar.md", b"Below the house.\n");
        host.write("wine", "SKILL.md", WINE.as_bytes());
    }
}

/// wire contract 38
#[tokio::test]
async fn pages_are_reached_in_both_spellings_and_nothing_outside_of_them_is() {
    let host = library();
    for (mut client, code) in both(&host).await.into_iter().zip([-32602, -32002]) {
        for uri in [
            "resource://docs/skills/wine/references/secret.md",
            "resource://docs/skills%2Fwine%2Freferences%2Fsecret.md",
            "resource://docs/skills/wine/references%2Fsecret.md",
        ] {
            let page = read(&mut client, uri).await.unwrap();
            assert_eq!(
                (&page["text"], &page["mimeType"]),
                (&json!("Not declared.\n"), &json!("text/markdown")),
                "{uri}"
            );
        }
        assert_eq!(text(&mut client, "resource://docs/usage.md").await, mcp::instructions(false));
        let index = text(&mut client, "resource://docs/index.md").await;
        assert!(index.contains("\n- [wine](skills/wine/SKILL.md): Pours wine.\n"), "{index}");
        text(&mut client, "resource://docs/skills/wine/SKILL.md").await;
        for path in [
            "",
            "skills",
            "skills/wine",
            "skills/wine/",
            "skills/rum/SKILL.md",
            "skills/tea/scripts/brew",
            "skills/tea/assets/leaf.png",
            "notes.txt",
            "../docs/index.md",
            "skills/../index.md",
            "./index.md",
            "%2e%2e/index.md",
            "skills/%2E%2E/index.md",
            "%252e%252e/index.md",
            "skills/wine/%252e%252e/wine/SKILL.md",
            "..%2Findex.md",
            "/index.md",
            "%2Findex.md",
            "//index.md",
            "skills//wine/SKILL.md",
            "skills\\wine\\SKILL.md",
            "skills%5Cwine%5CSKILL.md",
            "index.md%00",
            "C:/index.md",
            "index.md?x",
            "index.md#x",
            "index.MD",
            "%",
            "%ff.md",
        ] {
            assert_eq!(read(&mut client, &format!("resource://docs/{path}")).await, Err(code), "{path}");
        }
    }
}

/// wire contract 39
#[tokio::test]
async fn what_the_author_wrote_goes_with_the_family_and_no_path_of_this_computer_does() {
    let host = library();
    for mut client in both(&host).await {
        let listed = client.ask("resources/list", json!({})).await["result"]["resources"].clone();
        let fastmcp = json!({"tags": ["cold", "red"], "version": "1.2.0"});
        for (uri, meta) in [
            (
                "resource://skills/wine/document",
                json!({"skill_id": "wine", "source_path": "SKILL.md", "fastmcp": fastmcp}),
            ),
            (
                "resource://skills/wine/references/cellar",
                json!({
                    "skill_id": "wine",
                    "ref_id": "cellar",
                    "source_path": "references/cellar.md",
                    "fastmcp": fastmcp,
                }),
            ),
            (
                "resource://skills/tea/document",
                json!({"skill_id": "tea", "source_path": "SKILL.md", "fastmcp": {"tags": []}}),
            ),
        ] {
            let resource = listed.as_array().unwrap().iter().find(|resource| resource["uri"] == uri).unwrap();
            assert_eq!(resource["_meta"], meta);
            assert_eq!(read(&mut client, uri).await.unwrap()["_meta"], meta);
        }
        for resource in listed
            .as_array()
            .unwrap()
            .iter()
            .filter(|resource| resource["uri"].as_str().unwrap().starts_with("skill://"))
        {
            assert!(resource.get("_meta").is_none(), "{resource}");
        }
        let cellar = listed.as_array().unwrap().iter().find(|resource| resource["name"] == "wine/cellar").unwrap();
        assert_eq!(
            (&cellar["title"], &cellar["size"], &cellar["mimeType"]),
            (&json!("The cellar"), &json!(17), &json!("text/markdown"))
        );
        for uri in ["resource://catalog/skills_index", "resource://catalog/skills/wine", "skill://index.json"] {
            assert!(!text(&mut client, uri).await.contains("/memory"), "{uri}");
        }
        assert!(!listed.to_string().contains("/memory"));
    }
}

#[tokio::test]
async fn a_record_tells_of_a_dependency_that_is_not_there() {
    let host = library();
    host.enable("tea", false);
    let mut client = Client::modern(host);
    let record = data(&mut client, "resource://catalog/skills/wine").await;
    assert!(record["warnings"].to_string().contains("tea"), "{record}");
}

#[tokio::test]
async fn a_skill_that_is_off_is_nowhere_in_the_family() {
    let host = library();
    host.enable("wine", false);
    let mut client = Client::modern(host);
    for uri in [
        "resource://catalog/skills/wine",
        "resource://skills/wine/document",
        "resource://skills/wine/references/cellar",
        "resource://docs/skills/wine/SKILL.md",
    ] {
        assert_eq!(read(&mut client, uri).await, Err(-32602), "{uri}");
    }
    for uri in ["resource://catalog/skills_index", "resource://docs/index.md", "skill://index.json"] {
        assert!(!text(&mut client, uri).await.contains("wine"), "{uri}");
    }
}

#[tokio::test]
async fn ids_are_completed_while_a_template_is_filled_in() {
    let host = library();
    for mut client in both(&host).await {
        let mut complete = async |template: &str, argument: &str, typed: &str, skill: &str| {
            let params = json!({
                "ref": {"type": "ref/resource", "uri": template},
                "argument": {"name": argument, "value": typed},
                "context": {"arguments": {"skill_id": skill}},
            });
            client.ask("completion/complete", params).await["result"]["completion"].clone()
        };
        let record = "resource://catalog/skills/{skill_id}";
        let reference = "resource://skills/{skill_id}/references/{ref_id}";
        for (template, argument, typed, skill, values) in [
            (record, "skill_id", "", "", json!(["coffee", "tea", "water", "wine"])),
            (record, "skill_id", "W", "", json!(["water", "wine"])),
            (record, "skill_id", "e", "", json!(["coffee", "tea", "water", "wine"])),
            (record, "skill_id", "i", "", json!(["wine"])),
            (reference, "skill_id", "t", "", json!(["tea", "water"])),
            (reference, "ref_id", "", "wine", json!(["cellar"])),
            (reference, "ref_id", "x", "wine", json!([])),
            (reference, "ref_id", "", "tea", json!([])),
            (reference, "ref_id", "", "", json!([])),
            (record, "ref_id", "", "wine", json!([])),
            ("resource://other/{skill_id}", "skill_id", "", "", json!([])),
        ] {
            let completion = complete(template, argument, typed, skill).await;
            assert_eq!(completion["values"], values, "{template} {argument} {typed}");
        }
        let prompt =
            json!({"ref": {"type": "ref/prompt", "name": "init-skills"}, "argument": {"name": "x", "value": ""}});
        assert_eq!(client.ask("completion/complete", prompt).await["result"]["completion"]["values"], json!([]));
    }
    let mut client = Client::modern(Memory::of(150));
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "resource://skills/{skill_id}/document"},
        "argument": {"name": "skill_id", "value": "skill"},
    });
    let completion = client.ask("completion/complete", params).await["result"]["completion"].clone();
    assert_eq!(
        (completion["values"].as_array().unwrap().len(), &completion["total"], &completion["hasMore"]),
        (100, &json!(150), &json!(true))
    );
}
