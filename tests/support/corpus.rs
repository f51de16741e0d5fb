//! The corpus of real skills, which is never part of the repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The corpus, or `None` with a message when it is not on this machine. It is where `SKILLTENDER_CORPUS` says, else
/// next to the repository in `../shared/corpus`.
///
/// # Panics
/// When it is missing in CI.
pub fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let corpus = env::var_os("SKILLTENDER_CORPUS").map_or_else(beside, PathBuf::from);
    if corpus.join("expected.json").is_file() {
        return Some(corpus);
    }
    assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "the corpus is not at {}", corpus.display());
    say(&format!("corpus: skipped, it is not at {}", corpus.display()));
    None
}

/// Reads a JSON file of the corpus.
///
/// # Panics
/// When it cannot be read, or is not JSON.
pub fn json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("the corpus is JSON")
}

/// Prints a line for readers of the test run.
#[expect(clippy::print_stdout, reason = "that is what it is for")]
pub fn say(line: &str) {
    println!("{line}");
}
