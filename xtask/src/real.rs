//! Real clients from npm: installs them in the build folder and runs the tests that connect them.
//!
//! Their versions are in `tests/real/<client>/package.json`. Their install scripts do not run: the packages contain
//! the programs.

use std::{fs, path::Path};

use crate::{
    node::Node,
    paths,
    programs::PROGRAM,
    step::{Done, Failed, run},
    test::of_the_whole,
};

/// Every client that the tests connect.
pub(crate) const ALL: &[&str] = &["claude-code", "codex", "gemini-cli", "mcporter", "npx-skills", "opencode"];
/// The client that every test run installs.
pub(crate) const QUICKEST: &str = "codex";

/// Installs these clients and runs their tests against the program.
pub(crate) fn connect(node: &Node, skilltender: &Path, clients: &[&str]) -> Done {
    let folder = paths::cache().join("clients");
    for client in clients {
        let (packages, place) = (paths::root().join("tests/real").join(client), folder.join(client));
        fs::create_dir_all(&place).map_err(Failed::because)?;
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            fs::copy(packages.join(file), place.join(file)).map_err(Failed::because)?;
        }
        node.install(&place)?;
    }
    let mut tests = of_the_whole(&["--features=tests/programs", "--test=real", "--"]);
    // A test's module is the client's name.
    tests.args(clients.iter().map(|client| format!("{}::", client.replace('-', "_"))));
    run(tests
        .env(PROGRAM, skilltender)
        .env("SKILLTENDER_NODE", node.program())
        .env("SKILLTENDER_REAL_CLIENTS", &folder))
}
