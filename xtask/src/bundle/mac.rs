//! One app for both kinds of Mac: the command line is built for each and joined, as Tauri does with the app.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    auditable, paths,
    step::{Done, Failed, run},
};

/// What Tauri calls a build for both.
pub(super) const UNIVERSAL: &str = "universal-apple-darwin";
const EACH: &[&str] = &["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Puts the command line beside the app under each name that Tauri looks for: of each kind, and joined.
pub(super) fn command_line(beside: &Path) -> Done {
    let mut joining = Command::new("lipo");
    joining.arg("-create").arg("-output").arg(joined(beside));
    for target in EACH {
        run(&mut auditable::build(&["--release", "--package=cli", "--target", target]))?;
        let own = beside.join(format!("skilltender-{target}"));
        fs::copy(paths::target().join(target).join("release/skilltender"), &own).map_err(Failed::because)?;
        joining.arg(own);
    }
    run(&mut joining)
}

/// The joined program.
fn joined(beside: &Path) -> PathBuf {
    beside.join(format!("skilltender-{UNIVERSAL}"))
}
