//! What the whole-product tests share: a home of one's own, the running programs, and the clients
//! that talk to them.

mod clients;
pub mod conformance;
mod forwarder;
mod home;
mod http;
mod lines;
mod serving;

pub use clients::{inspector, python, python_script, verified_by_inspector};
pub use forwarder::Forwarder;
pub use home::{Home, skill};
pub use http::{Answer, open, post, request};
pub use lines::Lines;
pub use serving::Serving;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long anything may take before a test gives up. Not a measure: a loaded machine is slow.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A path that `cargo xtask test` hands over.
///
/// # Panics
/// When it is not set: a missing program is a failure, not a reason to skip.
pub fn given(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is not set: run these tests with `cargo xtask test`"))
        .into()
}

/// The corpus of real skills, or `None` where it is not on this machine. It is never a part of the
/// repository: it lies where `SKILLTENDER_CORPUS` says, else beside it in `../shared/corpus`.
///
/// # Panics
/// When it is not there in CI.
pub fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let corpus = std::env::var_os("SKILLTENDER_CORPUS").map_or_else(beside, PathBuf::from);
    if corpus.join("expected.json").is_file() {
        return Some(corpus);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    assert!(!in_ci, "the corpus is not at {}", corpus.display());
    None
}

/// Waits until `find` finds something.
///
/// # Panics
/// When nothing is found for [`PATIENCE`].
pub fn eventually<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "still waiting: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
