//! Paths in the repository and in the build folder.

use std::path::{Path, PathBuf};

use crate::step::NOT_TESTED;

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the repository")
}

/// The names of the crates, which are those of their folders.
pub(crate) fn crates() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("crates")).into_iter().flatten().flatten();
    let mut names: Vec<_> = folders.filter_map(|folder| folder.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Cargo's build folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The folder for xtask's own tools: Node, Python packages, cargo-deny.
pub(crate) fn cache() -> PathBuf {
    target().join("xtask")
}

/// The file in which tests collect what they could not test.
pub(crate) fn not_tested() -> PathBuf {
    std::env::var_os(NOT_TESTED).map_or_else(|| cache().join("not-tested"), PathBuf::from)
}

/// A program's file name on this system.
pub(crate) fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}
