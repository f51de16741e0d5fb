//! `npx skills`, the installer that most repositories name: in real trees of skills, it and Skilltender list the same
//! skills, and each comes with the same bytes. The trees are packages from npm, and the corpus where it is there; each
//! is committed to a repository that a host of this computer serves.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tests::{GitHost, GitRepository, Home, corpus, given, json, say};

use crate::{
    connected::{printed, skilltender},
    program::Program,
};

const ID: &str = "npx-skills";
/// The packages that hold skills.
const PACKAGES: [&str; 8] = [
    "@ckelsoe/claude-skill-prompt-architect",
    "@houseofwolvesllc/claude-scrum-skill",
    "@longtq2501/next-spring-skills",
    "@nextsparkjs/ai-workflow",
    "@wednesday-solutions-eng/ai-agent-skills",
    "agent-reviews",
    "agents-config",
    "ai-labs-claude-skills",
];

#[test]
fn a_source_lists_every_skill_that_npx_skills_finds_and_each_comes_with_its_bytes() {
    let (host, mut trees, mut skills) = (GitHost::start(), 0, 0);
    for (name, files) in packages().into_iter().chain(repositories()) {
        let repository = host.repository(&name);
        for (path, file) in files {
            repository.write(&path, fs::read(file).unwrap());
        }
        repository.commit("as it was published");
        skills += compare(&name, &repository);
        trees += 1;
    }
    say(&format!("npx skills: {trees} trees with {skills} skills, listed and digested alike"));
}

/// Compares what both make of a repository, and counts the skills that both have.
fn compare(name: &str, repository: &GitRepository) -> usize {
    let (theirs, ours) = (Home::new(), Home::new());
    fs::create_dir_all(theirs.path("project")).unwrap();
    let listed = theirs_of(&theirs, &["add", &repository.address, "--list"]);
    let names: BTreeSet<_> = listed.lines().filter_map(named).collect();
    if !names.is_empty() {
        let words = ["add", &repository.address, "--skill", "*", "--agent", "universal", "--yes", "--copy"];
        theirs_of(&theirs, &words);
    }

    let shown = ours.skilltender().args(["sources", "add", &repository.address, "--json"]).output().unwrap();
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let found = shown["plan"]["skills"].as_array().unwrap_or_else(|| panic!("{name}: {shown}"));
    let said = |skill: &Value| skill["name"].as_str().unwrap().to_owned();
    let known: BTreeSet<_> = found.iter().map(said).collect();
    let missing: Vec<_> = names.iter().filter(|name| !known.contains(**name)).collect();
    assert_eq!(missing, Vec::<&&str>::new(), "{name}: {}", shown["plan"]["refused"]);

    skilltender(&ours, &["sources", "add", &repository.address, "--yes"]);
    let out = ours.path("skilltender.lock").display().to_string();
    skilltender(&ours, &["lock", "--out", &out]);
    let lock = toml::from_str::<Value>(&fs::read_to_string(&out).unwrap()).unwrap();
    let lock = lock["skill"].as_array().unwrap();
    assert_eq!(lock.len(), found.len(), "{name}: each that was shown came");
    for skill in lock {
        let inside = skill["inside"].as_str().unwrap_or_default();
        assert_eq!(locked(skill), committed(repository, inside), "{name}: {inside}");
    }

    let out = ours.path("skills-lock.json").display().to_string();
    let ids: Vec<_> = found.iter().map(|skill| skill["id"].as_str().unwrap()).collect();
    skilltender(&ours, &[&["export", "--format", "skills-lock", "--out", &out][..], &ids].concat());
    let ours = json(Path::new(&out));
    let theirs = theirs.path("project/skills-lock.json");
    let theirs = if names.is_empty() { Value::Null } else { json(&theirs) };
    let mut compared = 0;
    for (skill, entry) in theirs["skills"].as_object().into_iter().flatten() {
        let inside = entry["skillPath"].as_str().unwrap().strip_suffix("SKILL.md").unwrap().trim_end_matches('/');
        if !found.iter().any(|found| found["path"] == inside) {
            // Of two skills for one folder, each program takes another.
            let other = shown["plan"]["refused"].as_array().unwrap().iter().find(|refused| refused["path"] == inside);
            assert!(
                other.is_some_and(|other| other["why"].to_string().contains("as `")),
                "{name}: {inside}, {other:?}"
            );
            continue;
        }
        // Its hash counts the leftovers of tools that somebody committed.
        if has_leftovers(repository, inside) {
            continue;
        }
        assert_eq!(ours["skills"][skill]["computedHash"], entry["computedHash"], "{name}: {skill}");
        compared += 1;
    }
    say(&format!("{name}: npx skills lists {}, we list {}, {compared} have one hash", names.len(), found.len()));
    compared
}

/// The name in a line of its list, which has four blanks before it.
fn named(line: &str) -> Option<&str> {
    line.strip_prefix("│    ").filter(|name| !name.starts_with(' ')).map(str::trim_end)
}

fn theirs_of(home: &Home, words: &[&str]) -> String {
    let program = Program::of(ID, ".bin/skills");
    printed(home, &program, words, &[("DISABLE_TELEMETRY", "1"), ("NO_COLOR", "1")])
}

/// The digests that a lock has for a skill.
fn locked(skill: &Value) -> BTreeMap<String, String> {
    let line = |line: &Value| {
        let (digest, path) = line.as_str()?.split_once(' ')?;
        Some((path[1..].to_owned(), digest.to_owned()))
    };
    skill["files"].as_array().unwrap().iter().map(|file| line(file).unwrap_or_else(|| panic!("{file}"))).collect()
}

/// The digests of the files that are committed in a folder. Leftovers of tools are no part of a skill.
fn committed(repository: &GitRepository, folder: &str) -> BTreeMap<String, String> {
    let names = files_of(repository, folder).into_iter().filter(|name| !is_leftover(name));
    let digested = |name: String| {
        let bytes = fs::read(repository.work().join(&name)).unwrap();
        let inside = name.strip_prefix(folder).unwrap().trim_start_matches('/');
        (inside.to_owned(), format!("{:x}", Sha256::digest(bytes)))
    };
    names.map(digested).collect()
}

fn has_leftovers(repository: &GitRepository, folder: &str) -> bool {
    files_of(repository, folder).iter().any(|name| is_leftover(name))
}

fn files_of(repository: &GitRepository, folder: &str) -> Vec<String> {
    let names = repository.git(&["ls-files", "-z", "--", if folder.is_empty() { "." } else { folder }]);
    names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn is_leftover(name: &str) -> bool {
    ["__pycache__/", ".DS_Store"].iter().any(|part| name.contains(part))
}

/// The name of a tree, and its files by their paths in it.
type Tree = (String, BTreeMap<String, PathBuf>);

fn packages() -> Vec<Tree> {
    let tree = |package: &str| {
        let folder = given("SKILLTENDER_REAL_CLIENTS").join(ID).join("node_modules").join(package);
        let mut files = BTreeMap::new();
        files_in(&folder, "", &mut files);
        (package.replace(['@', '/'], "-"), files)
    };
    PACKAGES.map(tree).into()
}

/// The repositories of the corpus: each skill where it is in its repository.
fn repositories() -> Vec<Tree> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut trees = BTreeMap::<String, BTreeMap<String, PathBuf>>::new();
    for skill in json(&corpus.join("expected.json"))["skills"].as_array().unwrap() {
        let [repository, path, there] = ["repo", "path", "source_path"].map(|key| skill[key].as_str().unwrap());
        let files = trees.entry(repository.replace('/', "-")).or_default();
        let [path, there] = [path, there].map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder));
        files_in(&corpus.join(path), there, files);
    }
    trees.into_iter().collect()
}

fn files_in(folder: &Path, at: &str, files: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let at = if at.is_empty() { name } else { format!("{at}/{name}") };
        if entry.path().is_dir() {
            files_in(&entry.path(), &at, files);
        } else {
            files.insert(at, entry.path());
        }
    }
}
