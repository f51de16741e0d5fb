//! A repository with a skill, its clones on two desks, and what tests of work trees do with them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use fetch::{Cancel, Entry, Git, Incoming, Kept, WorkTree, WorkTreeError};
use machine::Machine;
use tempfile::TempDir;
use tests::{GitHost, GitRepository, git_in};

/// A repository with a skill, and two clones of it.
pub(crate) struct Desks {
    folder: TempDir,
    pub(crate) git: Git,
    repository: GitRepository,
    _host: GitHost,
}

impl Desks {
    pub(crate) fn new() -> Self {
        let host = GitHost::start();
        let repository = host.repository("skills");
        repository.write("skills/tea/SKILL.md", "Green.\n\nHot.\n\nStrong.\n");
        repository.write("skills/tea/notes.md", "Notes.\n");
        repository.write("README.md", "Skills.\n");
        repository.write(".gitignore", "*.log\n");
        repository.commit("one");
        let folder = tempfile::tempdir().unwrap();
        let mut machine = Machine::at(&folder.path().join("home")).unwrap();
        machine.search = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
        let git = Git::find(&machine, &machine.data.join("fetched")).unwrap();
        let desks = Self { folder, git, repository, _host: host };
        desks.repository.clone_to(&desks.one());
        desks.repository.clone_to(&desks.two());
        desks
    }

    pub(crate) fn one(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("one")
    }

    pub(crate) fn two(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("two")
    }

    pub(crate) fn open(&self, at: &Path) -> Result<WorkTree, WorkTreeError> {
        WorkTree::open(&self.git, at, &at.join("skills"), &Cancel::default())
    }

    pub(crate) fn tree(&self) -> WorkTree {
        self.open(&self.one()).unwrap()
    }
}

pub(crate) fn wholes(paths: &BTreeSet<&str>) -> BTreeSet<String> {
    paths.iter().filter_map(|path| path.strip_suffix("/SKILL.md")).map(str::to_owned).collect()
}

pub(crate) fn write(at: &Path, path: &str, text: &str) {
    let file = at.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

pub(crate) fn commit(at: &Path, message: &str) -> String {
    git_in(at, &["add", "--all"]);
    git_in(at, &["commit", "--quiet", "--message", message]);
    git_in(at, &["rev-parse", "HEAD"])
}

pub(crate) fn incoming(tree: &WorkTree) -> Result<Option<Incoming>, WorkTreeError> {
    tree.fetch(&Cancel::default())?;
    tree.incoming(&wholes, &Cancel::default())
}

pub(crate) fn skills_alone(entry: &Entry) -> bool {
    entry.path.starts_with("skills/tea/") || entry.path.starts_with("skills/ale/")
}

pub(crate) fn kept(tree: &WorkTree) -> Result<Kept, WorkTreeError> {
    tree.kept(&skills_alone, &wholes, &Cancel::default())
}

pub(crate) fn keep(tree: &WorkTree, kept: &Kept, message: &str) -> Result<String, WorkTreeError> {
    tree.keep(kept, &skills_alone, message, &Cancel::default())
}

/// A program that leaves a file behind if it is ever started.
#[cfg(unix)]
pub(crate) fn trap(at: &Path, name: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let program = at.join(name);
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let mark = at.join("ran");
    fs::write(&program, format!("#!/bin/sh\necho {name} >> '{}'\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.display().to_string()
}
