//! `cargo xtask bench`: the figures that the README names, on release builds.

use crate::{
    paths,
    step::{Done, cargo, run},
};

pub(crate) fn bench() -> Done {
    run(&mut cargo(&["build", "--release", "--package=cli"]))?;
    run(&mut cargo(&["build", "--release", "--package=mcp", "--example=constant"]))?;
    let release = paths::target().join("release");
    let program = release.join(paths::program("skilltender"));
    let constant = release.join("examples").join(paths::program("constant"));
    run(&mut cargo(&["bench", "--package=engine", "--bench=search"]))?;
    run(&mut cargo(&["build", "--release", "--package=engine", "--examples"]))?;
    run(&mut cargo(&["bench", "--package=engine", "--bench=gateway"]))?;
    run(cargo(&["bench", "--package=tests"]).env("SKILLTENDER_PROGRAM", program).env("SKILLTENDER_CONSTANT", constant))
}
