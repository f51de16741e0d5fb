//! What a person does to have a skill more: a new one from a template, or a copy of another.

use std::{io, path::Path};

use ::skills::{SkillPath, is_kebab_case};

use crate::{
    Engine,
    actions::{blocking, failed, look_again, writing},
    beneath,
    choices::OWN,
    guest::GuestError,
    library::LARGEST,
    machine::make_private,
    placing::{Prepared, is_executable},
    templates::{self, NewFile},
    view::{ActionError, ErrorKind, Template},
    whole,
};

/// Names that Windows keeps for devices, whatever follows a dot.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt0",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// What a new skill may begin as.
pub fn templates() -> Vec<Template> {
    templates::TEMPLATES.iter().map(templates::Template::view).collect()
}

/// Makes a skill from a template in a folder of the library, directly below it, and switches it on:
/// the person wants it. Gives its key.
///
/// # Errors
/// When the id cannot be a skill's, or is one's already; when there is no such folder or template, or
/// the folder cannot be written.
pub async fn new_skill(engine: &Engine, folder: &str, id: &str, template: &str) -> Result<String, ActionError> {
    writing(engine)?;
    check_id(engine, id)?;
    let template = templates::find(template).ok_or_else(|| {
        let known: Vec<_> = templates().into_iter().map(|template| template.id).collect();
        let message = format!("There is no template {template}. There are: {}.", known.join(", "));
        failed(ErrorKind::NotFound, message)
    })?;
    let files = template.files(id);
    let target = Target::new(engine, folder, id)?;
    let parent = target.parent.clone();
    let prepared = blocking(move || {
        let prepared = Prepared::beside(&parent)?;
        for NewFile { path, bytes, executable } in files {
            prepared.write(&path, &bytes[..], executable)?;
        }
        Ok(prepared)
    });
    target.put(engine, prepared.await.map_err(in_another_folder)?, true).await
}

/// Copies a skill with all its files, and calls the copy `id`. It stands beside the first, or, where
/// nothing can be written there, in our own folder; it is on when the first is. Gives its key.
///
/// Links inside the skill become the files that they name; what lies behind links out of it is no
/// part of it. Values and secrets stay with the first.
///
/// # Errors
/// When there is no such skill, the id cannot be a skill's, or is one's already, or it cannot be
/// written.
pub async fn duplicate_skill(engine: &Engine, key: &str, id: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let entry = engine.entry(key)?;
    check_id(engine, id)?;
    let path = entry.path.rsplit_once('/').map_or_else(|| id.to_owned(), |(above, _)| format!("{above}/{id}"));
    let beside = Target::new(engine, &entry.folder, &path)?;
    let (target, prepared) = match beside.copy(&entry.location, id).await {
        Err(error) if error.kind == ErrorKind::Refused && entry.folder != OWN => {
            let own = Target::new(engine, OWN, id)?;
            let prepared = own.copy(&entry.location, id).await?;
            (own, prepared)
        }
        copied => (beside, copied?),
    };
    target.put(engine, prepared, entry.enabled).await
}

/// Where a skill is put.
pub(super) struct Target {
    folder: String,
    path: String,
    /// The folder that it is put into.
    parent: std::path::PathBuf,
    location: std::path::PathBuf,
}

impl Target {
    /// # Errors
    /// When the library has no such folder.
    pub(super) fn new(engine: &Engine, folder: &str, path: &str) -> Result<Self, ActionError> {
        let root = engine.roots().iter().find(|root| root.id == folder).map(|root| root.path.clone());
        let root = root.ok_or_else(|| failed(ErrorKind::NotFound, "This folder is not in the library any more."))?;
        if folder == OWN && !root.exists() {
            make_private(&root).map_err(|source| GuestError::from_system(&root, source))?;
        }
        let location = root.join(path);
        let parent = location.parent().unwrap_or(&root).to_path_buf();
        Ok(Self { folder: folder.to_owned(), path: path.to_owned(), parent, location })
    }

    /// Copies the files of a skill to beside its place.
    async fn copy(&self, from: &Path, id: &str) -> Result<Prepared, ActionError> {
        let (from, parent, id) = (from.to_path_buf(), self.parent.clone(), id.to_owned());
        blocking(move || copy(&from, &parent, &id)).await
    }

    /// Puts the skill in its place, on or off. Gives its key.
    pub(super) async fn put(self, engine: &Engine, prepared: Prepared, on: bool) -> Result<String, ActionError> {
        let Self { folder, path, location, .. } = self;
        // First the choice, then the skill: so nobody takes it for one that appeared by itself.
        let before = choose(engine, &folder, &path, Some(on)).await?;
        let place = location.clone();
        if let Err(error) = blocking(move || Ok(prepared.put(&place)?)).await {
            choose(engine, &folder, &path, before).await?;
            return Err(error);
        }
        look_again(engine, &location).await;
        Ok(format!("{folder}/{path}"))
    }
}

/// Sets what was chosen about a skill, and gives what was chosen before.
async fn choose(engine: &Engine, folder: &str, path: &str, on: Option<bool>) -> Result<Option<bool>, ActionError> {
    let (folder, path) = (folder.to_owned(), path.to_owned());
    let chosen = engine.change(move |state| {
        let skills = &mut state.choices.folder_mut(&folder)?.skills;
        match on {
            Some(on) => skills.insert(path, on),
            None => skills.remove(&path),
        }
    });
    chosen.await
}

fn copy(from: &Path, parent: &Path, id: &str) -> Result<Prepared, ActionError> {
    let files = whole::files(from).map_err(|error| unreadable(from, &error))?;
    let prepared = Prepared::beside(parent)?;
    for path in files {
        let file = match beneath::open(from, Path::new(path.as_str())) {
            Ok(file) => file,
            // A link that leads out of the skill, or nowhere.
            Err(_) if from.join(path.as_str()).is_symlink() => continue,
            Err(error) => return Err(unreadable(&from.join(path.as_str()), &error)),
        };
        let executable = is_executable(&file);
        if path == SkillPath::skill_md() {
            prepared.write(&path, &renamed(from, id)?[..], executable)?;
        } else {
            prepared.write(&path, file, executable)?;
        }
    }
    Ok(prepared)
}

fn renamed(from: &Path, id: &str) -> Result<Vec<u8>, ActionError> {
    let file = from.join("SKILL.md");
    let bytes = beneath::read(from, &SkillPath::skill_md(), LARGEST).map_err(|error| unreadable(&file, &error))?;
    let refused = || {
        let message = format!("The name in {} cannot be changed by itself, so nothing was copied.", file.display());
        failed(ErrorKind::Refused, message)
    };
    ::skills::rename(&bytes, id).ok_or_else(refused)
}

fn unreadable(path: &Path, error: &io::Error) -> ActionError {
    failed(ErrorKind::System, format!("{} could not be read, so nothing was copied: {error}.", path.display()))
}

/// What a folder that cannot be written leaves to do.
fn in_another_folder(error: ActionError) -> ActionError {
    if error.kind != ErrorKind::Refused {
        return error;
    }
    ActionError { hints: vec!["Choose another folder of the library, such as Skilltender's own.".to_owned()], ..error }
}

/// Whether a new skill may have this id: by the specification, on every system, and beside the others.
pub(super) fn check_id(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let input = |message: String| Err(failed(ErrorKind::Input, message));
    if !is_kebab_case(id) || !id.starts_with(|first: char| first.is_ascii_lowercase()) {
        return input(format!(
            "`{id}` cannot be a skill's name: it takes 1 to 64 lowercase letters, digits and single hyphens between \
             them, a letter first, such as `release-notes`."
        ));
    }
    if DEVICES.contains(&id) {
        return input(format!("`{id}` cannot be a skill's name: Windows keeps it for a device."));
    }
    if let Some(word) = ["anthropic", "claude"].into_iter().find(|word| id.contains(word)) {
        return input(format!("A skill's name cannot hold the word `{word}`: Anthropic's upload refuses it."));
    }
    if let Some(other) = engine.catalog().entries().iter().find(|entry| entry.skill.id == id) {
        let place = engine.machine().place(&other.location);
        return input(format!("There is a skill `{id}` already, in {place}. Give the new one another name."));
    }
    Ok(())
}
