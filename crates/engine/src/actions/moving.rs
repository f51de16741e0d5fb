//! Moves a skill to another folder of the library. It goes by way of the trash, which keeps all that is known of a skill
//! that has no place: when a step fails, or the program ends in between, nothing is lost.

use api::{ActionError, ErrorKind, failed};
use state::trash::Record;

use crate::{
    Engine,
    actions::{
        target::Target,
        trash::{find, restore_skill, restore_to, trash_skill},
        writing,
    },
};

/// Moves a skill, with the skills inside it, directly below another folder of the library. The choices about it, its
/// sets, values and secrets move with it; a program of its own is asked about anew at its new place. Returns its key.
///
/// # Errors
/// When there is no such skill or folder, its place there is taken, it is a link, or a folder
/// cannot be written. The skill is then where it was, or, as the error says, in the trash.
pub async fn move_skill(engine: &Engine, key: &str, folder: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let entry = engine.state().entry(key)?;
    let name = entry.path.rsplit('/').next().unwrap_or_default().to_owned();
    if entry.folder == folder && entry.path == name {
        return Ok(key.to_owned());
    }
    let place = engine.machine().place(&entry.location);
    if entry.location.is_symlink() {
        let message = format!("{place} is a link, which may lead nowhere from another folder.");
        let hint = "Move the folder that it leads to, or make the link again in the other folder.";
        return Err(ActionError { kind: ErrorKind::Refused, message, hints: vec![hint.to_owned()] });
    }
    Target::new(engine, folder, &name)?.refuse_taken(engine)?;
    let roots = engine.state().roots();
    let Some(root) = roots.iter().find(|root| root.id == folder) else {
        return Err(failed(ErrorKind::NotFound, "This folder is not in the library any more."));
    };
    let id = trash_skill(engine, key).await?;
    let away = find(engine, &id)?.record;
    let there = Record {
        folder: root.id.clone(),
        root: root.path.clone(),
        chosen: away.chosen.clone().moved(&away.path, &name),
        path: name,
        ..away
    };
    let Err(error) = restore_to(engine, &id, there).await else {
        return Ok(format!("{folder}/{}", entry.path.rsplit('/').next().unwrap_or_default()));
    };
    match restore_skill(engine, &id).await {
        Ok(_) => Err(ActionError { hints: vec!["The skill is where it was.".to_owned()], ..error }),
        Err(_) => {
            Err(ActionError { hints: vec!["The skill is in the trash: restore it from there.".to_owned()], ..error })
        }
    }
}
