//! Building the window's code and the two programs.

use std::path::PathBuf;

use crate::{
    auditable,
    node::Node,
    paths,
    step::{Done, cargo, is_a_part, run},
};

/// The features of the tested programs. Tests are built with them too, so that both share their dependencies.
pub(crate) const FEATURES: &str = "--features=skilltender-app/updater";

/// What names built programs to tests.
pub(crate) const PROGRAM: &str = "SKILLTENDER_PROGRAM";
pub(crate) const APP: &str = "SKILLTENDER_APP";

/// The programs that the larger run has built of which this is a part.
pub(crate) fn given() -> Option<Programs> {
    if !is_a_part() {
        return None;
    }
    let path = |name| std::env::var_os(name).map(PathBuf::from);
    Some(Programs { skilltender: path(PROGRAM)?, app: path(APP)? })
}

/// The two programs, built; absolute paths.
pub(crate) struct Programs {
    pub(crate) skilltender: PathBuf,
    pub(crate) app: PathBuf,
}

/// Builds the window's code into `ui/dist`, which the app embeds.
pub(crate) fn build_window(node: &Node) -> Done {
    let ui = paths::root().join("ui");
    node.install(&ui)?;
    node.script(&ui, "build")
}

/// Builds both programs in the development profile.
pub(crate) fn build() -> Done<Programs> {
    run(&mut cargo(&["build", "--package=cli", "--package=skilltender-app", FEATURES]))?;
    Ok(built_in("debug"))
}

/// Builds both programs in the release profile.
pub(crate) fn release() -> Done<Programs> {
    run(&mut cargo(&["build", "--release", "--package=cli", "--package=skilltender-app", FEATURES]))?;
    Ok(built_in("release"))
}

fn built_in(profile: &str) -> Programs {
    let folder = paths::target().join(profile);
    Programs {
        skilltender: folder.join(paths::program("skilltender")),
        app: folder.join(paths::program("skilltender-app")),
    }
}

/// Builds the command line alone: no GTK, no window.
pub(crate) fn build_command_line() -> Done<PathBuf> {
    run(&mut cargo(&["build", "--package=cli"]))?;
    Ok(paths::target().join("debug").join(paths::program("skilltender")))
}

/// Builds the command line as a release has it.
pub(crate) fn release_command_line() -> Done<PathBuf> {
    run(&mut auditable::build(&["--release", "--package=cli"]))?;
    Ok(paths::target().join("release").join(paths::program("skilltender")))
}
