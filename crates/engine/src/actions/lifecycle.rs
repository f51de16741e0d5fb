//! Creates skills: a new one from a template, or a copy of another.

use std::{io, path::Path};

use ::skills::{Entry, SkillPath, is_kebab_case};
use api::{ActionError, ErrorKind, Template, failed, unknown};
use choices::OWN;
use connect::file_failed;
use files::{
    all_files, confined, file_names,
    staged_dir::{Prepared, is_executable},
};
use library::{
    LARGEST,
    templates::{self, NewFile},
};
use state::blocking;

use crate::{
    Engine,
    actions::{import::added, root, target::Target, writing},
};

/// The templates for a new skill.
pub fn templates() -> Vec<Template> {
    templates::TEMPLATES.iter().map(templates::Template::view).collect()
}

/// Creates a skill from a template directly below a folder of the library, and switches it on. Returns its key.
///
/// # Errors
/// When the id is invalid or taken; when there is no such folder or template, or the folder cannot be written.
pub async fn new_skill(engine: &Engine, folder: &str, id: &str, template: &str) -> Result<String, ActionError> {
    writing(engine)?;
    check_id(engine, id)?;
    let template = templates::find(template).ok_or_else(|| {
        let known: Vec<_> = templates().into_iter().map(|template| template.id).collect();
        let all = format!("There are: {}.", known.join(", "));
        unknown(format!("There is no template {template}."), template, known.iter().map(String::as_str), &all)
    })?;
    let files = template.files(id);
    let target = Target::new(engine, folder, id)?;
    let parent = target.parent().to_path_buf();
    let prepared = blocking(move || {
        let mut prepared = Prepared::beside(&parent).map_err(file_failed)?;
        for NewFile { path, bytes, executable } in files {
            prepared.write(&path, &bytes[..], executable).map_err(file_failed)?;
        }
        Ok(prepared)
    });
    let key = target.put(engine, prepared.await.map_err(in_another_folder)?, true, true).await?;
    added(engine, std::slice::from_ref(&key), folder, false).await;
    Ok(key)
}

/// Copies a skill with all its files under the name `id`.
///
/// The copy is placed next to the original, or in our own folder if that one is not writable. It is on if the original
/// is, and counts as someone else's as long as the original does. Returns its key.
///
/// Links inside the skill become the files that they point to; targets of links out of it are left out. Values and
/// secrets stay with the original.
///
/// # Errors
/// When there is no such skill, the id is invalid or taken, or it cannot be written.
pub async fn duplicate_skill(engine: &Engine, key: &str, id: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let entry = engine.state().entry(key)?;
    check_id(engine, id)?;
    let path = entry.path.rsplit_once('/').map_or_else(|| id.to_owned(), |(above, _)| format!("{above}/{id}"));
    let beside = Target::new(engine, &entry.folder, &path)?;
    let (target, prepared) = match copy_beside(engine, &entry, &beside, id).await {
        Err(error) if error.kind == ErrorKind::Refused && entry.folder != OWN => {
            let own = Target::new(engine, OWN, id)?;
            let prepared = copy_beside(engine, &entry, &own, id).await?;
            (own, prepared)
        }
        copied => (beside, copied?),
    };
    let state = engine.state().now();
    let choice = state.choices.folders.iter().find(|choice| choice.id == entry.folder);
    let seen = choice.is_some_and(|choice| choice.switched.contains(&entry.path));
    let key = target.put(engine, prepared, entry.enabled, seen).await?;
    let folder = key.split('/').next().unwrap_or_default();
    added(engine, std::slice::from_ref(&key), folder, false).await;
    Ok(key)
}

/// Copies the files of a skill to a folder next to the target.
async fn copy_beside(engine: &Engine, entry: &Entry, target: &Target, id: &str) -> Result<Prepared, ActionError> {
    let root = root(engine, entry);
    let (from, parent, id) = (entry.location.clone(), target.parent().to_path_buf(), id.to_owned());
    blocking(move || copy(&root, &from, &parent, &id)).await
}

fn copy(root: &Path, from: &Path, parent: &Path, id: &str) -> Result<Prepared, ActionError> {
    let files = all_files::files(from).map_err(|error| unreadable(from, &error))?;
    let mut prepared = Prepared::beside(parent).map_err(file_failed)?;
    for path in files {
        if path == SkillPath::skill_md() {
            prepared.write(&path, &renamed(root, from, id)?[..], false).map_err(file_failed)?;
            continue;
        }
        let file = match confined::open(from, Path::new(path.as_str())) {
            Ok(file) => file,
            // A link that leads out of the skill, or to nothing.
            Err(_) if from.join(path.as_str()).is_symlink() => continue,
            Err(error) => return Err(unreadable(&from.join(path.as_str()), &error)),
        };
        let executable = is_executable(&file);
        prepared.write(&path, file, executable).map_err(file_failed)?;
    }
    Ok(prepared)
}

fn renamed(root: &Path, from: &Path, id: &str) -> Result<Vec<u8>, ActionError> {
    let file = from.join("SKILL.md");
    let bytes = confined::read_skill_md(root, from, LARGEST).map_err(|error| unreadable(&file, &error))?;
    let refused = || {
        let message = format!("The name in {} cannot be changed by itself, so nothing was copied.", file.display());
        failed(ErrorKind::Refused, message)
    };
    ::skills::rename(&bytes, id).ok_or_else(refused)
}

fn unreadable(path: &Path, error: &io::Error) -> ActionError {
    failed(ErrorKind::System, format!("{} could not be read, so nothing was copied: {error}.", path.display()))
}

/// Adds a hint to the error about a folder that is not writable.
fn in_another_folder(error: ActionError) -> ActionError {
    if error.kind != ErrorKind::Refused {
        return error;
    }
    ActionError { hints: vec!["Choose another folder of the library, such as Skilltender's own.".to_owned()], ..error }
}

/// Refuses an id for a new skill that the specification, some system, or another skill rules out.
pub(super) fn check_id(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let input = |message: String| Err(failed(ErrorKind::Input, message));
    if !is_kebab_case(id) || !id.starts_with(|first: char| first.is_ascii_lowercase()) {
        return input(format!(
            "`{id}` cannot be a skill's name: it takes 1 to 64 lowercase letters, digits and single hyphens between \
             them, a letter first, such as `release-notes`."
        ));
    }
    if file_names::is_device(id) {
        return input(format!("`{id}` cannot be a skill's name: Windows keeps it for a device."));
    }
    if let Some(word) = ["anthropic", "claude"].into_iter().find(|word| id.contains(word)) {
        return input(format!("A skill's name cannot hold the word `{word}`: Anthropic's upload refuses it."));
    }
    if let Some(other) = engine.state().catalog().entries().iter().find(|entry| entry.skill.id == id) {
        let place = engine.machine().place(&other.location);
        return input(format!("There is a skill `{id}` already, in {place}. Give the new one another name."));
    }
    Ok(())
}
