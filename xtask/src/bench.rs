//! `cargo xtask bench`: the figures that the README names, on release builds.

use crate::{
    paths,
    step::{Done, cargo, run},
};

pub(crate) fn bench() -> Done {
    run(&mut cargo(&["build", "--release", "--package=cli"]))?;
    let program = paths::target().join("release").join(paths::program("skilltender"));
    run(cargo(&["bench", "--package=tests"]).env("SKILLTENDER_PROGRAM", program))
}
