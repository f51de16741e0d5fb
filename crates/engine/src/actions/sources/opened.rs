//! A source at one commit: fetched, and its skills read as an import reads them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
    sync::Arc,
};

use api::{ActionError, ErrorKind, failed};
use fetch::{Cancel, Commit, FetchError, Git, Kind, Tip, Tips, TreeFile};
use library::import::{Incoming, IncomingFile, IncomingSkill, Listed, RefusedSkill, read_listed, skill_folders};
use machine::Machine;
use origins::Record;
use sources::{
    Origin, Source,
    update::{FileBytes, FileSet},
};

/// A source at one commit. Clones share what was read.
#[derive(Clone)]
pub(super) struct Opened {
    /// For people: `acme/skills`.
    name: String,
    pub(super) address: String,
    pub(super) follows: Option<String>,
    /// The folder that was asked for.
    inside: String,
    /// The only skill that was asked for, by name.
    skill: Option<String>,
    pub(super) commit: Commit,
    files: Arc<Vec<TreeFile>>,
    /// Bytes that were read ahead, by their ids.
    ahead: Arc<BTreeMap<String, Vec<u8>>>,
}

/// Where fetched commits are kept.
pub(super) fn folder(machine: &Machine) -> PathBuf {
    machine.data.join("fetched")
}

/// Finds git.
pub(in crate::actions) fn git(machine: &Machine) -> Result<Git, ActionError> {
    Git::find(machine, &folder(machine)).map_err(|error| refuse(&error))
}

/// What fetching refuses is refused by the action.
pub(in crate::actions) fn refuse(error: &FetchError) -> ActionError {
    let kind = match error {
        FetchError::NoReference { .. } | FetchError::NoRepository(_) => ErrorKind::NotFound,
        FetchError::Disk(..) | FetchError::NoGit => ErrorKind::System,
        _ => ErrorKind::Refused,
    };
    failed(kind, error.to_string())
}

/// Opens what a person wrote: at this commit, or at what it follows.
pub(super) fn open(
    machine: &Machine,
    written: &str,
    commit: Option<&str>,
    cancel: &Cancel,
) -> Result<Opened, ActionError> {
    let source = Source::read(written).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
    let Origin::Git(address) = &source.origin else { return Err(no_repository(&source)) };
    let git = git(machine)?;
    let told = |error: FetchError| refuse(&error);
    // What was looked at is here already.
    let kept = commit.and_then(|commit| git.kept(address, commit));
    if let (Some(found), 1) = (&kept, source.readings().len()) {
        return Opened::new(&source, address, found.clone(), cancel).map_err(told);
    }
    let tips = git.tips(address, cancel).map_err(told)?;
    let reading = reading_of(&source, &tips);
    if let Some(found) = kept {
        return Opened::new(&reading, address, found, cancel).map_err(told);
    }
    let tip = match commit {
        Some(commit) => Tip { reference: commit.to_owned(), commit: commit.to_owned(), is_tag: false },
        None => git.tip_of(address, &tips, reading.follows.as_deref()).map_err(told)?,
    };
    let fetched = git.fetch(address, &tip, cancel).map_err(told)?;
    Opened::new(&reading, address, fetched, cancel).map_err(told)
}

/// The way to tell the branch from the folder in what was written: the one whose branch is there.
fn reading_of(source: &Source, tips: &Tips) -> Source {
    let found = source.readings().into_iter().find(|reading| tips.find(reading.follows.as_deref()).is_some());
    found.unwrap_or_else(|| source.clone())
}

impl Opened {
    fn new(source: &Source, address: &str, commit: Commit, cancel: &Cancel) -> Result<Self, FetchError> {
        let name = Source::read(address).map_or_else(|_| address.to_owned(), |source| source.to_string());
        let Source { follows, inside, skill, .. } = source.clone();
        let (files, ahead) = (Arc::new(commit.files(cancel)?), Arc::default());
        Ok(Self { name, address: address.to_owned(), follows, inside, skill, commit, files, ahead })
    }

    /// What a record follows, at a commit.
    pub(super) fn at(git: &Git, record: &Record, tip: &Tip, cancel: &Cancel) -> Result<Self, FetchError> {
        let commit = git.fetch(&record.address, tip, cancel)?;
        let (files, ahead) = (Arc::new(commit.files(cancel)?), Arc::default());
        let (address, follows, inside) = (record.address.clone(), record.follows.clone(), record.inside.clone());
        Ok(Self { name: record.source(), address, follows, inside, skill: None, commit, files, ahead })
    }

    /// The same source and commit for the skill in this folder.
    pub(super) fn inside(&self, folder: &str) -> Self {
        Self { inside: folder.to_owned(), skill: None, ..self.clone() }
    }

    /// The folders with a SKILL.md that the source holds, sorted.
    pub(super) fn skill_folders(&self) -> Vec<String> {
        let files = self.files.iter().filter(|file| is_inside(&file.path, &self.inside));
        skill_folders(files.map(|file| file.path.as_str())).into_iter().map(str::to_owned).collect()
    }

    /// Reads the files of several skills at once, in one request. Where that is too much, each is read by itself.
    pub(super) fn read_ahead<'r>(&mut self, records: impl Iterator<Item = &'r Record>, cancel: &Cancel) {
        let insides = records.map(|record| record.inside.as_str()).collect();
        match self.commit.bytes(ids_in(self.files.iter(), &insides), cancel) {
            Ok(bytes) => self.ahead = Arc::new(bytes),
            Err(error) => tracing::debug!(%error, "the skills of a source are read one by one"),
        }
    }

    /// The sizes of these files, and the bytes of these.
    fn sizes<'i>(
        &self,
        ids: impl Iterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<HashMap<String, u64>, FetchError> {
        let ids: Vec<_> = ids.collect();
        let known = |id: &&str| Some(((*id).to_owned(), self.ahead.get(*id)?.len() as u64));
        match ids.iter().map(known).collect() {
            Some(sizes) => Ok(sizes),
            None => self.commit.sizes(ids, cancel),
        }
    }

    fn bytes<'i>(
        &self,
        ids: impl Iterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, Vec<u8>>, FetchError> {
        let ids: Vec<_> = ids.collect();
        let known = |id: &&str| Some(((*id).to_owned(), self.ahead.get(*id)?.clone()));
        match ids.iter().map(known).collect() {
            Some(bytes) => Ok(bytes),
            None => self.commit.bytes(ids, cancel),
        }
    }

    /// For people: `acme/skills`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The skills: all that were asked for, or those at the paths in `only`. Those that are `there` already, by address
    /// and folder, are refused.
    pub(super) fn incoming(
        &self,
        only: Option<&[String]>,
        there: &BTreeMap<(String, String), String>,
        cancel: &Cancel,
    ) -> Result<Incoming, ActionError> {
        let files: Vec<_> = self.files.iter().filter(|file| is_inside(&file.path, &self.inside)).collect();
        if files.is_empty() {
            let message = format!("{} has no folder {}.", self.name, self.inside);
            return Err(failed(ErrorKind::NotFound, message));
        }
        let folders = skill_folders(files.iter().map(|file| file.path.as_str()));
        let is_wanted = |folder: &str| {
            only.is_none_or(|only| {
                only.iter().any(|path| path.trim_end_matches('/') == folder || path == "." && folder.is_empty())
            })
        };
        let wanted: BTreeSet<_> = folders.into_iter().filter(|folder| is_wanted(folder)).collect();
        let told = |error: FetchError| refuse(&error);
        let sizes = self.sizes(ids_in(files.iter().copied(), &wanted), cancel).map_err(told)?;
        let listed: Vec<_> = files.iter().map(|file| self.listed(file, sizes.get(&file.id).copied())).collect();
        // Only what may come is read: a skill that is refused may be large.
        let taken = read_listed(&self.name, &listed, only, &mut |_| Ok(Vec::new()))
            .map_err(|refused| failed(ErrorKind::Refused, refused.0))?;
        let taken = taken.skills.iter().map(|skill| skill.path.as_str()).collect();
        let bytes = self.bytes(ids_in(files.iter().copied(), &taken), cancel).map_err(told)?;
        let incoming = read_listed(&self.name, &listed, only, &mut |index| {
            Ok(bytes.get(&files[index].id).cloned().unwrap_or_default())
        });
        let mut incoming = incoming.map_err(|refused| failed(ErrorKind::Refused, refused.0))?;
        self.only_named(&mut incoming)?;
        incoming.skills.retain(|skill| {
            let Some(place) = there.get(&(self.address.clone(), skill.path.clone())) else { return true };
            let why = format!("It is in your library already: {place}.");
            incoming.refused.push(RefusedSkill { path: skill.path.clone(), why });
            false
        });
        if incoming.skills.is_empty() {
            let message = format!("Every skill of {} that can come is in your library already.", self.name);
            return Err(failed(ErrorKind::Already, message));
        }
        Ok(incoming)
    }

    /// Keeps only the skill that was asked for by its name.
    fn only_named(&self, incoming: &mut Incoming) -> Result<(), ActionError> {
        let Some(wanted) = &self.skill else { return Ok(()) };
        let name = |skill: &IncomingSkill| {
            let bytes = &skill.files[&::skills::SkillPath::skill_md()].bytes;
            ::skills::read(&skill.id, bytes).name
        };
        if !incoming.skills.iter().any(|skill| skill.id == *wanted || name(skill) == *wanted) {
            let known: Vec<_> = incoming.skills.iter().map(|skill| skill.id.as_str()).collect();
            let message = format!("{} has no skill {wanted}. It has {}.", self.name, text::some_of(&known));
            return Err(failed(ErrorKind::NotFound, message));
        }
        incoming.skills.retain(|skill| skill.id == *wanted || name(skill) == *wanted);
        incoming.refused.clear();
        incoming.left_out.clear();
        Ok(())
    }

    /// The files of the one skill in the folder that was asked for.
    pub(super) fn one_skill(&self, cancel: &Cancel) -> Result<FileSet, ActionError> {
        let gone = || {
            let message = match self.inside.as_str() {
                "" => format!("{} is no skill any more. Yours stays as it is.", self.name),
                inside => format!("{} has no skill at {inside} any more. Yours stays as it is.", self.name),
            };
            failed(ErrorKind::NotFound, message)
        };
        let skill_md = if self.inside.is_empty() { "SKILL.md".to_owned() } else { format!("{}/SKILL.md", self.inside) };
        if !self.files.iter().any(|file| file.path == skill_md) {
            return Err(gone());
        }
        let only = [if self.inside.is_empty() { ".".to_owned() } else { self.inside.clone() }];
        let incoming = self.incoming(Some(&only), &BTreeMap::new(), cancel)?;
        let skill = incoming.skills.into_iter().next().ok_or_else(gone)?;
        Ok(files_of(&skill))
    }

    fn listed(&self, file: &TreeFile, size: Option<u64>) -> Listed {
        let trouble = match file.kind {
            Kind::Submodule => Some(format!("`{}` is another repository, which is not fetched.", file.path)),
            _ if file.path.contains(char::REPLACEMENT_CHARACTER) => {
                Some(format!("The name of `{}` is not UTF-8.", file.path))
            }
            _ => None,
        };
        Listed {
            path: file.path.clone(),
            size: size.unwrap_or_default(),
            executable: file.kind == Kind::Executable,
            link: file.kind == Kind::Link,
            trouble,
        }
    }
}

/// The ids of the files in these folders and below; the empty folder is all of it.
fn ids_in<'f>(files: impl Iterator<Item = &'f TreeFile>, folders: &BTreeSet<&str>) -> impl Iterator<Item = &'f str> {
    let is_in =
        |path: &str| folders.contains("") || path.match_indices('/').any(|(at, _)| folders.contains(&path[..at]));
    files.filter(move |file| file.kind != Kind::Submodule && is_in(&file.path)).map(|file| file.id.as_str())
}

/// The files of a skill that comes.
pub(super) fn files_of(skill: &IncomingSkill) -> FileSet {
    let file = |file: &IncomingFile| FileBytes { bytes: file.bytes.clone(), executable: file.executable };
    skill.files.iter().map(|(path, one)| (path.as_str().to_owned(), file(one))).collect()
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|below| below.starts_with('/'))
}

fn no_repository(source: &Source) -> ActionError {
    let message = match &source.origin {
        Origin::Local(path) => {
            format!("{path} is a folder or file of this computer. Import it, or add it to the library.")
        }
        Origin::File(address, _) => format!("{address} is a file. Download it, and import it."),
        _ => format!("{source} is no git repository. Write owner/repository, or an address that git takes."),
    };
    failed(ErrorKind::Input, message)
}
