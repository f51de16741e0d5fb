//! The files and folders that the person chose in the desktop's dialogs or dropped on the window. The paths stay
//! here: the page gets an id and a place to show, and passes the id to a command. So a script in the page cannot name
//! a file that the person did not choose.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use api::{ActionError, ErrorKind};
use engine::Machine;
use serde::Serialize;

/// The most choices that are remembered; the oldest is forgotten first.
const MOST: usize = 64;

/// The choices of this run.
#[derive(Debug, Default)]
pub(crate) struct Chosen(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    paths: BTreeMap<u64, (Kind, PathBuf)>,
}

/// The purpose of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A folder to read from, or a project's folder.
    Folder,
    /// An existing file.
    File,
    /// A file to write, once.
    Save,
}

/// What the page learns about a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Choice {
    /// Its id in commands.
    pub(crate) id: String,
    /// Its location, for people.
    pub(crate) place: String,
}

impl Chosen {
    /// Remembers a choice.
    pub(crate) fn keep(&self, machine: &Machine, kind: Kind, path: PathBuf) -> Choice {
        let place = machine.place(&path);
        let mut kept = self.kept();
        kept.last += 1;
        let id = kept.last;
        kept.paths.insert(id, (kind, path));
        while kept.paths.len() > MOST {
            kept.paths.pop_first();
        }
        Choice { id: format!("chosen-{id}"), place }
    }

    /// The path of a choice of one of these kinds.
    ///
    /// # Errors
    /// No choice of these kinds has this id.
    pub(crate) fn path(&self, name: &str, kinds: &[Kind]) -> Result<String, ActionError> {
        self.find(name, kinds).map(|path| path.to_string_lossy().into_owned()).ok_or_else(unknown)
    }

    /// The path of a file to write; valid once.
    ///
    /// # Errors
    /// No file was chosen by this id, or it was written already.
    pub(crate) fn take_save(&self, name: &str) -> Result<String, ActionError> {
        let path = self.path(name, &[Kind::Save])?;
        number(name).map(|id| self.kept().paths.remove(&id));
        Ok(path)
    }

    /// The path of a chosen folder, or the text itself when it is one of the `known` paths.
    ///
    /// # Errors
    /// It is neither.
    pub(crate) fn folder_or_known(&self, name: &str, known: &[String]) -> Result<String, ActionError> {
        if known.iter().any(|path| path == name) {
            return Ok(name.to_owned());
        }
        self.path(name, &[Kind::Folder])
    }

    fn find(&self, name: &str, kinds: &[Kind]) -> Option<PathBuf> {
        let kept = self.kept();
        let (kind, path) = kept.paths.get(&number(name)?)?;
        kinds.contains(kind).then(|| path.clone())
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The kind of a dropped path.
pub(crate) fn kind_of(path: &Path) -> Kind {
    if path.is_dir() { Kind::Folder } else { Kind::File }
}

fn number(name: &str) -> Option<u64> {
    name.strip_prefix("chosen-")?.parse().ok()
}

fn unknown() -> ActionError {
    let message = "This was not chosen in a dialog of Skilltender, so nothing was done.".to_owned();
    ActionError { kind: ErrorKind::Refused, message, hints: vec!["Choose it again.".to_owned()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_chosen_is_found_and_only_for_what_it_was_chosen_for() {
        let (chosen, machine) = (Chosen::default(), Machine::here(Some(Path::new("/nowhere"))).unwrap());
        let folder = chosen.keep(&machine, Kind::Folder, "/work/tea".into());
        let save = chosen.keep(&machine, Kind::Save, "/work/tea.zip".into());
        assert_eq!(
            (folder.place.as_str(), chosen.path(&folder.id, &[Kind::Folder]).unwrap().as_str()),
            ("/work/tea", "/work/tea")
        );
        assert!(chosen.path(&folder.id, &[Kind::File, Kind::Save]).is_err());
        for name in ["/work/tea", "/etc/passwd", "", "chosen-0", "chosen-99", "chosen-x", "~/.profile"] {
            assert!(chosen.path(name, &[Kind::Folder, Kind::File, Kind::Save]).is_err(), "{name}");
            assert!(chosen.folder_or_known(name, &["/known".to_owned()]).is_err(), "{name}");
        }
        assert_eq!(chosen.folder_or_known("/known", &["/known".to_owned()]).unwrap(), "/known");
        assert_eq!(chosen.take_save(&save.id).unwrap(), "/work/tea.zip");
        assert!(chosen.take_save(&save.id).is_err(), "it is written once");
        assert!(chosen.take_save(&folder.id).is_err());
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let (chosen, machine) = (Chosen::default(), Machine::here(Some(Path::new("/nowhere"))).unwrap());
        let all: Vec<_> = (0..=MOST).map(|_| chosen.keep(&machine, Kind::Folder, "/a".into()).id).collect();
        assert!(chosen.path(&all[0], &[Kind::Folder]).is_err());
        assert!(chosen.path(&all[1], &[Kind::Folder]).is_ok());
    }
}
