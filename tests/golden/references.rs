//! Checks that everything code and docs refer to is in the repository: numbered decisions, statements of the wire
//! contract, security rules, headings of pages, files, and link targets. Links in skills are excluded: they are cases
//! of other tests.

use std::{collections::BTreeSet, fs, path::Path};

use regex::Regex;

use crate::architecture::root;

/// Pages with numbered paragraphs, and the pattern of a reference.
const NUMBERED: &[(&str, &str)] = &[
    ("docs/decisions.md", "[Dd]ecisions?"),
    ("docs/wire-contract.md", "wire contract"),
    ("docs/security-rules.md", "[Ss]ecurity rules?"),
];

/// Papers that were never part of the repository, by the words that referred to them.
const ELSEWHERE: &[&str] =
    &[r"mcp-contract", r"\bsecurity\.md", r"\bhouse\.md", r"\b[Ss]eeds? 00\d", r"design/\w+\.md"];

/// The corpus's place next to the repository (decision 47).
const CORPUS: &str = "../shared/corpus";

/// The numbers of the paragraphs of a page, written `12. ` or `**12. `.
pub(crate) fn numbers_of(page: &str) -> BTreeSet<u32> {
    let number = Regex::new(r"(?m)^(?:\*\*)?(\d+)\. ").expect("a pattern");
    let text = fs::read_to_string(root().join(page)).expect("a page of the repository");
    number.captures_iter(&text).map(|found| found[1].parse().expect("a small number")).collect()
}

#[test]
fn whatever_is_referred_to_by_its_number_is_there() {
    let (mut found, digits, texts) = (0, Regex::new(r"\d+").unwrap(), unwrapped_texts());
    for (page, called) in NUMBERED {
        let (there, reference) = (numbers_of(page), numbered(called));
        for (path, text) in &texts {
            for referred in reference.captures_iter(text) {
                for number in digits.find_iter(&referred[1]) {
                    let number: u32 = number.as_str().parse().unwrap();
                    assert!(there.contains(&number), "{path}: `{}` is not on {page}", &referred[0]);
                    found += 1;
                }
            }
        }
    }
    assert!(found > 150, "only {found} references were looked at");
}

#[test]
fn every_heading_that_is_referred_to_is_on_its_page() {
    let reference = Regex::new(r#"(docs/[\w-]+\.md), "([^"]+)""#).unwrap();
    let mut found = 0;
    for (path, text) in unwrapped_texts() {
        for referred in reference.captures_iter(&text) {
            let page = fs::read_to_string(root().join(&referred[1])).unwrap_or_default();
            let heading = format!("# {}", &referred[2]);
            assert!(page.lines().any(|line| line.ends_with(&heading)), "{path}: {} is not there", &referred[0]);
            found += 1;
        }
    }
    assert!(found > 3, "only {found} references were looked at");
}

#[test]
fn nothing_leads_to_papers_outside_of_the_repository() {
    let elsewhere: Vec<_> = ELSEWHERE.iter().map(|words| Regex::new(words).unwrap()).collect();
    for (path, text) in unwrapped_texts() {
        if path == "tests/golden/references.rs" {
            continue;
        }
        for words in &elsewhere {
            let found = words.find(&text).map(|found| found.as_str());
            assert_eq!(found, None, "{path} leads to a paper that is not here");
        }
        let beside = text.matches("../shared/").count() - text.matches(CORPUS).count();
        let example = path.starts_with("crates/skills/") || path.starts_with("crates/engine/tests/");
        assert!(beside == 0 || example, "{path} leads to a folder beside the repository");
    }
}

#[test]
fn every_page_and_file_that_is_named_is_there() {
    let (link, file) = (
        Regex::new(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)").unwrap(),
        Regex::new(r"`((?:crates|docs|fuzz|src-tauri|tests|ui|xtask)/[\w./-]+)`").unwrap(),
    );
    let mut found = 0;
    let pages = texts().into_iter().filter(|(path, _)| path.ends_with(".md") && path.matches('/').count() < 2);
    for (path, text) in pages {
        let (prose, folder) = (without_code(&text), Path::new(&path).parent().unwrap().to_owned());
        for target in link.captures_iter(&prose) {
            let there = root().join(&folder).join(&target[1]);
            assert!(there.exists(), "{path}: the link {} leads nowhere", &target[1]);
            found += 1;
        }
        for named in file.captures_iter(&prose) {
            assert!(root().join(&named[1]).exists(), "{path}: {} is not there", &named[1]);
            found += 1;
        }
    }
    assert!(found > 80, "only {found} links and names were looked at");
}

/// A text without fenced code blocks, which hold examples.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        !is_code && !fence
    });
    prose.collect::<Vec<_>>().join("\n")
}

/// The pattern of a reference to a numbered paragraph: `decision 3`, `decisions 25 and 62`.
fn numbered(called: &str) -> Regex {
    Regex::new(&format!(r"\b(?:{called}) (\d+(?:(?:, | and | to )\d+)*)")).expect("a pattern")
}

/// Every text with joined lines, so that a reference across two comment lines is found.
fn unwrapped_texts() -> Vec<(String, String)> {
    let line_end = Regex::new(r"\n\s*(?://[/!]?|\*)?\s*").expect("a pattern");
    texts().into_iter().map(|(path, text)| (path, line_end.replace_all(&text, " ").into_owned())).collect()
}

/// Every text written in this repository: its path from the root, and its content.
fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the repository").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let inside = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
            // Cases and starter skills follow other conventions; built or fetched files are not this repository's.
            let foreign = ["node_modules", "target", "dist", "gen"].contains(&name.as_str())
                || ["tests/skills", "tests/clients", "skills"].contains(&inside.as_str())
                || name.starts_with('.') && name != ".github";
            if foreign {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if ["rs", "ts", "svelte", "js", "md", "toml", "css", "yml"]
                .iter()
                .any(|end| name.ends_with(&format!(".{end}")))
            {
                found.push((inside, fs::read_to_string(path).unwrap_or_default()));
            }
        }
    }
    found.sort();
    found
}
