//! `cargo xtask run`: from a fresh clone to the running product.

use std::process::Command;

use crate::{
    display,
    node::Node,
    packages, paths, programs,
    step::{Done, Failed},
};

pub(crate) fn run(yes: bool, arguments: &[String]) -> Done {
    let starters = paths::root().join("skills");
    if !display::there_is_one() {
        println!("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set):");
        println!("the same engine and endpoint run in this terminal instead of the window.\n");
        let program = programs::build_command_line()?;
        return start(Command::new(program).arg("serve").args(arguments).env("SKILLTENDER_STARTERS", starters));
    }
    packages::ensure(&[packages::WINDOW], yes)?;
    programs::build_window(&Node::ensure()?)?;
    let built = programs::build()?;
    start(Command::new(built.app).args(arguments).env("SKILLTENDER_STARTERS", starters))
}

/// Runs the product in the foreground, with the terminal's input.
fn start(command: &mut Command) -> Done {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed(format!("Skilltender ended with {status}."))),
        Err(why) => Err(Failed(format!("Skilltender does not start: {why}."))),
    }
}
