//! What tests share: what they need of their machine (`able`), and for those of the whole product a temporary home, the
//! running programs and their clients.

pub mod able;
mod clients;
pub mod conformance;
mod corpus;
mod forwarder;
mod git_host;
pub mod goals;
mod home;
mod http;
mod lines;
mod serving;
mod unable;
mod web_host;

pub use clients::{inspector, python, python_script, verified_by_inspector};
pub use corpus::{corpus, json, say};
pub use forwarder::Forwarder;
pub use git_host::{GitHost, GitRepository, Manner, git_in};
pub use home::{Home, skill};
pub use http::{Answer, open, post, request};
pub use lines::Lines;
pub use serving::{SERVE, Serving};
pub use web_host::{Reply, SecureHost, WebHost};

use std::{
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// The time limit of every wait. It is not a measurement: a loaded machine is slow.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A path that `cargo xtask test` passes.
///
/// # Panics
/// When it is not set: a missing program is a failure, not a reason to skip.
pub fn given(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is not set: run these tests with `cargo xtask test`"))
        .into()
}

/// Copies a program that is started next, by another program: a process that another test starts meanwhile would hold
/// the copy open for writing for a moment, and until then nobody may start it.
///
/// # Panics
/// When it cannot be copied.
#[cfg(unix)]
pub fn copy_program(from: &std::path::Path, to: &std::path::Path) {
    let copied = std::process::Command::new("cp").arg(from).arg(to).status();
    assert!(copied.is_ok_and(|status| status.success()), "{} is copied to {}", from.display(), to.display());
}

/// A temporary folder for an engine, which may still watch it when a test is over. In Wine such a folder keeps its name
/// while it is watched, and removing the one above it never ends: it stays, and `cargo xtask cross` removes it.
///
/// # Panics
/// When it cannot be made.
pub fn watched_folder() -> TempDir {
    let is_wine = cfg!(windows) && std::env::var_os("WINEPREFIX").is_some();
    tempfile::Builder::new().disable_cleanup(is_wine).tempdir().expect("a temporary folder")
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
