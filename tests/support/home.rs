//! A temporary home folder with skills.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use tempfile::TempDir;

use crate::given;

/// A user's home, deleted after the test. Its library is its folder `skills`.
pub struct Home {
    folder: TempDir,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// A home whose library holds two skills: `tea`, with a reference, and `coffee`.
    ///
    /// # Panics
    /// When the disk fails.
    pub fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        home.write("skills/tea/SKILL.md", &skill("tea", "Makes tea. Use when somebody wants tea."));
        home.write("skills/tea/references/water.md", "Boil it.\n");
        home.write("skills/coffee/SKILL.md", &skill("coffee", "Makes coffee. Use when somebody is tired."));
        home.choose(&[]);
        home
    }

    /// Writes the choices file: the library, with these skills switched off. Call it before the engine starts.
    ///
    /// # Panics
    /// When the disk fails.
    pub fn choose(&self, off: &[&str]) {
        let skills: serde_json::Map<_, _> = off.iter().map(|id| ((*id).to_owned(), json!(false))).collect();
        let choices = json!({
            "version": 1,
            "first_run": false,
            "last_folder": 1,
            "folders": [{"id": "f1", "path": self.path("skills"), "enable_new": true, "skills": skills}],
        });
        fs::create_dir_all(self.data()).expect("the data folder is made");
        fs::write(self.data().join("choices.json"), choices.to_string()).expect("the choices are written");
    }

    /// Sets a separate HTTP port for this home, for a test that restarts the engine: by default an engine takes the
    /// first free port, which another test may have by then. Call it after [`choose`](Self::choose).
    ///
    /// # Panics
    /// When the disk fails, or no port is free.
    pub fn settle_port(&self) {
        // Neither the engines' default ports nor the system's ephemeral ports.
        let start = 20_000 + u16::try_from(std::process::id() % 10_000).expect("less than 10,000");
        let free = (start..32_000).find(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok());
        let file = self.data().join("choices.json");
        let text = fs::read_to_string(&file).expect("the choices are there");
        let mut choices: serde_json::Value = serde_json::from_str(&text).expect("they are JSON");
        choices["port"] = json!(free.expect("a free port"));
        fs::write(file, choices.to_string()).expect("the choices are written");
    }

    /// The program in this home, with only the variables that a client passes: HOME and PATH.
    pub fn skilltender(&self) -> Command {
        let mut command = Command::new(given("SKILLTENDER_PROGRAM"));
        command.env_clear().env("HOME", self.folder.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// A path in this home.
    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Skilltender's data folder in it.
    pub fn data(&self) -> PathBuf {
        self.path(if cfg!(target_os = "macos") {
            "Library/Application Support/dev.Skilltender.Skilltender"
        } else {
            ".local/share/skilltender"
        })
    }

    /// Writes a file, with the folders above it.
    ///
    /// # Panics
    /// When the disk fails.
    pub fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("the folder is made");
        fs::write(path, text).expect("the file is written");
    }
}

/// A SKILL.md that follows the specification exactly.
pub fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nRead references first.\n")
}
