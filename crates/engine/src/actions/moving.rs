//! Moves a skill to another folder of the library. It goes by way of the trash, which keeps all that is known of a skill
//! that has no place: when a step fails, or the program ends in between, nothing is lost.

use api::{ActionError, ErrorKind, Wrote, failed};
use state::trash::Record;

use crate::{
    Engine,
    actions::{
        target::Target,
        trash::{bring_home, find, restore_to, throw_away},
        writing,
        wrote::{Back, wrote},
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
    let id = throw_away(engine, key).await?;
    let away = find(engine, &id)?.record;
    let there = Record {
        folder: root.id.clone(),
        root: root.path.clone(),
        chosen: away.chosen.clone().moved(&away.path, &name),
        path: name,
        ..away
    };
    let error = match restore_to(engine, &id, there).await {
        Ok(key) => {
            let to = engine.state().entry(&key).map(|moved| engine.machine().place(&moved.location));
            let what =
                Wrote::Moved { skill: entry.skill.name.clone(), from: place, to: to.unwrap_or_else(|_| key.clone()) };
            // From inside another folder it would come back to a place that it never had.
            let direct = !entry.path.contains('/');
            let back = direct.then(|| Back::Move { key: key.clone(), folder: entry.folder.clone() });
            wrote(engine, what, back).await;
            return Ok(key);
        }
        Err(error) => error,
    };
    match bring_home(engine, &id).await {
        Ok(_) => Err(ActionError { hints: vec!["The skill is where it was.".to_owned()], ..error }),
        Err(_) => {
            Err(ActionError { hints: vec!["The skill is in the trash: restore it from there.".to_owned()], ..error })
        }
    }
}
