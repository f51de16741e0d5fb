//! `cargo xtask bench`: measures the README's figures, on release builds, and says which goals are met.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    display,
    node::Node,
    paths,
    programs::{self, APP, PROGRAM},
    step::{Done, Failed, cargo, run},
};

/// Whatever is measured, the same packages are named: for others cargo would build what they stand on once more.
const PACKAGES: [&str; 4] = ["--package=engine", "--package=mcp", "--package=processes", "--package=tests"];
const MEASUREMENTS: [&str; 5] = ["search", "usage", "gateway", "command_line", "speed"];

/// Measures the command line and the engine.
pub(crate) fn bench() -> Done {
    let program = programs::release_command_line()?;
    run(cargo(&["build", "--profile", "bench", "--examples"]).args(PACKAGES))?;
    let constant = paths::target().join("release/examples").join(paths::program("constant"));
    let goals = Goals::begin("goals.md")?;
    for name in MEASUREMENTS {
        let mut bench = cargo(&["bench", "--bench", name]);
        bench.args(PACKAGES).env(PROGRAM, &program).env("SKILLTENDER_CONSTANT", &constant);
        run(goals.named(&mut bench))?;
    }
    goals.print()
}

/// The file to which each measurement adds its figures, beside their limits and goals.
struct Goals(PathBuf);

impl Goals {
    fn begin(file: &str) -> Done<Self> {
        let file = paths::target().join(file);
        fs::write(&file, "").map_err(Failed::because)?;
        Ok(Self(file))
    }

    fn named<'c>(&self, bench: &'c mut Command) -> &'c mut Command {
        bench.env("SKILLTENDER_GOALS", &self.0)
    }

    fn print(&self) -> Done {
        let rows = fs::read_to_string(&self.0).map_err(Failed::because)?;
        let met = rows.lines().filter(|row| row.ends_with("| met |")).count();
        println!("\n### Goals: {met} of {} are met\n", rows.lines().count());
        println!("| figure | limit | measured | goal | |\n| --- | ---: | ---: | --- | --- |\n{rows}");
        Ok(())
    }
}

/// Measures the window: how soon it paints, its memory and its frames.
pub(crate) fn window() -> Done {
    let node = Node::ensure()?;
    programs::build_window(&node)?;
    let folder = paths::root().join("tests/window");
    node.install(&folder)?;
    let built = programs::release()?;
    let mut bench = display::virtual_one();
    bench.args(["node", "bench/window.js"]).current_dir(folder).env("PATH", node.path()?);
    let goals = Goals::begin("window-goals.md")?;
    run(goals.named(bench.env(APP, built.app).env(PROGRAM, built.skilltender)))?;
    goals.print()
}
