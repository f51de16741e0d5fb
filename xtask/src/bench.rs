//! `cargo xtask bench`: the figures that the README names, on release builds.

use crate::step::{Done, cargo, run};

pub(crate) fn bench() -> Done {
    run(&mut cargo(&["build", "--release", "--package=cli"]))?;
    run(&mut cargo(&["bench", "--package=tests"]))
}
