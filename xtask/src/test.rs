//! `cargo xtask test`: every check and every test, each part timed.

use std::process::Command;

use crate::{
    bundle, display, fuzz, mcpb,
    node::Node,
    packages, paths, programs, python, real,
    step::{Done, Steps, cargo, run},
};

pub(crate) fn test(yes: bool, long: bool) -> Done {
    let mut steps = Steps::default();
    let done = parts(&mut steps, yes, long);
    steps.print_times();
    done
}

fn parts(steps: &mut Steps, yes: bool, long: bool) -> Done {
    let root = paths::root();
    steps.step("system packages", || packages::ensure(&[packages::WINDOW, packages::TESTS], yes))?;
    let (node, python) = steps.step("Node and Python", || Ok((Node::ensure()?, python::ensure()?)))?;
    steps.step("the window's code", || {
        let ui = root.join("ui");
        node.install(&ui)?;
        node.script(&ui, "check")?;
        node.script(&ui, "build")
    })?;
    steps.step("format", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    steps.step("clippy", || {
        let mut clippy = cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--locked"]);
        if std::env::var_os("CI").is_some() {
            clippy.args(["--", "--deny=warnings"]);
        }
        run(&mut clippy)
    })?;
    let built = steps.step("the programs", programs::build)?;
    steps.step("crates, golden cases, corpus, walls", || {
        let mut tests = of_the_whole(&[]);
        if long {
            tests.env("PROPTEST_CASES", "100000");
        } else if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
            // The same generated cases in each run: what fails then is of the change at hand. New ones come with `--long`.
            tests.env("PROPTEST_RNG_SEED", "20261122");
        }
        // A test of every crate builds the examples too, which some tests start.
        tests.env("SKILLTENDER_EXAMPLES", "built");
        run(tests.env("SKILLTENDER_LONG", if long { "1" } else { "" }))
    })?;
    steps.step("the schema", || run(&mut cargo(&["test", "--locked", "--package=schema", "--", "--nocapture"])))?;
    if long {
        steps.step("fuzzing", fuzz::fuzz)?;
    }
    if cfg!(target_os = "linux") {
        steps.step("a real keychain", || run(&mut of_the_whole(&["--test=keychain", "--", "--include-ignored"])))?;
        steps.step("servers that misbehave", || {
            let words = ["--test=engine", "--", "--ignored", "--test-threads=1", "servers::"];
            run(of_the_whole(&words).env("SKILLTENDER_EXAMPLES", "built"))
        })?;
        steps.step("faults while a file is written", || {
            run(&mut of_the_whole(&["--lib", "--", "--ignored", "guest::tests"]))
        })?;
    }
    steps.step("the programs under real clients", || {
        let (inspector, conformance) = (root.join("tests/inspector"), root.join("tests/conformance"));
        let servers = root.join("tests/servers");
        node.install(&servers)?;
        node.install(&inspector)?;
        node.install(&conformance)?;
        run(of_the_whole(&["--features=tests/programs", "--test=product"])
            .env("SKILLTENDER_PROGRAM", &built.skilltender)
            .env("SKILLTENDER_PYTHON", &python)
            .env("SKILLTENDER_NODE", node.program())
            .env("SKILLTENDER_SERVERS", servers.join("node_modules/@modelcontextprotocol"))
            .env("SKILLTENDER_INSPECTOR", inspector.join("node_modules/@modelcontextprotocol/inspector"))
            .env("SKILLTENDER_CONFORMANCE", conformance.join("node_modules/@modelcontextprotocol/conformance")))
    })?;
    steps.step("a real client from npm", || real::connect(&node, &built.skilltender, &[real::QUICKEST]))?;
    steps.step("components of the window", || {
        run(&mut under_display(&node, "ui", &["npm", "run", "--silent", "test"])?)
    })?;
    steps.step("the window and the tray", || window(&node, &built, false))?;
    steps.step("licences and sources", deny)?;
    steps.step("a package with both programs", || bundle::debug_deb(&node, &built))?;
    steps.step("a bundle for Claude Desktop", || mcpb::check(&node, &built.skilltender))
}

/// Tests of the workspace, always of all of it, so that every step finds what an earlier one built: cargo builds what
/// stands beneath anew for each set of packages that wants other features of it. Without a target among the words all run
/// that need no built program.
pub(crate) fn of_the_whole(words: &[&str]) -> Command {
    let mut tests = cargo(&["test", "--locked", "--workspace", "--exclude=schema"]);
    tests.args(words);
    tests
}

/// The test of every real client that npm has, and nothing else.
pub(crate) fn real_clients(yes: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    let node = Node::ensure()?;
    let skilltender = programs::build_command_line()?;
    real::connect(&node, &skilltender, real::ALL)
}

/// The window tests, which also take the pictures for docs/screens.
pub(crate) fn screens(yes: bool) -> Done {
    packages::ensure(&[packages::WINDOW, packages::TESTS], yes)?;
    let node = Node::ensure()?;
    programs::build_window(&node)?;
    window(&node, &programs::build()?, true)
}

/// Renews the window's types from the engine's.
pub(crate) fn types() -> Done {
    run(cargo(&["test", "--package=engine", "--lib", "view"]).env("UPDATE_TYPES", "1"))
}

fn window(node: &Node, built: &programs::Programs, pictures: bool) -> Done {
    node.install(&paths::root().join("tests/window"))?;
    let mut tests = under_display(node, "tests/window", &["npm", "test", "--silent"])?;
    tests.env("SKILLTENDER_APP", &built.app).env("SKILLTENDER_PROGRAM", &built.skilltender);
    if pictures {
        tests.env("SKILLTENDER_SCREENS", "1");
    }
    run(&mut tests)
}

/// A command in a folder of the repository, under a virtual display, with the pinned Node.
fn under_display(node: &Node, folder: &str, words: &[&str]) -> Done<Command> {
    let mut command = display::virtual_one();
    command.args(words).current_dir(paths::root().join(folder)).env("PATH", node.path()?);
    Ok(command)
}

const DENY: &str = "0.20.2";

/// cargo-deny, built once into the build folder. Advisories need a network: the hosted workflow asks for them.
fn deny() -> Done {
    let folder = paths::cache().join("deny");
    let program = folder.join("bin").join(paths::program("cargo-deny"));
    if !program.exists() {
        run(cargo(&["install", "cargo-deny", "--locked", "--debug", "--quiet", "--version", DENY, "--root"])
            .arg(&folder))?;
    }
    run(Command::new(program).args(["check", "bans", "licenses", "sources"]).current_dir(paths::root()))
}
