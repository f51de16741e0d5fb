//! The folders of people's programs. A window is often started with a short PATH, so the login shell is asked
//! for its own, once, when a person first wants to run a server.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use files::store;
use machine::Machine;
use serde::{Deserialize, Serialize};
use tokio::{process::Command, time::timeout};

/// The file for the answer, in the data folder.
const FILE: &str = "login-path.json";
/// A login shell that takes longer is waiting for input.
const PATIENCE: Duration = Duration::from_secs(5);
/// Printed before and after the PATH, because the shell may print a greeting.
const MARK: &str = "skilltender-path:";

/// The answer of the login shell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LoginPath {
    /// The folders of its PATH; `None` before it was asked.
    pub folders: Option<Vec<PathBuf>>,
}

/// The folders to search for programs: those of the login shell, then Skilltender's own.
pub fn search(machine: &Machine) -> Vec<PathBuf> {
    let known: LoginPath = store::peek(&machine.data.join(FILE));
    let mut folders = Vec::new();
    for folder in known.folders.into_iter().flatten().chain(machine.search.iter().cloned()) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// Asks the login shell, unless it was asked before. After a failure it is asked again only at a person's
/// request.
pub async fn ask(machine: &Machine, again: bool) {
    let path = machine.data.join(FILE);
    let known: LoginPath = store::peek(&path);
    if known.folders.is_some() && !again || cfg!(windows) {
        return;
    }
    let folders = login_path().await.unwrap_or_default();
    // If saving fails, the shell is asked again.
    drop(store::save(&path, &LoginPath { folders: Some(folders) }));
}

async fn login_path() -> Option<Vec<PathBuf>> {
    let shell = env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into());
    let mut command = Command::from(machine::background(shell));
    command.args(["-l", "-c", &format!("printf '{MARK}%s\\n' \"$PATH\"")]);
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let path = said.lines().find_map(|line| line.split_once(MARK)).map(|(_, path)| path.to_owned())?;
    Some(env::split_paths(&path).filter(|folder| folder.is_absolute()).collect())
}

/// How the names of programs end on Windows, the first choice first: what npm installs is a `.cmd`.
pub const WINDOWS_ENDINGS: &[&str] = &[".exe", ".cmd", ".bat"];

/// The first program of this name in these folders.
pub fn find_program(name: &str, search: &[PathBuf]) -> Option<PathBuf> {
    let endings: &[&str] = match Path::new(name).extension() {
        // There a file without one of these is no program, such as the script for other shells beside `npx.cmd`.
        Some(end) if cfg!(windows) && WINDOWS_ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(&known[1..])) => {
            &[""]
        }
        _ if cfg!(windows) => WINDOWS_ENDINGS,
        _ => &[""],
    };
    let named = |folder: &PathBuf| {
        endings.iter().map(|ending| folder.join(format!("{name}{ending}"))).find(|path| is_program(path))
    };
    search.iter().find_map(named)
}

pub(crate) fn is_program(path: &Path) -> bool {
    let Ok(found) = fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = {
        use std::os::unix::fs::PermissionsExt as _;
        found.permissions().mode() & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = true;
    found.is_file() && may_run
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn a_script_without_an_ending_is_no_program_of_windows_and_hides_none() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        for (folder, name) in [(&first, "npx"), (&second, "npx"), (&second, "npx.cmd"), (&second, "node.exe")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(name), "").unwrap();
        }
        let search = [first, second.clone()];
        assert_eq!(find_program("npx", &search), Some(second.join("npx.cmd")));
        assert_eq!(find_program("NPX.CMD", &search).map(|found| found.is_file()), Some(true));
        assert_eq!(find_program("node", &search), Some(second.join("node.exe")));
        assert_eq!(find_program("node.exe", &search), Some(second.join("node.exe")));
    }
}
