//! What the shell remembers from one run to the next: the window's size and place, the skills in the tray's menu, and
//! what was said once. A file that cannot be read or written costs only this memory.

use std::{fs, path::PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// Everything that is remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Memory {
    /// The form of the file.
    pub(crate) version: u32,
    /// The window's size in logical pixels, when it is not maximised.
    pub(crate) width: Option<f64>,
    /// See `width`.
    pub(crate) height: Option<f64>,
    /// The window's place in physical pixels, where the desktop tells it.
    pub(crate) x: Option<i32>,
    /// See `x`.
    pub(crate) y: Option<i32>,
    /// Whether the window is maximised.
    pub(crate) maximised: bool,
    /// Whether the desktop was dark, and its screen fine, when there was a window that could tell: the tray's icon fits.
    pub(crate) dark: Option<bool>,
    /// See `dark`.
    pub(crate) fine: bool,
    /// Whether the person was told that a closed window leaves the program in the tray.
    pub(crate) told_of_tray: bool,
    /// The keys of the skills that were last switched or edited, the latest first.
    pub(crate) recent: Vec<String>,
    /// The tag of the language that was shown, for what is said before the engine runs.
    pub(crate) language: Option<String>,
}

/// The memory and its file.
pub(crate) struct Remembered {
    file: PathBuf,
    memory: Mutex<Memory>,
}

impl Remembered {
    /// Reads the file; without a readable one nothing is remembered.
    pub(crate) fn open(file: PathBuf) -> Self {
        let memory = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
        Self { file, memory: Mutex::new(memory.unwrap_or_default()) }
    }

    pub(crate) fn get(&self) -> Memory {
        self.memory.lock().clone()
    }

    /// Changes the memory, and the file if that made a difference.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Memory)) {
        let mut memory = self.memory.lock();
        let before = memory.clone();
        change(&mut memory);
        memory.version = 1;
        if *memory == before {
            return;
        }
        let written = serde_json::to_string(&*memory).map_err(std::io::Error::from);
        if let Err(why) = written.and_then(|text| fs::write(&self.file, text)) {
            tracing::warn!("{} cannot be written: {why}", self.file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_remembered_is_there_in_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        assert_eq!(Remembered::open(file.clone()).get(), Memory::default());
        Remembered::open(file.clone()).change(|memory| {
            memory.width = Some(1000.5);
            memory.recent = vec!["f1/tea".to_owned()];
        });
        let memory = Remembered::open(file).get();
        assert_eq!((memory.width, memory.height, memory.recent), (Some(1000.5), None, vec!["f1/tea".to_owned()]));
    }

    #[test]
    fn the_file_of_an_earlier_version_is_read_and_a_broken_one_is_left_aside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        fs::write(&file, r#"{"version": 1, "width": 900, "height": 700}"#).unwrap();
        assert_eq!(Remembered::open(file.clone()).get().height, Some(700.0));
        for text in [r#"{"width": "wide"}"#, "not JSON", ""] {
            fs::write(&file, text).unwrap();
            assert_eq!(Remembered::open(file.clone()).get(), Memory::default(), "{text}");
        }
    }
}
