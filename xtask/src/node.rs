//! JavaScript: one pinned Node for every tool, and the packages of the window and of the tests.
//!
//! Only `.node-version` names the version. The machine's npm downloads it as a package, so that nothing is installed
//! outside the build folder.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    paths,
    step::{Done, Failed, output_of, run},
};

/// The pinned Node, installed.
pub(crate) struct Node {
    program: PathBuf,
}

impl Node {
    /// Installs the pinned Node in the build folder.
    pub(crate) fn ensure() -> Done<Self> {
        let wanted = fs::read_to_string(paths::root().join(".node-version")).map_err(Failed::because)?;
        let wanted = wanted.trim();
        let folder = paths::cache().join("node");
        let program = folder.join("node_modules/node/bin").join(paths::program("node"));
        if output_of(Command::new(&program).arg("--version")).is_some_and(|version| version == format!("v{wanted}")) {
            return Ok(Self { program });
        }
        fs::create_dir_all(&folder).map_err(Failed::because)?;
        let npm = npm_program()?;
        run(Command::new(npm)
            .args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
            .arg(&folder)
            .arg(format!("node@{wanted}")))?;
        match output_of(Command::new(&program).arg("--version")) {
            Some(_) => Ok(Self { program }),
            None => Err(Failed(format!("Node {wanted} was installed but does not start: {}.", program.display()))),
        }
    }

    /// The path of the program.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Installs the packages of a folder's lock file. Repeated only when the lock file has changed.
    pub(crate) fn install(&self, folder: &Path) -> Done {
        let lock = fs::read(folder.join("package-lock.json")).map_err(Failed::because)?;
        let mark = folder.join("node_modules/.installed-lock");
        if fs::read(&mark).is_ok_and(|installed| installed == lock) {
            println!("The packages of {} are there.", folder.display());
            return Ok(());
        }
        run(self.npm(folder)?.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
        fs::write(mark, lock).map_err(Failed::because)
    }

    /// Runs a script of a folder's package.json.
    pub(crate) fn script(&self, folder: &Path, script: &str) -> Done {
        run(self.npm(folder)?.args(["run", "--silent", script]))
    }

    /// npm in a folder, with the pinned Node first on the path.
    pub(crate) fn npm(&self, folder: &Path) -> Done<Command> {
        let mut npm = Command::new(npm_program()?);
        npm.current_dir(folder).env("PATH", self.path()?);
        Ok(npm)
    }

    /// The search path with the pinned Node first.
    pub(crate) fn path(&self) -> Done<std::ffi::OsString> {
        let first = self.program.parent().map(Path::to_path_buf);
        let others = env::var_os("PATH").unwrap_or_default();
        env::join_paths(first.into_iter().chain(env::split_paths(&others))).map_err(Failed::because)
    }
}

fn npm_program() -> Done<&'static str> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match output_of(Command::new(npm).arg("--version")) {
        Some(_) => Ok(npm),
        None => Err(Failed("npm is not there. Install Node 20 or newer (with npm), then try again.".to_owned())),
    }
}
