//! `cargo xtask packages --windows FOLDER`: installers of the programs that Linux links for Windows, in Wine.
//!
//! `packaging/windows/trial.sh` builds an NSIS installer and an msi of `skilltender.exe` in the folder, installs, runs
//! and removes them. It shows what such installers do to a person's files; the release's own are Tauri's.

use std::{path::Path, process::Command};

use crate::{
    cross, paths,
    step::{Done, Failed, is_installed, run},
    wine,
};

/// What the trial is made of, and the package of Debian that has it.
const TOOLS: &[(&str, &str)] = &[
    ("wine", "wine64"),
    ("makensis", "nsis"),
    ("wixl", "wixl"),
    ("x86_64-w64-mingw32-strip", "binutils-mingw-w64-x86-64"),
];

/// What is missing for the trial, as a command.
pub(crate) fn missing() -> Option<String> {
    let (tool, package) = TOOLS.iter().find(|(tool, _)| !is_installed(tool))?;
    Some(format!("{tool} is not installed: apt-get install {package}"))
}

/// Tries the installers of the programs in a folder.
///
/// # Errors
///
/// A tool is missing, or a step is not as it should be.
pub(crate) fn try_in_wine(built: &Path) -> Done {
    if let Some(hint) = missing() {
        return Err(Failed(hint));
    }
    let prefix = wine::prepare(&cross::compiler_for_windows()?)?;
    let work = tempfile::tempdir().map_err(Failed::because)?;
    let mut trial = Command::new(paths::root().join("packaging/windows/trial.sh"));
    trial.arg(built).args([work.path().as_os_str(), env!("CARGO_PKG_VERSION").as_ref()]);
    let done = run(wine::in_wine(&mut trial, &prefix));
    wine::stop(&prefix);
    done
}
