//! Holds the container's image and its page to what is here: the files that are copied and the words that are run.

use std::{fs, path::PathBuf};

use crate::args;

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(top().join(file)).unwrap()
}

/// The values of an instruction of the Dockerfile, one a line.
fn instructions(name: &str) -> Vec<String> {
    let text = read("Dockerfile");
    let lines = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    lines.map(str::to_owned).collect()
}

fn assert_accepted(words: &[&str]) {
    let read = args::command().try_get_matches_from([&["skilltender"], words].concat());
    assert!(read.is_ok(), "{words:?}: {}", read.unwrap_err());
}

#[test]
fn what_the_image_copies_is_here_and_is_given_to_the_build() {
    let given = read(".dockerignore");
    let given: Vec<_> = given.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let is_given = |name: &str| {
        given.iter().any(|pattern| pattern.strip_suffix('*').map_or(*pattern == name, |start| name.starts_with(start)))
    };
    let copied = instructions("COPY").into_iter().filter(|line| !line.starts_with("--from"));
    let sources: Vec<String> = copied
        .flat_map(|line| {
            let mut words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            words.pop();
            words
        })
        .collect();
    assert!(sources.len() > 5, "{sources:?}");
    for source in &sources {
        assert!(top().join(source).exists(), "{source} is not here");
        assert!(is_given(source), ".dockerignore keeps {source} out");
    }
    // Cargo wants the manifest of every member.
    let manifest = read("Cargo.toml");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    for member in members.trim_end_matches(']').split(", ").map(|member| member.trim_matches('"')) {
        let folder = member.split('/').next().unwrap();
        assert!(sources.iter().any(|source| source == folder), "the build lacks {member}");
    }
}

#[test]
fn what_the_image_runs_is_a_command() {
    let [entry] = &*instructions("ENTRYPOINT") else { panic!("one ENTRYPOINT") };
    let [words] = &*instructions("CMD") else { panic!("one CMD") };
    assert!(entry.contains("/skilltender\""));
    let words: Vec<String> = serde_json::from_str(words).unwrap();
    assert_accepted(&words.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_image_is_built_with_the_projects_rust() {
    let version = read("Cargo.toml");
    let version = version.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"');
    assert!(instructions("FROM")[0].starts_with(&format!("rust:{version}-")));
}

#[test]
fn every_command_on_the_page_about_containers_is_accepted() {
    let page = read("docs/containers.md").replace("\\\n ", "");
    let mut seen = 0;
    for block in page.split("```\n").skip(1).step_by(2).chain(page.split('`').skip(1).step_by(2)) {
        for line in block.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            let Some(at) = words.iter().position(|word| *word == "skilltender") else { continue };
            let ours = &words[at + 1..];
            let is_run = at == 0 || words.starts_with(&["docker", "run"]);
            if is_run && !ours.is_empty() {
                assert_accepted(ours);
                seen += 1;
            }
        }
    }
    let compose = page.split("command: ").nth(1).unwrap().lines().next().unwrap();
    let words: Vec<_> = compose.trim_matches(['[', ']']).split(", ").map(|word| word.trim_matches('"')).collect();
    assert_accepted(&words);
    assert!(seen >= 4, "{seen}");
}
