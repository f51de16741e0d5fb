//! The corpus of real skills, which is never a part of the repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The corpus, or `None` where it is not on this machine, which is then said. It lies where
/// `SKILLTENDER_CORPUS` says, else beside the repository in `../shared/corpus`.
///
/// # Panics
/// When it is not there in CI.
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

/// A file of it.
///
/// # Panics
/// When it cannot be read, or is no JSON.
pub fn json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("the corpus is JSON")
}

/// Prints a line for whoever reads the test run.
#[expect(clippy::print_stdout, reason = "that is what it is for")]
pub fn say(line: &str) {
    println!("{line}");
}
