//! The corpus of real skills, which is never part of the repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::able;

/// The corpus, or `None` after [`able::skip`]. It is where `SKILLTENDER_CORPUS` says, else next to the repository in
/// `../shared/corpus`.
pub fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let corpus = env::var_os("SKILLTENDER_CORPUS").map_or_else(beside, PathBuf::from);
    if corpus.join("expected.json").is_file() {
        return Some(corpus);
    }
    able::skip("corpus", &format!("it is not at {}", corpus.display()));
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
