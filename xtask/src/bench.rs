//! `cargo xtask bench`: measures the README's figures, on release builds, and says which goals are met.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    display,
    node::Node,
    paths, programs,
    step::{Done, Failed, cargo, run},
};

/// Measures the command line and the engine.
pub(crate) fn bench() -> Done {
    let program = programs::release_command_line()?;
    run(&mut cargo(&["build", "--profile", "bench", "--package=mcp", "--example=constant"]))?;
    let release = paths::target().join("release");
    let constant = release.join("examples").join(paths::program("constant"));
    run(&mut cargo(&["build", "--profile", "bench", "--package=processes", "--package=engine", "--examples"]))?;
    let goals = Goals::begin()?;
    for bench in ["search", "usage", "gateway"] {
        run(goals.named(&mut cargo(&["bench", "--package=engine", "--bench", bench])))?;
    }
    let mut speed = cargo(&["bench", "--package=tests"]);
    speed.env("SKILLTENDER_PROGRAM", program).env("SKILLTENDER_CONSTANT", constant);
    run(goals.named(&mut speed))?;
    goals.print()
}

/// The file to which each measurement adds its figures, beside their limits and goals.
struct Goals(PathBuf);

impl Goals {
    fn begin() -> Done<Self> {
        let file = paths::target().join("goals.md");
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
    run(bench.env("SKILLTENDER_APP", built.app).env("SKILLTENDER_PROGRAM", built.skilltender))
}
