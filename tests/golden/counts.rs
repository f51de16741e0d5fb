//! Counts and lists in hand-written texts are those of the tables. `cargo xtask golden` renews the counts.

use std::fs;

use clients::TABLE;
use regex::{Captures, Regex};
use skills::RULES;

use crate::architecture::root;

/// Texts for people. The changelog is left out: it tells what was true once.
const TEXTS: &[&str] = &[
    "README.md",
    "SECURITY.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs",
    "ui/text/en.json",
    "src-tauri/bundle.conf.json",
    "xtask/mcpb/manifest.json",
];

/// A count in a text, with what is counted: "51 clients", "60 rules".
const COUNT: &str = r"\b([0-9]{2,}) (?:MCP |known )?(clients|rules)\b";

fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for place in TEXTS {
        let path = root().join(place);
        let inside = fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
        for file in inside.chain([path.clone()]).filter(|file| file.is_file()) {
            if let Ok(text) = fs::read_to_string(&file) {
                texts.push((file.display().to_string(), text));
            }
        }
    }
    texts
}

#[test]
fn a_count_of_clients_or_rules_is_that_of_its_table() {
    let (count, mut found) = (Regex::new(COUNT).unwrap(), 0);
    let of_table = |counted: &Captures<'_>| if &counted[2] == "clients" { TABLE.len() } else { RULES.len() };
    for (path, text) in texts() {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let renewed = count.replace_all(&text, |counted: &Captures<'_>| {
                counted[0].replacen(&counted[1], &of_table(counted).to_string(), 1)
            });
            fs::write(&path, renewed.as_bytes()).unwrap();
        } else {
            for counted in count.captures_iter(&text) {
                assert_eq!(counted[1], of_table(&counted).to_string(), "{path} says {:?}", &counted[0]);
            }
        }
        found += count.find_iter(&text).count();
    }
    assert!(found > 0, "no text counts anything: `COUNT` does not find the README's clients");
}

#[test]
fn the_life_of_a_skill_names_every_template() {
    let page = fs::read_to_string(root().join("docs/life-of-a-skill.md")).unwrap();
    let named: Vec<_> = engine::actions::templates().iter().map(|template| format!("`{}`", template.id)).collect();
    let list = format!("({})", named.join(", "));
    assert!(page.contains(&list), "docs/life-of-a-skill.md does not name the templates {list}");
}
