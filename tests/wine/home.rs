//! A home for one test: its own data folder and library, on Wine's drive `Z:`, which is this computer's root. The
//! person's home is Wine's own and the same for all tests, because no variable moves it.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{eventually, given, skill};

/// What one test has for itself.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    /// A home with the skill `tea` in its library, which is on.
    pub(crate) fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        home.write("skills/tea/SKILL.md", &skill("tea", "Makes tea. Use when somebody wants tea."));
        let folder = json!({"id": "f1", "path": windows(&home.path("skills")), "enable_new": true, "skills": {}});
        let choices = json!({"version": 1, "first_run": false, "last_folder": 1, "folders": [folder]});
        home.write("data/choices.json", &choices.to_string());
        home
    }

    /// A path of this home as Linux names it.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program with these words, in this home.
    pub(crate) fn skilltender(&self, words: &[&str]) -> Command {
        self.run(&given("SKILLTENDER_WINE_PROGRAM"), words)
    }

    /// Any build of the program.
    pub(crate) fn run(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new("wine");
        command.arg(program).arg("--home").arg(windows(&self.path("data"))).args(words);
        command.stderr(Stdio::null());
        command
    }

    /// The program, started by another one (`xtask/src/wine/start.c`) without a console. A line of input to that one ends
    /// it.
    pub(crate) fn detached(&self, words: &[&str]) -> Command {
        let mut command = Command::new("wine");
        let program = windows(&given("SKILLTENDER_WINE_PROGRAM"));
        command.arg(given("SKILLTENDER_WINE_START")).args([&program, "--home", &windows(&self.path("data"))]);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Waits until an engine carries out an order here.
    pub(crate) fn serves(&self) {
        eventually("the engine", || self.path("data/engine.pid").exists().then_some(()));
        eventually("an order is carried out", || {
            self.given(&["settings", "pause", "off"], "").status.success().then_some(())
        });
    }

    /// What the program prints; it must not fail.
    pub(crate) fn said(&self, words: &[&str]) -> String {
        let output = self.given(words, "");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same, as JSON.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let said = self.said(words);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{words:?}: {error} in {said}"))
    }

    /// The program with this input.
    pub(crate) fn given(&self, words: &[&str], input: &str) -> Output {
        let mut command = self.skilltender(words);
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}

/// A path of this computer as Windows writes it.
pub(crate) fn windows(path: &Path) -> String {
    format!("Z:{}", path.display().to_string().replace('/', "\\"))
}

/// The home folder of Wine's person.
pub(crate) fn person() -> PathBuf {
    let users = given("WINEPREFIX").join("drive_c/users");
    let mut people = fs::read_dir(users).unwrap().map(|entry| entry.unwrap().path());
    people.find(|path| !path.ends_with("Public")).unwrap()
}
