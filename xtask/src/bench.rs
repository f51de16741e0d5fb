//! `cargo xtask bench`: measures the README's figures, on release builds.

use crate::{
    paths, programs,
    step::{Done, cargo, run},
};

pub(crate) fn bench() -> Done {
    let program = programs::release_command_line()?;
    run(&mut cargo(&["build", "--release", "--package=mcp", "--example=constant"]))?;
    let release = paths::target().join("release");
    let constant = release.join("examples").join(paths::program("constant"));
    run(&mut cargo(&["bench", "--package=engine", "--bench=search"]))?;
    run(&mut cargo(&["build", "--release", "--package=processes", "--package=engine", "--examples"]))?;
    run(&mut cargo(&["bench", "--package=engine", "--bench=gateway"]))?;
    run(cargo(&["bench", "--package=tests"]).env("SKILLTENDER_PROGRAM", program).env("SKILLTENDER_CONSTANT", constant))
}
