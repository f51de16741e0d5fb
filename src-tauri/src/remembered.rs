//! What the shell remembers from one run to the next: the window's size and place, the skills in the tray's menu, and
//! what was said once. A file that cannot be read or written costs only this memory, and what a later version wrote
//! besides stays in it.

use std::path::PathBuf;

use engine::store;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Everything that is remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Memory {
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
    /// Why an update was not installed, as a sentence, when it was found out while the program ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) update_failed: Option<String>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// The memory and its file.
pub(crate) struct Remembered {
    file: PathBuf,
    memory: Mutex<Memory>,
}

impl Remembered {
    /// Reads the file; without a readable one nothing is remembered.
    pub(crate) fn open(file: PathBuf) -> Self {
        let memory = Mutex::new(store::peek(&file));
        Self { file, memory }
    }

    pub(crate) fn get(&self) -> Memory {
        self.memory.lock().clone()
    }

    /// Changes the memory, and the file if that made a difference.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Memory)) {
        let mut memory = self.memory.lock();
        let before = memory.clone();
        change(&mut memory);
        // The engine does not start beside a file of a later version.
        if *memory == before || store::is_newer(&self.file) {
            return;
        }
        if let Err(why) = store::save(&self.file, &*memory) {
            tracing::warn!("{} cannot be written: {why}", self.file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn what_a_later_version_wrote_stays_and_its_own_kind_of_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        fs::write(&file, r#"{"version": 1, "width": 900.0, "zoom": {"of": [1, 2]}}"#).unwrap();
        Remembered::open(file.clone()).change(|memory| memory.dark = Some(true));
        let now: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(now["zoom"], serde_json::json!({"of": [1, 2]}));
        assert_eq!((&now["version"], &now["width"], &now["dark"]), (&1.into(), &900.0.into(), &true.into()));
        // No other file is left.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let later = r#"{"version": 2, "width": "wide"}"#;
        fs::write(&file, later).unwrap();
        Remembered::open(file.clone()).change(|memory| memory.dark = Some(false));
        assert_eq!(fs::read_to_string(&file).unwrap(), later);
    }

    #[cfg(unix)]
    #[test]
    fn it_is_written_beside_and_put_in_place_so_that_a_crash_leaves_the_old_one() {
        use std::os::unix::fs::MetadataExt as _;

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("window.json");
        let remembered = Remembered::open(file.clone());
        remembered.change(|memory| memory.dark = Some(true));
        let held = fs::File::open(&file).unwrap();
        remembered.change(|memory| memory.dark = Some(false));
        assert_ne!(held.metadata().unwrap().ino(), fs::metadata(&file).unwrap().ino());
    }
}
