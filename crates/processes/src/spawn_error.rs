//! Why a server cannot be started, as a sentence that says what to do.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Checks before the start. A program without a folder is searched later, in the child's own PATH.
///
/// # Errors
/// With the sentence, of the kind `NotFound` or `PermissionDenied`.
pub(crate) fn before(program: &Path, cwd: &Path) -> io::Result<()> {
    if !cwd.is_dir() {
        return Err(no_folder(cwd));
    }
    match placed(program, cwd) {
        Some(path) if !path.exists() => Err(missing(program)),
        Some(path) if !may_run(&path) => Err(not_a_program(program)),
        _ => Ok(()),
    }
}

/// Explains the system's refusal.
pub(crate) fn after(program: &Path, cwd: &Path, error: &io::Error) -> io::Error {
    if let Err(refused) = before(program, cwd) {
        return refused;
    }
    match error.kind() {
        io::ErrorKind::NotFound if placed(program, cwd).is_some() => new(
            error.kind(),
            format!("{} is there, but what it is run by is not. Install what its first line names.", program.display()),
        ),
        io::ErrorKind::NotFound => missing(program),
        io::ErrorKind::PermissionDenied => not_a_program(program),
        kind => new(kind, format!("{} could not be started: {error}.", program.display())),
    }
}

/// The program's path, if its name includes a folder.
fn placed(program: &Path, cwd: &Path) -> Option<PathBuf> {
    (program.components().count() > 1 || program.is_absolute()).then(|| cwd.join(program))
}

fn missing(program: &Path) -> io::Error {
    new(
        io::ErrorKind::NotFound,
        format!("The program {} is not there. Install it, or correct its name.", program.display()),
    )
}

fn not_a_program(program: &Path) -> io::Error {
    let sentence =
        format!("{} may not be run: it is no program, or its permissions do not allow it.", program.display());
    new(io::ErrorKind::PermissionDenied, sentence)
}

fn no_folder(cwd: &Path) -> io::Error {
    new(
        io::ErrorKind::NotFound,
        format!(
            "The folder {} is not there, in which the server is to run. Make it, or correct the path.",
            cwd.display()
        ),
    )
}

fn new(kind: io::ErrorKind, sentence: String) -> io::Error {
    io::Error::new(kind, sentence)
}

#[cfg(unix)]
fn may_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_run(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}
