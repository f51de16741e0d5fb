//! The Dockerfile without Docker: what it copies is all that cargo and the sources of the command line need.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{
    fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

use regex::Regex;

use crate::architecture::{root, sources};

/// What `.dockerignore` keeps out of the folders that are copied.
const LEFT_OUT: &[&str] = &["node_modules", "binaries", "gen"];

/// The paths that the stage which builds gets, and those that the last stage gets of this repository.
fn copied() -> (Vec<String>, Vec<String>) {
    let file = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let (build, last) = file.rsplit_once("\nFROM ").expect("two stages");
    let paths = |stage: &str| {
        let lines = stage.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.starts_with("--"));
        let paths = lines.flat_map(|line| line.split_whitespace().rev().skip(1).map(str::to_owned).collect::<Vec<_>>());
        paths.collect()
    };
    (paths(build), paths(last))
}

/// Copies a file, or a folder without what is left out.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            if !LEFT_OUT.contains(&entry.file_name().to_str().unwrap_or_default()) {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else if from.is_file() {
        fs::copy(from, to).unwrap();
    }
}

#[test]
fn cargo_reads_the_workspace_from_what_the_dockerfile_copies_alone() {
    let folder = tempfile::tempdir().unwrap();
    let metadata = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--locked", "--format-version=1"]).current_dir(folder.path());
        let output = cargo.output().unwrap();
        output.status.success().then_some(()).ok_or_else(|| String::from_utf8(output.stderr).unwrap())
    };
    for path in copied().0 {
        copy(&root().join(&path), &folder.path().join(&path));
    }
    metadata().unwrap();
    // Every member counts, built or not.
    fs::remove_dir_all(folder.path().join("xtask")).unwrap();
    assert!(metadata().unwrap_err().contains("xtask"));
}

#[test]
fn every_path_that_the_dockerfile_copies_is_there_and_let_through() {
    let (build, last) = copied();
    let ignored = fs::read_to_string(root().join(".dockerignore")).unwrap();
    assert!(ignored.starts_with("*\n"), "only what is named is let through");
    for path in build.iter().chain(&last) {
        let is_let_through = ignored
            .lines()
            .filter_map(|line| line.strip_prefix('!'))
            .any(|pattern| pattern == path || pattern.strip_suffix('*').is_some_and(|start| path.starts_with(start)));
        assert!(is_let_through, "{path} does not reach the build");
        assert!(root().join(path).exists(), "{path}");
    }
    for left_out in LEFT_OUT {
        assert!(ignored.lines().any(|line| line.ends_with(left_out)), "{left_out}");
    }
}

#[test]
fn no_source_of_the_command_line_takes_in_a_file_that_the_dockerfile_does_not_copy() {
    let include = Regex::new(r#"include_(?:str|bytes)!\(\s*"([^"]+)""#).unwrap();
    let (build, _) = copied();
    let mut found = 0;
    for folder in fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")) {
        for source in sources(&folder, "rs") {
            let text = fs::read_to_string(&source).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let is_test = source.file_name().is_some_and(|name| name == "tests.rs");
            for taken in include.captures_iter(code).filter(|_| !is_test) {
                let path = plain(&source.parent().unwrap().join(&taken[1]));
                let path = path.strip_prefix(root()).unwrap();
                assert!(
                    build.iter().any(|copied| path.starts_with(copied)),
                    "{} takes in {}",
                    source.display(),
                    path.display()
                );
                found += 1;
            }
        }
    }
    assert!(found > 8, "only {found} files are taken in");
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}
