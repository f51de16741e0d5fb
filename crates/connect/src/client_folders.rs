//! Skills in client folders, which clients read by themselves: linked or copied there while they are on.
//!
//! A record lists what Skilltender placed, and nothing else is ever touched: entries of other names or other
//! authors stay, and a copy that a person edited stays until they decide. `plan` decides without disk access,
//! `disk` reads and writes. Following changes is left to `engine`.

mod disk;
mod plan;
mod record;
mod target;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, io, path::PathBuf, sync::Arc};

use api::{
    ActionError, ClientFolder, ClientFolderAct, ClientFolderPlan, ClientFolderStep, ErrorKind, PlaceWay, PlacedSkill,
    PlacedState, failed,
};
use files::{Digests, Part, digest};
use library::Root;
use machine::{Machine, Mode};
use skills::{Catalog, Entry};

use self::{
    plan::{Step, Wanted, plan},
    record::Record,
};
pub use self::{record::placed, target::Target};
use crate::file_failed;

/// The existing skills and the record of placed ones: everything needed to plan a folder.
pub struct Shelf {
    digests: Arc<Digests>,
    machine: Arc<Machine>,
    catalog: Arc<Catalog>,
    roots: Arc<Vec<Root>>,
    record: Record,
    link: disk::MakeLink,
}

/// What carrying out a request left to say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The steps that failed, as sentences.
    pub troubles: Vec<String>,
    /// That skills are copied where they were to be linked, as a sentence.
    pub copied_instead: Option<String>,
}

/// What a person wants for a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderRequest {
    /// Place enabled skills there in this way.
    Place(PlaceWay),
    /// As before; only apply changes.
    Renew,
    /// Remove everything that Skilltender placed.
    Clear,
}

impl Shelf {
    /// What there is now, as an engine of this mode may know it.
    pub fn new(
        machine: Arc<Machine>,
        mode: &Mode,
        catalog: Arc<Catalog>,
        roots: Arc<Vec<Root>>,
        digests: Arc<Digests>,
    ) -> Self {
        let record = Record::open(&machine.data, mode);
        Self { digests, machine, catalog, roots, record, link: disk::link }
    }

    /// Every folder that a client reads, with its present state.
    pub fn folders(&self, found: &dyn Fn(&str) -> bool) -> Vec<ClientFolder> {
        target::all(&self.machine, found).iter().map(|target| self.folder(target)).collect()
    }

    fn folder(&self, target: &Target) -> ClientFolder {
        let placed = self.record.folders.get(&target.path);
        let steps = if placed.is_some() { self.steps(target, FolderRequest::Renew) } else { Vec::new() };
        let library = self.roots.iter().find(|root| disk::real(&root.path) == disk::real(&target.path));
        ClientFolder {
            path: target.path.display().to_string(),
            place: self.machine.place(&target.path),
            readers: target.readers.clone(),
            exists: target.path.is_dir(),
            library: library.map(|root| root.id.clone()),
            way: placed.map(|placed| placed.way),
            skills: steps.iter().map(|step| self.shown(target, step)).collect(),
        }
    }

    fn shown(&self, target: &Target, step: &Step) -> PlacedSkill {
        let made = self.record.folders.get(&target.path).and_then(|placed| placed.made.get(&step.id));
        let state = match step.act {
            plan::Act::Keep if made.is_some_and(|made| made.way == PlaceWay::Copy) => PlacedState::Copied,
            plan::Act::Keep => PlacedState::Linked,
            plan::Act::Make(_) | plan::Act::Replace(_) | plan::Act::Remove | plan::Act::Forget => PlacedState::Due,
            plan::Act::Leave(why) => why.state(),
        };
        PlacedSkill { id: step.id.clone(), state, why: step.act.why().to_owned() }
    }

    /// The steps that a [`FolderRequest`] would take in a folder.
    ///
    /// # Errors
    /// When the folder leads out of the home folder.
    pub fn plan(&self, target: &Target, wish: FolderRequest) -> Result<ClientFolderPlan, ActionError> {
        disk::refuse_outside(&self.machine, &target.path)?;
        let steps: Vec<_> = self.steps(target, wish).iter().filter_map(step_shown).collect();
        let parts: Vec<_> = steps.iter().map(|step| (&step.skill, step.does, &step.why)).collect();
        Ok(ClientFolderPlan {
            id: digest(format!("{} {wish:?} {parts:?}", target.path.display()).as_bytes()),
            path: target.path.display().to_string(),
            place: self.machine.place(&target.path),
            readers: target.readers.iter().map(|reader| reader.name.clone()).collect(),
            creates: !target.path.exists() && steps.iter().any(|step| step.does != ClientFolderAct::Leave),
            steps,
        })
    }

    fn steps(&self, target: &Target, wish: FolderRequest) -> Vec<Step> {
        let placed = self.record.folders.get(&target.path);
        let way = match wish {
            FolderRequest::Place(way) => Some(way),
            FolderRequest::Renew => placed.map(|placed| placed.way),
            FolderRequest::Clear => None,
        };
        let wanted = match way {
            Some(way) => self.catalog.served().map(|entry| self.wanted(target, entry, way)).collect(),
            None => Vec::new(),
        };
        let mut made = placed.map(|placed| placed.made.clone()).unwrap_or_default();
        if wish == FolderRequest::Renew {
            // A missing folder, on a removable drive for instance, comes back with its skills.
            let away: Vec<_> = self.roots.iter().filter(|root| !root.path.is_dir()).collect();
            made.retain(|_, made| !away.iter().any(|root| made.source.starts_with(disk::real(&root.path))));
        }
        plan(way, &wanted, &made, wish == FolderRequest::Renew, &|id| disk::look(&target.path.join(id)))
    }

    fn wanted(&self, target: &Target, entry: &Arc<Entry>, way: PlaceWay) -> Wanted {
        let source = disk::real(&entry.location);
        let folder = disk::real(&target.path);
        let digest = (way == PlaceWay::Copy).then(|| self.digest(entry)).flatten();
        Wanted {
            id: entry.skill.id.clone(),
            here: source.starts_with(&folder) || folder.starts_with(&source),
            source,
            digest,
        }
    }

    /// The digest that a copy of this skill would have; `None` when it cannot be read.
    fn digest(&self, entry: &Entry) -> Option<String> {
        let root = self.roots.iter().find(|root| root.id == entry.folder).map(|root| root.path.as_path());
        let files = self.digests.manifest(root, entry, Part::Everything).ok()?;
        Some(disk::digest_of(files.iter().map(|(path, file)| (path.as_str(), file.sha256, file.executable))))
    }

    /// Carries out a [`FolderRequest`]. Failed steps are returned as sentences; the others are done. Where the system
    /// makes no links, the folder gets copies from then on.
    ///
    /// # Errors
    /// When nothing could be done at all, or the record could not be saved.
    pub fn carry_out(&mut self, target: &Target, wish: FolderRequest) -> Result<Carried, ActionError> {
        let (troubles, no_link) = self.attempt(target, wish)?;
        let Some(why) = no_link else { return Ok(Carried { troubles, copied_instead: None }) };
        let mut again = FolderRequest::Place(PlaceWay::Copy);
        if wish == FolderRequest::Renew {
            again = wish;
            self.place_by(target, PlaceWay::Copy);
        }
        let (troubles, _) = self.attempt(target, again)?;
        if !troubles.is_empty() {
            // Whatever refuses a copy too says nothing about links.
            self.place_by(target, PlaceWay::Link);
            self.record.save(&self.machine.data)?;
            return Ok(Carried { troubles, copied_instead: None });
        }
        let place = self.machine.place(&target.path);
        let said = format!(
            "No link can be made in {place} ({why}), so skills are copied there, and renewed when they change."
        );
        Ok(Carried { troubles, copied_instead: Some(said) })
    }

    /// How skills are placed in a folder from now on.
    fn place_by(&mut self, target: &Target, way: PlaceWay) {
        if let Some(placed) = self.record.folders.get_mut(&target.path) {
            placed.way = way;
        }
    }

    /// Carries a request out once: the failed steps, and why no link could be made.
    fn attempt(
        &mut self,
        target: &Target,
        wish: FolderRequest,
    ) -> Result<(Vec<String>, Option<io::Error>), ActionError> {
        disk::refuse_outside(&self.machine, &target.path)?;
        let steps = self.steps(target, wish);
        let mut saved = self.record.clone();
        self.record.begin(target, wish, &steps);
        self.save_unless(&mut saved)?;
        let (mut troubles, mut no_link) = (Vec::new(), None);
        for step in &steps {
            match disk::carry_out(&self.catalog, &self.roots, &target.path, step, &mut self.record, self.link) {
                Ok(()) => {}
                Err(disk::Failed::NoLink(error)) => no_link = Some(error),
                Err(disk::Failed::Refused(error)) => troubles.push(error.to_string()),
            }
        }
        self.record.end(target, wish);
        self.save_unless(&mut saved)?;
        Ok((troubles, no_link))
    }

    /// Saves the record if it differs from the saved one.
    fn save_unless(&self, saved: &mut Record) -> Result<(), ActionError> {
        if *saved != self.record {
            self.record.save(&self.machine.data)?;
            *saved = self.record.clone();
        }
        Ok(())
    }

    /// Replaces a copy that a person edited, or leaves it to the person for good.
    ///
    /// # Errors
    /// When no such copy exists, or it cannot be replaced.
    pub fn settle(&mut self, target: &Target, skill: &str, replace: bool) -> Result<(), ActionError> {
        let edited = self.steps(target, FolderRequest::Renew).into_iter().find(|step| step.id == skill);
        if edited.is_none_or(|step| step.act != plan::Act::Leave(plan::Why::Edited)) {
            let message = format!("There is no edited copy of {skill} in {}.", self.machine.place(&target.path));
            return Err(failed(ErrorKind::NotFound, message));
        }
        if replace {
            disk::clear_copy(&target.path.join(skill), None).map_err(file_failed)?;
        }
        self.record.forget(target, skill);
        self.record.save(&self.machine.data)
    }

    /// Every place where Skilltender puts skills.
    pub fn placed(&self) -> BTreeSet<PathBuf> {
        self.record.placed()
    }

    /// The folders where Skilltender puts skills.
    pub fn filled(&self) -> Vec<Target> {
        self.record.folders.keys().map(|path| Target { path: path.clone(), readers: Vec::new() }).collect()
    }
}

fn step_shown(step: &Step) -> Option<ClientFolderStep> {
    let does = match step.act {
        plan::Act::Make(PlaceWay::Link) => ClientFolderAct::Link,
        plan::Act::Make(PlaceWay::Copy) => ClientFolderAct::Copy,
        plan::Act::Replace(_) => ClientFolderAct::Renew,
        plan::Act::Remove => ClientFolderAct::Remove,
        plan::Act::Leave(_) => ClientFolderAct::Leave,
        plan::Act::Keep | plan::Act::Forget => return None,
    };
    Some(ClientFolderStep { skill: step.id.clone(), does, why: step.act.why().to_owned() })
}
