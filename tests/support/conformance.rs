//! The official conformance suite of MCP, run against a running endpoint.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::given;

/// Every server scenario of the suite, by name, with its revisions.
///
/// # Panics
/// When the suite does not run.
pub fn scenarios() -> BTreeMap<String, Vec<String>> {
    let output = suite().args(["list", "--server"]).output().expect("the suite starts");
    let text = String::from_utf8(output.stdout).expect("the suite prints text");
    let rows = text.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split_once(" ["));
    rows.map(|(name, versions)| {
        let versions = versions.trim_end_matches(']').split(',').map(str::to_owned).collect();
        (name.to_owned(), versions)
    })
    .collect()
}

/// Runs one scenario in one revision. Returns the number of checks, and the failed ones: their ids, each with its
/// status and the suite's message.
///
/// # Panics
/// When the suite does not run.
pub fn run(scenario: &str, revision: &str, port: u16) -> (usize, Vec<(String, String)>) {
    let results = tempfile::tempdir().expect("a temporary folder");
    let output = suite()
        .args(["server", "--url", &format!("http://localhost:{port}/mcp"), "--scenario", scenario])
        .args(["--spec-version", revision, "--force", "--timeout", "60000", "--output-dir"])
        .arg(results.path())
        .output()
        .expect("the suite starts");
    let file = checks_file(results.path()).unwrap_or_else(|| {
        panic!("{scenario}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    });
    let checks: Value = serde_json::from_slice(&fs::read(file).expect("the checks are there")).expect("JSON");
    let checks = checks.as_array().expect("a list of checks");
    // A check of another revision is rightly skipped; any other skipped check is unproven.
    let beside = |check: &&Value| {
        check["errorMessage"].as_str().is_some_and(|said| said.starts_with("not applicable on negotiated protocol"))
    };
    let fine = |check: &&Value| matches!(check["status"].as_str(), Some("SUCCESS" | "INFO")) || beside(check);
    let failed = checks.iter().filter(|check| !fine(check));
    let failed = failed.map(|check| {
        let text = |name: &str| check[name].as_str().unwrap_or_default().to_owned();
        (text("id"), format!("{} {}", text("status"), text("errorMessage")))
    });
    (checks.len(), failed.collect())
}

fn suite() -> Command {
    let mut command = Command::new(given("SKILLTENDER_NODE"));
    command.arg(given("SKILLTENDER_CONFORMANCE").join("dist/index.js"));
    command
}

/// Finds `checks.json`, which the suite writes into a folder with a name of its choice.
fn checks_file(folder: &Path) -> Option<PathBuf> {
    let below = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    below.into_iter().find_map(|path| match path.is_dir() {
        true => checks_file(&path),
        false => path.ends_with("checks.json").then_some(path),
    })
}
