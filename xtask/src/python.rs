//! Python: a virtual environment with the MCP clients that the tests use.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    paths,
    step::{Done, Failed, run},
};

/// The interpreter of the environment, with `tests/requirements.txt` installed.
pub(crate) fn ensure() -> Done<PathBuf> {
    let folder = paths::cache().join("python");
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(inside);
    let wanted = fs::read(paths::root().join("tests/requirements.txt")).map_err(Failed::because)?;
    let mark = folder.join("installed-requirements");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        println!("The Python packages are there.");
        return Ok(python);
    }
    run(Command::new(if cfg!(windows) { "python" } else { "python3" }).args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
            "tests/requirements.txt",
        ])
        .current_dir(paths::root()))?;
    fs::write(mark, wanted).map_err(Failed::because)?;
    Ok(python)
}
