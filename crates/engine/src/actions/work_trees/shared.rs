//! The switches and sets of a library folder that the person's machines share in its git work tree (decision 89): the
//! files of all machines as a commit has them, what they would change here, and what this machine says in its own.
//!
//! The files are read as git has them, never from the disk: there, one may be a link or never end. What they mean
//! together is [`desk`]'s, and what comes of it here [`choices`]'s.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{ActionError, ErrorKind, SwitchChange, SwitchHow, failed};
use choices::{MachineName, SHARED as FOLDER, Stays};
use connect::file_failed;
use fetch::{Cancel, Kept, Kind, TreeFile, WorkTree, WorkTreeError};
use files::{digest, replace_file};
use machine::{Machine, random};
use sources::desk::{self, Desk, DeskError, Here, Key, Said, Value};
use state::{State, blocking};

use crate::Engine;

/// The most files of machines that are read.
const MOST_FILES: usize = 32;

/// A library folder whose switches and sets are shared, as they are now.
pub(super) struct Shared {
    folder: String,
    /// The random name of this machine.
    machine: String,
    state: Arc<State>,
    here: Here,
    known: Desk,
}

/// What the files of all machines say.
#[derive(Default)]
pub(super) struct Files {
    own: Desk,
    others: Desk,
    /// Which machine says it.
    by: BTreeMap<Key, String>,
    /// What is odd, as sentences.
    pub(super) notes: Vec<String>,
    /// The paths of those that were read.
    pub(super) paths: BTreeSet<String>,
    /// Whether a newer program wrote our own file: it is left alone.
    is_own_newer: bool,
}

/// What would change here.
#[derive(Default)]
pub(super) struct Coming {
    pub(super) said: BTreeMap<Key, Said>,
    pub(super) changes: Vec<SwitchChange>,
    pub(super) absent: u32,
}

/// What this machine would say.
pub(super) struct Going {
    /// The path of its file in the work tree.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) changes: Vec<SwitchChange>,
    /// What it knows then.
    pub(super) known: Desk,
}

/// The switches and sets of a folder, if they are shared. The machine has a name from then on.
pub(super) async fn shared(engine: &Engine, folder: &str) -> Result<Option<Shared>, ActionError> {
    let is_shared = |state: &State| {
        state.choices.folders.iter().find(|choice| choice.id == *folder).is_some_and(|choice| choice.known().is_some())
    };
    if !is_shared(&engine.state().now()) {
        return Ok(None);
    }
    let machine = named(engine).await?;
    let (state, there) = (engine.state().now(), there(engine, folder));
    let known = state.choices.folders.iter().find(|choice| choice.id == folder).and_then(|choice| choice.known());
    let Some(known) = known.cloned() else { return Ok(None) };
    let here = state.choices.here(folder, &there);
    Ok(Some(Shared { folder: folder.to_owned(), machine, state, here, known }))
}

/// The name of this machine. Where our data folder is a copy of another one, it gets a name of its own.
async fn named(engine: &Engine) -> Result<String, ActionError> {
    let machine = Arc::clone(engine.machine());
    let of = blocking(move || Ok(machine::mark(&machine.data))).await?;
    let is_named = |name: &&MachineName| name.of == of;
    if let Some(name) = engine.state().now().choices.machine.as_ref().filter(is_named) {
        return Ok(name.id.clone());
    }
    let new = MachineName { id: random::hex(&random::bytes::<6>()), of };
    let choose = move |state: &mut State| {
        let name = state.choices.machine.clone().filter(|name| name.of == new.of).unwrap_or(new);
        state.choices.machine = Some(name.clone());
        name.id
    };
    engine.state().change(choose).await
}

/// The paths of the skills in a folder.
pub(super) fn there(engine: &Engine, folder: &str) -> BTreeSet<String> {
    let catalog = engine.state().catalog();
    catalog.entries().iter().filter(|entry| entry.folder == folder).map(|entry| entry.path.clone()).collect()
}

impl Shared {
    /// Reads the files of the machines among those of a commit. `near`: bytes that are not in the repository.
    pub(super) fn files(
        &self,
        tree: &WorkTree,
        listed: &[TreeFile],
        near: &BTreeMap<String, Vec<u8>>,
        cancel: &Cancel,
    ) -> Result<Files, WorkTreeError> {
        let above = format!("{}{FOLDER}/", tree.inside());
        let name = |file: &TreeFile| {
            let name = file.path.strip_prefix(&above)?.strip_suffix(".yaml")?;
            (!name.contains('/')).then(|| name.to_owned())
        };
        let mut all: Vec<_> = listed.iter().filter_map(|file| Some((name(file)?, file))).collect();
        // Ours is read in any case.
        all.sort_by_key(|(name, file)| (*name != self.machine, file.path.clone()));
        let plain: Vec<_> = all.iter().take(MOST_FILES).map(|(_, file)| *file).filter(|file| is_plain(file)).collect();
        let mut bytes = tree.read(&plain, desk::MOST_BYTES as u64, cancel)?;
        for file in plain {
            if let Some(near) = near.get(&file.id).filter(|bytes| bytes.len() <= desk::MOST_BYTES) {
                bytes.entry(file.id.clone()).or_insert_with(|| near.clone());
            }
        }
        let mut files = Files::default();
        for (at, (name, file)) in all.into_iter().enumerate() {
            let broken = |why: &str| DeskError::Broken { file: shown(&file.path), why: why.to_owned() };
            let read = match bytes.get(&file.id) {
                _ if at >= MOST_FILES => Err(broken("there are files of more than 32 machines")),
                _ if !is_plain(file) => Err(broken("it is no file of a machine")),
                _ if !is_name(&name) => Err(broken("its name is none of a machine")),
                None => Err(broken("it is larger than 4 MiB")),
                Some(bytes) => Desk::read(&shown(&file.path), bytes),
            };
            match read {
                Ok(desk) => {
                    files.paths.insert(file.path.clone());
                    files.add(&name, desk, name == self.machine);
                }
                Err(error) => {
                    files.is_own_newer |= name == self.machine && matches!(error, DeskError::Newer(..));
                    files.notes.push(error.to_string());
                }
            }
        }
        Ok(files)
    }

    /// What this machine knew when it last spoke or listened. What its own file says it has said, also where it was ended
    /// between the commit and noting that.
    fn known(&self, files: &Files) -> Desk {
        let mut known = self.known.clone();
        known.merge(&files.own);
        known
    }

    /// What would change here by these files.
    pub(super) fn coming(&self, files: &Files) -> Coming {
        let agreed = desk::agree(&self.here, &self.known(files), &files.all());
        let change = |(key, said): (&Key, &Said)| SwitchChange {
            machine: files.by.get(key).cloned(),
            stays: self.state.choices.stays(&self.folder, key, said).map(sentence),
            ..self.change(files, key, said)
        };
        let changes = agreed.coming.iter().map(change).collect();
        let absent = u32::try_from(agreed.absent).unwrap_or(u32::MAX);
        Coming { said: agreed.coming, changes, absent }
    }

    /// What this machine says beyond these files, if anything.
    ///
    /// # Errors
    /// When it is more than a file holds.
    pub(super) fn going(&self, tree: &WorkTree, files: &Files) -> Result<Option<Going>, ActionError> {
        if files.is_own_newer {
            return Ok(None);
        }
        let agreed = desk::agree(&self.here, &self.known(files), &files.all());
        let mut known = agreed.known;
        known.0.extend(agreed.first);
        let own = Desk::own(&known, &files.own, &files.others);
        let new = own.beyond(&files.own);
        if new.is_empty() {
            return Ok(None);
        }
        let text = own.to_string();
        let path = format!("{}{FOLDER}/{}.yaml", tree.inside(), self.machine);
        if Desk::read(&path, text.as_bytes()).is_err() {
            let message = "These are more switches and sets than the file of a machine holds.";
            let hints = vec!["Stop sharing the switches and sets of this folder.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message: message.to_owned(), hints });
        }
        let changes = new.iter().map(|(key, said)| self.change(files, key, said)).collect();
        Ok(Some(Going { path, text, changes, known }))
    }

    fn change(&self, files: &Files, key: &Key, said: &Said) -> SwitchChange {
        let name = |key: &str| match (self.here.sets.get(key), files.all_named(key)) {
            (Some(here), _) => here.name.clone(),
            (None, name) => name.unwrap_or_else(|| key.to_owned()),
        };
        let (how, skill, set) = match (key, &said.value) {
            (Key::Skill(path), Value::On) => (SwitchHow::On, Some(path.clone()), None),
            (Key::Skill(path), _) => (SwitchHow::Off, Some(path.clone()), None),
            (Key::Member(set, path), Value::On) => (SwitchHow::Joins, Some(path.clone()), Some(name(set))),
            (Key::Member(set, path), _) => (SwitchHow::Leaves, Some(path.clone()), Some(name(set))),
            (Key::Set(set), Value::Named(name)) => {
                let is_there = matches!(self.known.0.get(key), Some(Said { value: Value::Named(_), .. }))
                    || files.all_named(set).is_some_and(|there| there != *name);
                let how = if is_there { SwitchHow::SetRenamed } else { SwitchHow::SetComes };
                (how, None, Some(name.clone()))
            }
            (Key::Set(set), _) => (SwitchHow::SetGoes, None, Some(name(set))),
        };
        SwitchChange { how, skill, set, machine: None, stays: None }
    }
}

impl Files {
    fn add(&mut self, machine: &str, desk: Desk, is_own: bool) {
        for (key, said) in &desk.0 {
            let there = [&self.own, &self.others].into_iter().filter_map(|desk| desk.0.get(key)).max();
            if there.is_none_or(|there| there < said) {
                self.by.insert(key.clone(), machine.to_owned());
            }
        }
        if is_own {
            self.own = desk;
        } else {
            self.others.merge(&desk);
        }
    }

    /// What all of them say together.
    pub(super) fn all(&self) -> Desk {
        let mut all = self.own.clone();
        all.merge(&self.others);
        all
    }

    fn all_named(&self, set: &str) -> Option<String> {
        let key = Key::Set(set.to_owned());
        let said = [&self.own, &self.others].into_iter().filter_map(|desk| desk.0.get(&key)).max()?;
        if let Value::Named(name) = &said.value { Some(name.clone()) } else { None }
    }
}

impl Going {
    /// Writes the file into the work tree. Returns what puts back what was there.
    pub(super) fn write(&self, tree: &WorkTree, machine: &Machine) -> Result<Written, ActionError> {
        let path = tree.top().join(&self.path);
        let folder = path.parent().unwrap_or(tree.top());
        let refused = |what: &Path| {
            let message = format!("{} is no place for the file of this machine.", machine.place(what));
            let hints = vec!["Remove it, or stop sharing the switches and sets of this folder.".to_owned()];
            ActionError { kind: ErrorKind::Refused, message, hints }
        };
        machine::waiting::for_disk(folder);
        match fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => return Err(refused(folder)),
            Ok(_) => {}
            Err(_) => fs::create_dir(folder).map_err(|error| failed(ErrorKind::System, error.to_string()))?,
        }
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(refused(&path));
        }
        let before = replace_file::read(&path, desk::MOST_BYTES as u64).map_err(file_failed)?;
        if before.as_ref().is_some_and(|bytes| bytes.len() > desk::MOST_BYTES) {
            return Err(refused(&path));
        }
        let written = Written { path, before, text: self.text.clone(), data: machine.data.clone() };
        written.exchange(written.before.as_deref(), Some(self.text.as_bytes()))?;
        Ok(written)
    }

    /// Whether a commit would hold exactly this file, and else what was shown.
    pub(super) fn is_in(&self, shown: &Kept, now: &Kept) -> Result<(), ActionError> {
        if !now.paths.contains(&self.path) {
            let message = format!("git ignores {}, so the switches and sets cannot go along.", self::shown(&self.path));
            let hints = vec!["Take the pattern out of git's ignore file, or stop sharing them.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message, hints });
        }
        let others =
            |files: &[TreeFile]| files.iter().filter(|file| file.path != self.path).cloned().collect::<Vec<_>>();
        let ours = now.after.iter().find(|file| file.path == self.path);
        let is_ours = ours.is_some_and(|file| {
            file.kind == Kind::Plain && now.bytes.get(&file.id).is_some_and(|bytes| bytes == self.text.as_bytes())
        });
        let is_same =
            (&now.head, &now.branch, others(&now.after)) == (&shown.head, &shown.branch, others(&shown.after));
        if is_ours && is_same { Ok(()) } else { Err(failed(ErrorKind::Changed, WorkTreeError::Changed.to_string())) }
    }
}

/// The file of this machine was written.
pub(super) struct Written {
    path: PathBuf,
    before: Option<Vec<u8>>,
    text: String,
    data: PathBuf,
}

impl Written {
    /// Puts back what was there, because nothing was committed.
    pub(super) fn put_back(&self) {
        if let Err(error) = self.exchange(Some(self.text.as_bytes()), self.before.as_deref()) {
            tracing::warn!(error = error.message, "the file of this machine stays as it was written");
        }
    }

    fn exchange(&self, from: Option<&[u8]>, to: Option<&[u8]>) -> Result<(), ActionError> {
        let (before, after) = (from.map(digest), to.map(digest));
        let _begun = replace_file::begin(&self.data, &self.path, before.as_deref(), after.as_deref(), Vec::new())
            .map_err(file_failed)?;
        replace_file::replace(&self.path, from, to).map_err(file_failed)
    }
}

fn is_plain(file: &TreeFile) -> bool {
    matches!(file.kind, Kind::Plain | Kind::Executable)
}

/// Whether it is a name as machines get one.
fn is_name(name: &str) -> bool {
    name.len() == 12 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A path of a repository, without what could break a line.
fn shown(path: &str) -> String {
    path.chars().take(200).flat_map(char::escape_debug).collect()
}

fn sentence(stays: Stays) -> String {
    match stays {
        Stays::Unseen => "It stays off here until you have looked at what it carries.",
        Stays::Held => "It stays off here, because something in it looks harmful and you have not decided.",
        Stays::InUse => "It stays here, because a client or a folder has this set.",
        Stays::HasOthers => "It stays here, because it has skills of other folders too.",
    }
    .to_owned()
}
