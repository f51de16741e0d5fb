//! A source at one moment: fetched, and its skills read as an import reads them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
    sync::Arc,
};

use api::{ActionError, ErrorKind, SourceElsewhere, failed};
use fetch::{Cancel, FetchError, Git, Kind, Repositories, Tip, Tips, TreeFile};
use library::import::{Incoming, IncomingFile, IncomingSkill, Listed, RefusedSkill, read_listed, skill_folders};
use machine::Machine;
use origins::Record;
use sources::{
    Origin, Source,
    marketplace::{MARKETPLACE, Marketplace},
    update::{FileBytes, FileSet},
};

use super::{
    held::Held,
    places::{self, Found},
};

/// What names what a source without commits has: this and the digest of the files.
pub(super) const BY_DIGEST: &str = "sha256:";

/// A source at one moment. Clones share what was read.
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
    pub(super) held: Held,
    files: Arc<Vec<TreeFile>>,
    /// What a site offers and cannot come, with the reason.
    refused: Arc<Vec<(String, String)>>,
    /// What is listed in it and is elsewhere.
    list: Arc<Marketplace>,
    /// Bytes that were read ahead, by their ids.
    ahead: Arc<BTreeMap<String, Vec<u8>>>,
}

/// Where fetched commits are kept.
pub(super) fn folder(machine: &Machine) -> PathBuf {
    machine.data.join("fetched")
}

/// How repositories are fetched here.
pub(super) fn repositories(machine: &Machine) -> Result<Repositories, ActionError> {
    Repositories::of(machine, &folder(machine)).map_err(|error| refuse(&error))
}

/// Finds git, which work trees need.
pub(in crate::actions) fn git(machine: &Machine) -> Result<Git, ActionError> {
    Git::find(machine, &folder(machine)).map_err(|error| refuse(&error))
}

/// What fetching refuses is refused by the action.
pub(in crate::actions) fn refuse(error: &FetchError) -> ActionError {
    let kind = match error {
        FetchError::NoReference { .. }
        | FetchError::NoRepository(_)
        | FetchError::NotThere(_)
        | FetchError::NotPublic(_) => ErrorKind::NotFound,
        FetchError::Disk(..) | FetchError::NoGit | FetchError::OnlyGit(..) => ErrorKind::System,
        _ => ErrorKind::Refused,
    };
    failed(kind, error.to_string())
}

/// Opens what a person wrote: at this commit, or with these digests, or at what it follows. Of a site, only the skills in
/// `only` are fetched.
pub(super) fn open(
    machine: &Machine,
    written: &str,
    commit: Option<&str>,
    only: Option<&[String]>,
    cancel: &Cancel,
) -> Result<Opened, ActionError> {
    let source = Source::read(written).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
    let Origin::Git(address) = &source.origin else {
        let known = commit.and_then(|commit| commit.strip_prefix(BY_DIGEST));
        let wanted = source.skill.clone().map(|skill| vec![skill]);
        let found = places::find(machine, &source, known, only.or(wanted.as_deref()), cancel)?;
        return Opened::found(found, source.skill, cancel);
    };
    let from = repositories(machine)?;
    let told = |error: FetchError| refuse(&error);
    // What was looked at is here already.
    let kept = commit.and_then(|commit| from.kept(address, commit));
    if let (Some(found), 1) = (&kept, source.readings().len()) {
        return Opened::new(&source, address, Held::Commit(found.clone()), cancel);
    }
    let tips = from.tips(address, cancel).map_err(told)?;
    let reading = reading_of(&source, &tips);
    if let Some(found) = kept {
        return Opened::new(&reading, address, Held::Commit(found), cancel);
    }
    let tip = match commit {
        Some(commit) => Tip { reference: commit.to_owned(), commit: commit.to_owned(), is_tag: false },
        None => from.tip_of(address, &tips, reading.follows.as_deref()).map_err(told)?,
    };
    let fetched = from.fetch(address, &tip, cancel).map_err(told)?;
    Opened::new(&reading, address, Held::Commit(fetched), cancel)
}

/// The way to tell the branch from the folder in what was written: the one whose branch is there.
fn reading_of(source: &Source, tips: &Tips) -> Source {
    let found = source.readings().into_iter().find(|reading| tips.find(reading.follows.as_deref()).is_some());
    found.unwrap_or_else(|| source.clone())
}

impl Opened {
    fn new(source: &Source, address: &str, held: Held, cancel: &Cancel) -> Result<Self, ActionError> {
        let name = Source::read(address).map_or_else(|_| address.to_owned(), |source| source.to_string());
        let Source { follows, inside, skill, .. } = source.clone();
        let files = Arc::new(held.files(cancel)?);
        let (ahead, refused, list) = (Arc::default(), Arc::default(), Arc::default());
        Ok(Self { name, address: address.to_owned(), follows, inside, skill, held, files, refused, list, ahead })
    }

    /// What is at a place that is no repository.
    fn found(found: Found, skill: Option<String>, cancel: &Cancel) -> Result<Self, ActionError> {
        let Found { address, held, refused, list } = found;
        let source = Source::read(&address).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
        let opened = Self::new(&source, &address, held, cancel)?;
        Ok(Self { skill, refused: refused.into(), list: list.into(), ..opened })
    }

    /// What a record follows, at a commit.
    pub(super) fn at(from: &Repositories, record: &Record, tip: &Tip, cancel: &Cancel) -> Result<Self, ActionError> {
        let commit = from.fetch(&record.address, tip, cancel).map_err(|error| refuse(&error))?;
        let source = Source::read(&record.address).map_err(|error| failed(ErrorKind::Input, error.to_string()))?;
        let opened = Self::new(&source, &record.address, Held::Commit(commit), cancel)?;
        Ok(Self { follows: record.follows.clone(), inside: record.inside.clone(), ..opened })
    }

    /// What was fetched last from the place of these records, which is no repository.
    pub(super) fn latest(machine: &Machine, address: &str, cancel: &Cancel) -> Option<Self> {
        let found = places::latest(machine, &Source::read(address).ok()?)?;
        Self::found(found, None, cancel).ok()
    }

    /// The plugins that are elsewhere, if the source lists such.
    pub(super) fn elsewhere(&self, cancel: &Cancel) -> Vec<SourceElsewhere> {
        let list = match &self.held {
            Held::Files { .. } => self.list.as_ref().clone(),
            Held::Commit(_) if !self.inside.is_empty() || self.skill.is_some() => Marketplace::default(),
            Held::Commit(_) => {
                let file = self.files.iter().find(|file| file.path == MARKETPLACE && file.kind != Kind::Link);
                let read = file.and_then(|file| self.held.bytes(&[&file.id], cancel).ok()?.remove(&file.id));
                let list = read.and_then(|bytes| Marketplace::read(&String::from_utf8_lossy(&bytes)).ok());
                list.unwrap_or_default()
            }
        };
        let shown = |plugin: sources::marketplace::Plugin| SourceElsewhere {
            name: plugin.name,
            description: plugin.description,
            trouble: plugin.source.as_ref().err().cloned(),
            source: plugin.source.ok(),
        };
        list.elsewhere.into_iter().map(shown).collect()
    }

    /// Whether it is a place of this computer, for which no network is asked.
    pub(super) fn is_local(&self) -> bool {
        matches!(&self.held, Held::Files { sha256: None, .. })
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
        match self.held.bytes(&ids_in(self.files.iter(), &insides).collect::<Vec<_>>(), cancel) {
            Ok(bytes) => self.ahead = Arc::new(bytes),
            Err(error) => tracing::debug!(%error, "the skills of a source are read one by one"),
        }
    }

    /// The sizes of these files, and the bytes of these.
    fn sizes<'i>(
        &self,
        ids: impl Iterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<HashMap<String, u64>, ActionError> {
        let ids: Vec<_> = ids.collect();
        let known = |id: &&str| Some(((*id).to_owned(), self.ahead.get(*id)?.len() as u64));
        match ids.iter().map(known).collect() {
            Some(sizes) => Ok(sizes),
            None => self.held.sizes(&ids, cancel),
        }
    }

    fn bytes<'i>(
        &self,
        ids: impl Iterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, Vec<u8>>, ActionError> {
        let ids: Vec<_> = ids.collect();
        let known = |id: &&str| Some(((*id).to_owned(), self.ahead.get(*id)?.clone()));
        match ids.iter().map(known).collect() {
            Some(bytes) => Ok(bytes),
            None => self.held.bytes(&ids, cancel),
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
            let message = match self.inside.as_str() {
                "" => format!("{} has no files.", self.name),
                inside => format!("{} has no folder {inside}.", self.name),
            };
            return Err(failed(ErrorKind::NotFound, message));
        }
        let folders = skill_folders(files.iter().map(|file| file.path.as_str()));
        let is_wanted = |folder: &str| {
            only.is_none_or(|only| {
                only.iter().any(|path| path.trim_end_matches('/') == folder || path == "." && folder.is_empty())
            })
        };
        let wanted: BTreeSet<_> = folders.into_iter().filter(|folder| is_wanted(folder)).collect();
        let sizes = self.sizes(ids_in(files.iter().copied(), &wanted), cancel)?;
        let listed: Vec<_> = files.iter().map(|file| self.listed(file, sizes.get(&file.id).copied())).collect();
        // Only what may come is read: a skill that is refused may be large.
        let taken = read_listed(&self.name, &listed, only, &mut |_| Ok(Vec::new()))
            .map_err(|refused| failed(ErrorKind::Refused, refused.0))?;
        let taken = taken.skills.iter().map(|skill| skill.path.as_str()).collect();
        let bytes = self.bytes(ids_in(files.iter().copied(), &taken), cancel)?;
        let incoming = read_listed(&self.name, &listed, only, &mut |index| {
            Ok(bytes.get(&files[index].id).cloned().unwrap_or_default())
        });
        let mut incoming = incoming.map_err(|refused| failed(ErrorKind::Refused, refused.0))?;
        let trouble = self.refused.iter().map(|(path, why)| RefusedSkill { path: path.clone(), why: why.clone() });
        incoming.refused.extend(trouble);
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
        if let Some((_, why)) = self.refused.iter().find(|(path, _)| *path == self.inside) {
            return Err(failed(ErrorKind::Refused, format!("{} cannot come from {}. {why}", self.inside, self.name)));
        }
        if !self.files.iter().any(|file| file.path == skill_md) {
            return Err(gone());
        }
        let only = [if self.inside.is_empty() { ".".to_owned() } else { self.inside.clone() }];
        let incoming = self.incoming(Some(&only), &BTreeMap::new(), cancel)?;
        let skill = incoming.skills.into_iter().next().ok_or_else(gone)?;
        Ok(files_of(&skill))
    }

    /// The text of a file in the folder that was asked for, or of the file that was asked for itself.
    pub(super) fn text_of(&self, name: &str, cancel: &Cancel) -> Result<String, ActionError> {
        let path = self.path_of(name);
        let missing = || failed(ErrorKind::NotFound, format!("{} has no file {path}.", self.name));
        let file = self.file_at(&path).ok_or_else(missing)?;
        let bytes = self.held.bytes(&[&file.id], cancel)?;
        let bytes = bytes.into_values().next().ok_or_else(missing)?;
        String::from_utf8(bytes).map_err(|_| failed(ErrorKind::Input, format!("{path} of {} is not UTF-8.", self.name)))
    }

    /// Whether it has this file, in the folder that was asked for.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.file_at(&self.path_of(name)).is_some()
    }

    fn path_of(&self, name: &str) -> String {
        match self.inside.as_str() {
            "" => name.to_owned(),
            inside if inside.rsplit('/').next() == Some(name) => inside.to_owned(),
            inside => format!("{inside}/{name}"),
        }
    }

    fn file_at(&self, path: &str) -> Option<&TreeFile> {
        self.files.iter().find(|file| file.path == path && matches!(file.kind, Kind::Plain | Kind::Executable))
    }

    fn listed(&self, file: &TreeFile, size: Option<u64>) -> Listed {
        Listed {
            path: file.path.clone(),
            size: size.unwrap_or_default(),
            executable: file.kind == Kind::Executable,
            link: file.kind == Kind::Link,
            trouble: self.held.trouble(file),
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
