//! `cargo xtask bench`: measures the README's figures, on release builds.

use crate::{
    display,
    node::Node,
    paths, programs,
    step::{Done, cargo, run},
};

/// Measures the command line and the engine.
pub(crate) fn bench() -> Done {
    let program = programs::release_command_line()?;
    run(&mut cargo(&["build", "--release", "--package=mcp", "--example=constant"]))?;
    let release = paths::target().join("release");
    let constant = release.join("examples").join(paths::program("constant"));
    run(&mut cargo(&["bench", "--package=engine", "--bench=search"]))?;
    run(&mut cargo(&["bench", "--package=engine", "--bench=usage"]))?;
    run(&mut cargo(&["build", "--release", "--package=processes", "--package=engine", "--examples"]))?;
    run(&mut cargo(&["bench", "--package=engine", "--bench=gateway"]))?;
    run(cargo(&["bench", "--package=tests"]).env("SKILLTENDER_PROGRAM", program).env("SKILLTENDER_CONSTANT", constant))
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
