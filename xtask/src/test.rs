//! `cargo xtask test`: every check and test, or the named parts, each timed.

use std::process::Command;

use crate::{
    bundle, cross, display, fuzz, lanes, licences, mcpb, nginx,
    node::Node,
    packages, paths,
    programs::{self, APP, PROGRAM},
    real,
    step::{Done, Failed, NOT_TESTED, Steps, cargo, forget_not_tested, is_a_part, print_not_tested, run},
    tools::Tools,
};

/// A part of the tests: its word on the command line, its function, and when the whole run includes it.
struct Part {
    word: &'static str,
    title: &'static str,
    runs: Runs,
    does: fn(&Tools) -> Done,
}

/// When a part belongs to the whole run.
enum Runs {
    Always,
    /// Parts that only Linux allows: the real keychain, faults of system calls, orphans, code of other systems.
    OnLinux,
    Long,
}

/// What the others need, or what takes every processor: before them, one after the other.
const FIRST: &[Part] = &[
    Part { word: "packages", title: "system packages", runs: Runs::Always, does: Tools::packages },
    Part { word: "tools", title: "Node and Python", runs: Runs::Always, does: brought },
    Part { word: "ui-check", title: "the window's code", runs: Runs::Always, does: window_code },
    Part { word: "format", title: "format", runs: Runs::Always, does: format },
    Part { word: "clippy", title: "clippy", runs: Runs::Always, does: clippy },
    Part {
        word: "foreign",
        title: "clippy for Windows over what needs no C",
        runs: Runs::OnLinux,
        does: |_| cross::cheap(),
    },
    Part { word: "programs", title: "the programs", runs: Runs::Always, does: built },
    Part { word: "tests", title: "the tests, built", runs: Runs::Always, does: built_tests },
];

/// A lane: one after the other, while those of the window run.
const ENGINE: &[Part] = &[
    Part { word: "rust", title: "crates, golden cases, corpus, walls", runs: Runs::Always, does: rust },
    Part { word: "schema", title: "the schema", runs: Runs::Always, does: schema },
    Part { word: "fuzz", title: "fuzzing", runs: Runs::Long, does: |_| fuzz::fuzz() },
    Part { word: "keychain", title: "a real keychain", runs: Runs::OnLinux, does: keychain },
    Part { word: "misbehaving", title: "servers that misbehave", runs: Runs::OnLinux, does: servers },
    Part { word: "faults", title: "faults while a file is written", runs: Runs::OnLinux, does: faults },
    Part { word: "product", title: "the programs under real clients", runs: Runs::Always, does: product },
    Part { word: "client", title: "a real client from npm", runs: Runs::Always, does: client },
    Part { word: "licences", title: "licences and sources", runs: Runs::Always, does: |_| deny() },
];

/// The other lane.
const WINDOW: &[Part] = &[
    Part { word: "ui", title: "components of the window", runs: Runs::Always, does: ui },
    Part { word: "window", title: "the window and the tray", runs: Runs::Always, does: window },
    Part { word: "deb", title: "a deb and an rpm with both programs", runs: Runs::OnLinux, does: deb },
    Part { word: "update", title: "an update of an AppImage", runs: Runs::OnLinux, does: update },
    Part { word: "mcpb", title: "a bundle for Claude Desktop", runs: Runs::Always, does: extension },
];

/// Only on request: other parts test the same.
const ASKED: &[Part] = &[
    Part { word: "golden", title: "golden cases, corpus, walls", runs: Runs::Always, does: golden },
    Part { word: "rules", title: "rules: their crate, their cases, the schema", runs: Runs::Always, does: rules },
    Part { word: "clients", title: "clients: their crate and their cases", runs: Runs::Always, does: clients },
    Part { word: "command", title: "commands of the window", runs: Runs::Always, does: command },
];

/// Every part that can be asked for.
fn parts() -> impl Iterator<Item = &'static Part> {
    [FIRST, ENGINE, WINDOW, ASKED].into_iter().flatten()
}

/// Every part with its title, a line each.
pub(crate) fn listed() -> String {
    parts().map(|Part { word, title, .. }| format!("  {word:12} {title}\n")).collect()
}

/// Parts of which a filter can choose single tests, besides the crates.
const FILTERED: &[&str] = &["rust", "product", "ui", "golden"];

/// Runs the named parts, or all.
///
/// # Errors
///
/// The first part that fails, or an unknown word.
pub(crate) fn test(yes: bool, long: bool, words: &[String], filter: &[String]) -> Done {
    if words.is_empty() && !filter.is_empty() {
        let whole = "The whole run takes no filter: name the part too, as in `cargo xtask test product -- WORDS`.";
        return Err(Failed(whole.to_owned()));
    }
    let tools = Tools::new(yes, long, filter);
    let mut steps = Steps::begin();
    if is_a_part() {
        return asked(&mut steps, &tools, words);
    }
    forget_not_tested()?;
    let done = if words.is_empty() { whole(&mut steps, &tools) } else { asked(&mut steps, &tools, words) };
    steps.print_times();
    print_not_tested();
    done
}

fn whole(steps: &mut Steps, tools: &Tools) -> Done {
    let wanted = |part: &&Part| match part.runs {
        Runs::Always => true,
        Runs::OnLinux => cfg!(target_os = "linux"),
        Runs::Long => tools.long,
    };
    FIRST.iter().filter(wanted).try_for_each(|part| steps.step(part.title, || (part.does)(tools)))?;
    let lane = |parts: &'static [Part]| parts.iter().filter(wanted).map(|part| (part.word, part.title)).collect();
    lanes::run(steps, tools.programs()?, tools.long, &[lane(ENGINE), lane(WINDOW)])
}

fn asked(steps: &mut Steps, tools: &Tools, words: &[String]) -> Done {
    let part = |word: &str| parts().find(|part| part.word == word);
    // The crates' tests can be requested by name too.
    let crates = paths::crates();
    let is_crate = |word: &str| crates.iter().any(|name| name == word);
    if let Some(unknown) = words.iter().find(|word| part(word).is_none() && !is_crate(word)) {
        let known: Vec<_> = parts().map(|part| part.word).chain(crates.iter().map(String::as_str)).collect();
        return Err(Failed(format!("There is no part {unknown}. There are: {}.", known.join(", "))));
    }
    let takes_filter = |word: &str| is_crate(word) || FILTERED.contains(&word);
    if let Some(whole) = words.iter().find(|word| !tools.filter.is_empty() && !takes_filter(word)) {
        return Err(Failed(format!("The part {whole} takes no filter: leave out what follows `--`.")));
    }
    for word in words {
        if let Some(part) = part(word) {
            steps.step(part.title, || (part.does)(tools))?;
        } else if let Some(name) = crates.iter().find(|name| *name == word) {
            steps.step(name, || run(&mut of_a_crate(name, tools)))?;
        }
    }
    Ok(())
}

fn brought(tools: &Tools) -> Done {
    tools.node()?;
    tools.python().map(|_| ())
}

fn window_code(tools: &Tools) -> Done {
    let (ui, node) = (paths::root().join("ui"), tools.node()?);
    node.install(&ui)?;
    node.script(&ui, "check")?;
    tools.window()
}

fn format(_: &Tools) -> Done {
    run(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy(_: &Tools) -> Done {
    let mut clippy = cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--locked"]);
    if std::env::var_os("CI").is_some() {
        clippy.args(["--", "--deny=warnings"]);
    }
    run(&mut clippy)
}

fn built(tools: &Tools) -> Done {
    tools.programs().map(|_| ())
}

/// Builds them, so that what runs beside each other does not wait for a build.
fn built_tests(_: &Tools) -> Done {
    run(&mut of_the_whole(&["--no-run"]))
}

fn rust(tools: &Tools) -> Done {
    let mut tests = of_the_whole(&[]);
    if tools.long {
        tests.env("PROPTEST_CASES", "100000");
    } else if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        // The same generated cases in each run, so that a failure comes from the current change. `--long` generates
        // new ones.
        tests.env("PROPTEST_RNG_SEED", "20261122");
    }
    side_by_side(&mut tests);
    // A test of all crates also builds the examples, which some tests start.
    tests.env("SKILLTENDER_EXAMPLES", "built").env("SKILLTENDER_LONG", if tools.long { "1" } else { "" });
    run(filtered(&mut tests, tools))
}

/// More tests at a time than there are processors: most wait half of their time, for a quiet disk or another program.
fn side_by_side(tests: &mut Command) {
    const THREADS: &str = "RUST_TEST_THREADS";
    if std::env::var_os(THREADS).is_none() {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        tests.env(THREADS, (processors * 2).to_string());
    }
}

fn schema(_: &Tools) -> Done {
    run(&mut cargo(&["test", "--locked", "--package=schema", "--", "--nocapture"]))
}

fn keychain(_: &Tools) -> Done {
    run(&mut of_the_whole(&["--test=keychain", "--", "--include-ignored"]))
}

fn servers(_: &Tools) -> Done {
    let words = ["--test=engine", "--", "--ignored", "--test-threads=1", "servers::"];
    run(of_the_whole(&words).env("SKILLTENDER_EXAMPLES", "built"))
}

fn faults(_: &Tools) -> Done {
    run(&mut of_the_whole(&["--lib", "--", "--ignored", "replace_file::tests", "journal::tests"]))
}

fn product(tools: &Tools) -> Done {
    let (root, node) = (paths::root(), tools.node()?);
    let (inspector, conformance) = (root.join("tests/inspector"), root.join("tests/conformance"));
    let servers = root.join("tests/servers");
    node.install(&servers)?;
    node.install(&inspector)?;
    node.install(&conformance)?;
    let mut tests = of_the_whole(&["--features=tests/programs", "--test=product"]);
    tests
        .env("SKILLTENDER_LONG", if tools.long { "1" } else { "" })
        .env(PROGRAM, &tools.programs()?.skilltender)
        .env("SKILLTENDER_PYTHON", tools.python()?)
        .env("SKILLTENDER_NODE", node.program())
        .env("SKILLTENDER_SERVERS", servers.join("node_modules/@modelcontextprotocol"))
        .env("SKILLTENDER_INSPECTOR", inspector.join("node_modules/@modelcontextprotocol/inspector"))
        .env("SKILLTENDER_CONFORMANCE", conformance.join("node_modules/@modelcontextprotocol/conformance"));
    if let Some(nginx) = nginx::find() {
        tests.env("SKILLTENDER_NGINX", nginx);
    }
    side_by_side(&mut tests);
    run(filtered(&mut tests, tools))
}

fn client(tools: &Tools) -> Done {
    real::connect(tools.node()?, &tools.programs()?.skilltender, &[real::QUICKEST])
}

fn ui(tools: &Tools) -> Done {
    run(&mut components(tools)?)
}

/// The tests of the window's components.
fn components(tools: &Tools) -> Done<Command> {
    let node = tools.node()?;
    node.install(&paths::root().join("ui"))?;
    let mut tests = under_display(node, "ui", &["npm", "run", "--silent", "test"])?;
    tests.arg("--").args(&tools.filter);
    Ok(tests)
}

fn deb(tools: &Tools) -> Done {
    bundle::debug_packages(tools.node()?, tools.programs()?)
}

/// The app replaces its own AppImage, from a server on this computer.
fn update(tools: &Tools) -> Done {
    let node = tools.node()?;
    node.install(&paths::root().join("ui"))?;
    node.install(&paths::root().join("tests/window"))?;
    let image = bundle::debug_appimage(node, tools.programs()?)?;
    let mut tests = under_display(node, "tests/window", &["npm", "run", "--silent", "test:appimage"])?;
    tests.env("SKILLTENDER_APPIMAGE", image);
    run(tests.env(APP, &tools.programs()?.app).env(PROGRAM, &tools.programs()?.skilltender))
}

fn extension(tools: &Tools) -> Done {
    mcpb::check(tools.node()?, &tools.programs()?.skilltender)
}

fn golden(tools: &Tools) -> Done {
    run(filtered(&mut of_the_whole(&["--test=golden"]), tools))
}

fn rules(tools: &Tools) -> Done {
    run(&mut of_a_crate("skills", tools))?;
    golden(tools)?;
    schema(tools)
}

fn clients(tools: &Tools) -> Done {
    run(&mut of_a_crate("clients", tools))?;
    run(&mut of_the_whole(&["--test=golden", "--", "client"]))
}

/// Everything that a command of the window touches, besides its action's own test.
fn command(tools: &Tools) -> Done {
    golden(tools)?;
    run(&mut of_the_whole(&["--bins", "--", "ipc", "args"]))?;
    window_code(tools)?;
    ui(tools)
}

/// The tests of one crate, which need no built program.
fn of_a_crate(name: &str, tools: &Tools) -> Command {
    let mut tests = cargo(&["test", "--locked", "--package", name]);
    filtered(&mut tests, tools);
    tests
}

fn filtered<'a>(tests: &'a mut Command, tools: &Tools) -> &'a mut Command {
    if tools.filter.is_empty() { tests } else { tests.arg("--").args(&tools.filter) }
}

/// Regenerates every committed file that is made from the code: golden cases, the pages of rules and clients, the
/// schema, the window's types and commands. A person reviews the changes before they are committed.
pub(crate) fn renew() -> Done {
    // The window's commands name its types.
    run(of_the_whole(&["--lib", "--", "typescript::"]).env("UPDATE_GOLDEN", "1"))?;
    run(of_the_whole(&["--test=golden", "--", "case", "page", "example", "count"]).env("UPDATE_GOLDEN", "1"))?;
    run(cargo(&["test", "--locked", "--package=schema", "committed"]).env("UPDATE_GOLDEN", "1"))?;
    licences::renew()?;
    run(Command::new("git").args(["status", "--short", "--", "docs", "tests", "ui"]).current_dir(paths::root()))
}

/// Tests of the whole workspace, so that every step reuses the earlier builds: cargo rebuilds dependencies for each
/// set of packages with other features. Without a target among the words, all tests run that need no built program.
pub(crate) fn of_the_whole(words: &[&str]) -> Command {
    let mut tests = cargo(&["test", "--locked", "--workspace", "--exclude=schema", programs::FEATURES]);
    tests.args(words);
    tests
}

/// Runs only the tests of all real clients from npm.
pub(crate) fn real_clients(yes: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    let node = Node::ensure()?;
    let skilltender = programs::build_command_line()?;
    real::connect(&node, &skilltender, real::ALL)
}

/// Takes the pictures of docs/screens, of the real app.
pub(crate) fn screens(yes: bool) -> Done {
    let tools = Tools::new(yes, false, &[]);
    tools.packages()?;
    run(in_the_window(&tools, "screens")?.env("SKILLTENDER_SCREENS", "1"))
}

/// Takes pictures of every page and dialog, for people to look at.
pub(crate) fn sheets(yes: bool) -> Done {
    let tools = Tools::new(yes, false, &["sheets".to_owned()]);
    tools.packages()?;
    let folder = paths::target().join("screens");
    println!("The contact sheets will be in {}.", folder.display());
    run(components(&tools)?.env("SKILLTENDER_SHEETS", folder))
}

fn window(tools: &Tools) -> Done {
    run(&mut in_the_window(tools, "test")?)
}

/// A script of the window's tests, with the built programs.
fn in_the_window(tools: &Tools, script: &str) -> Done<Command> {
    let (node, built) = (tools.node()?, tools.programs()?);
    node.install(&paths::root().join("tests/window"))?;
    let mut tests = under_display(node, "tests/window", &["npm", "run", "--silent", script])?;
    tests.env(APP, &built.app).env(PROGRAM, &built.skilltender);
    Ok(tests)
}

/// Prints the code metrics, and fails when one exceeds its limit.
pub(crate) fn house() -> Done {
    run(&mut of_the_whole(&["--test=golden", "--", "--nocapture", "house::"]))
}

/// A command in a folder of the repository, under a virtual display, with the pinned Node.
fn under_display(node: &Node, folder: &str, words: &[&str]) -> Done<Command> {
    let mut command = display::virtual_one();
    command.args(words).current_dir(paths::root().join(folder)).env("PATH", node.path()?);
    command.env(NOT_TESTED, paths::not_tested());
    Ok(command)
}

const DENY: &str = "0.20.2";

/// Runs cargo-deny, built once into the build folder. Advisories need a network, so only the hosted workflow checks
/// them.
fn deny() -> Done {
    licences::check()?;
    let folder = paths::cache().join("deny");
    let program = folder.join("bin").join(paths::program("cargo-deny"));
    if !program.exists() {
        run(cargo(&["install", "cargo-deny", "--locked", "--debug", "--quiet", "--version", DENY, "--root"])
            .arg(&folder))?;
    }
    run(Command::new(program).args(["check", "bans", "licenses", "sources"]).current_dir(paths::root()))
}
