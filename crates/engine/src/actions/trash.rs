//! Moves skills to the trash, and restores them.

use std::path::PathBuf;

use api::{ActionError, ErrorKind, Wrote, failed, unknown};
use choices::Chosen;
use connect::file_failed;
use files::replace_file::ReplaceError;
use machine::clock;
use serde_json::Map;
use skills::Entry;
use state::{
    State, blocking,
    trash::{self, Record, Trashed},
};

use crate::{
    Engine,
    actions::{
        look_again, secrets, sign_in, writing,
        wrote::{Back, wrote},
    },
};

/// Moves a skill, with the skills inside it, to the trash, where it is kept for 30 days.
///
/// For a linked folder only the link is moved. The choices about it and its values are kept with it. Returns the id for
/// [`restore_skill`].
///
/// # Errors
/// When there is no such skill, it is the library's folder itself, or it cannot be moved.
pub async fn trash_skill(engine: &Engine, key: &str) -> Result<String, ActionError> {
    let id = throw_away(engine, key).await?;
    if let Ok(Trashed { record, .. }) = find(engine, &id) {
        let what = Wrote::Trashed { place: engine.machine().place(&record.location()), skill: record.name };
        wrote(engine, what, Some(Back::Restore { id: id.clone() })).await;
    }
    Ok(id)
}

/// The same without a word about it, as a step of something else.
///
/// # Errors
/// As [`trash_skill`].
pub(super) async fn throw_away(engine: &Engine, key: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let entry = engine.state().entry(key)?;
    let root = engine.state().roots().iter().find(|root| root.id == entry.folder).map(|root| root.path.clone());
    let (Some(root), false) = (root, entry.path.is_empty()) else {
        let message = format!("{} is a folder of the library itself.", entry.location.display());
        let hints = vec!["Remove the folder from the library instead; nothing in it changes then.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Refused, message, hints });
    };
    let (data, record_root, location) = (engine.machine().data.clone(), root.clone(), entry.location.clone());
    let record = Record {
        time: clock::now(),
        folder: entry.folder.clone(),
        digest: blocking(move || Ok(trash::digest(&root, &location))).await?,
        root: record_root,
        path: entry.path.clone(),
        name: entry.skill.name.clone(),
        link: entry.location.is_symlink(),
        chosen: look(engine, &entry),
        rest: Map::new(),
    };
    let trashed = blocking(move || trash::begin(&data, record).map_err(file_failed)).await?;
    if let Some(left) = moved(engine, key, &trashed).await? {
        let message = format!("{} was copied to the trash, but could not be removed.", left.display());
        engine.state().change(move |state| state.notice("trash-left", message)).await?;
    }
    // The disk is read first, so that an earlier scan does not bring the skill back as a new one.
    look_again(engine, &entry.location).await;
    let id = trashed.id.clone();
    engine
        .state()
        .change(move |state| {
            state.choices.take(&trashed.record.folder, &trashed.record.path);
            state.trash.insert(0, trashed);
        })
        .await?;
    engine.tidy_trash().await;
    Ok(id)
}

/// Restores a skill from the trash to its former place, with the choices about it. Returns its key.
///
/// # Errors
/// When it is no longer in the trash, its folder is not in the library, or its place is taken.
pub async fn restore_skill(engine: &Engine, id: &str) -> Result<String, ActionError> {
    let key = bring_home(engine, id).await?;
    if let Ok(entry) = engine.state().entry(&key) {
        let place = engine.machine().place(&entry.location);
        let what = Wrote::Restored { skill: entry.skill.name.clone(), place };
        wrote(engine, what, Some(Back::Trash { keys: vec![key.clone()] })).await;
    }
    Ok(key)
}

/// The same without a word about it, as a step of something else.
///
/// # Errors
/// As [`restore_skill`].
pub(super) async fn bring_home(engine: &Engine, id: &str) -> Result<String, ActionError> {
    writing(engine)?;
    let trashed = find(engine, id)?;
    let roots = engine.state().roots();
    let same_id = roots.iter().find(|root| root.id == trashed.record.folder);
    let Some(root) = same_id.or_else(|| roots.iter().find(|root| root.path == trashed.record.root)) else {
        let machine = engine.machine();
        let message = format!("{} is not in the library any more.", machine.place(&trashed.record.root));
        let kept = machine.place(&machine.data.join("trash").join(id));
        let hints = vec![format!("Add the folder again, then restore the skill. Until then it lies in {kept}.")];
        return Err(ActionError { kind: ErrorKind::Refused, message, hints });
    };
    let record = Record { folder: root.id.clone(), root: root.path.clone(), ..trashed.record };
    restore_to(engine, id, record).await
}

/// Restores a skill from the trash to the place of `record`, which need not be its former one. Returns its key.
///
/// # Errors
/// When its place is taken, or its files are not in the trash.
pub(super) async fn restore_to(engine: &Engine, id: &str, record: Record) -> Result<String, ActionError> {
    let location = record.location();
    let in_its_place = |error: ActionError| {
        let hints = vec!["Move away what is there, or make the folder writable, then restore again.".to_owned()];
        ActionError { hints, ..error }
    };
    let (data, wanted, there) = (engine.machine().data.clone(), id.to_owned(), record.clone());
    let (in_trash, stands) = blocking(move || Ok((trash::holds(&data, &wanted), there.stands()))).await?;
    // The skill may be back already, if its values could not be handed over then, as on a full disk.
    if in_trash || !stands {
        // The choices about the skill do not apply to another one that took its place.
        if location.symlink_metadata().is_ok() {
            return Err(in_its_place(file_failed(ReplaceError::Taken(location))));
        }
        if !in_trash {
            let message = format!("The files of {} are not in the trash any more.", record.name);
            let hints = vec!["Delete it there, so that what was given for it is forgotten too.".to_owned()];
            return Err(ActionError { kind: ErrorKind::NotFound, message, hints });
        }
        bring_back(engine, id, &record).await.map_err(in_its_place)?;
    }
    let done = finish_restore(engine, id, &record).await;
    look_again(engine, &location).await;
    done.map(|()| record.key())
}

/// Moves the skill itself back. Until it is there, the choices about it do not apply to anything else at that place.
async fn bring_back(engine: &Engine, id: &str, record: &Record) -> Result<(), ActionError> {
    let (folder, path, chosen) = (record.folder.clone(), record.path.clone(), record.chosen.clone());
    let expected = folder.clone();
    let (_, saving) = engine.state().apply(move |state| state.choices.expect(&expected, &chosen)).await?;
    let (data, from, to) = (engine.machine().data.clone(), id.to_owned(), record.location());
    let moved = match saving.needed().await {
        Ok(()) => blocking(move || trash::take_back(&data, &from, &to).map_err(file_failed)).await,
        Err(error) => Err(error),
    };
    if moved.is_err() {
        drop(engine.state().change(move |state| state.choices.take(&folder, &path)).await);
    }
    moved
}

/// Restores the choices and values of a skill that is back, and forgets its record.
async fn finish_restore(engine: &Engine, id: &str, record: &Record) -> Result<(), ActionError> {
    let (folder, chosen) = (record.folder.clone(), record.chosen.clone());
    engine.state().change(move |state| state.choices.give_back(&folder, chosen)).await?;
    secrets::rename_key(engine, &trash::key(id), &record.key()).await.map_err(|error| {
        let message = format!("{} is back, but not what was given for its servers. {}", record.name, error.message);
        ActionError { message, hints: vec!["Make room on the disk, then restore it once more.".to_owned()], ..error }
    })?;
    remove(engine, id).await
}

/// Deletes a skill in the trash for good, with its values and secrets.
///
/// # Errors
/// When it no longer exists, or a secret or a file of it cannot be removed.
pub async fn delete_trashed(engine: &Engine, id: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let trashed = find(engine, id)?;
    secrets::forget(engine, &trash::key(&trashed.id)).await?;
    sign_in::forget_of(engine, &trashed.record.key()).await?;
    remove(engine, id).await
}

impl Engine {
    /// Deletes skills that were in the trash for 30 days. A failed deletion is tried again later.
    pub(crate) async fn tidy_trash(&self) {
        let now = clock::now();
        for trashed in self.state().now().trash.iter().filter(|trashed| trash::is_over(trashed, now)) {
            if let Err(error) = delete_trashed(self, &trashed.id).await {
                tracing::warn!(%error, id = trashed.id, "a skill in the trash is kept longer");
            }
        }
    }
}

/// Puts away the choices and values of the skill, then moves the skill itself. On an error nothing changes.
async fn moved(engine: &Engine, key: &str, trashed: &Trashed) -> Result<Option<PathBuf>, ActionError> {
    let (in_trash, record) = (trash::key(&trashed.id), &trashed.record);
    let (folder, path) = (record.folder.clone(), record.path.clone());
    let (_, saving) = engine.state().apply(move |state| drop(state.choices.put_away(&folder, &path))).await?;
    let (folder, chosen) = (record.folder.clone(), record.chosen.clone());
    let choose_again = move |state: &mut State| state.choices.give_back(&folder, chosen);
    let away = match saving.needed().await {
        Ok(()) => secrets::rename_key(engine, key, &in_trash).await,
        Err(error) => Err(error),
    };
    if let Err(error) = away {
        // The reason why it cannot be saved was reported already.
        drop(engine.state().change(choose_again).await);
        give_up(engine, &trashed.id).await?;
        return Err(error);
    }
    let (data, thrown) = (engine.machine().data.clone(), trashed.clone());
    let done = blocking(move || trash::throw(&data, &thrown).map_err(file_failed)).await;
    if done.is_err() {
        drop(engine.state().change(choose_again).await);
        // If this fails the record stays, and the next start completes it.
        secrets::rename_key(engine, &in_trash, key).await?;
        give_up(engine, &trashed.id).await?;
    }
    done
}

async fn give_up(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let (data, id) = (engine.machine().data.clone(), id.to_owned());
    blocking(move || trash::give_up(&data, &id).map_err(file_failed)).await
}

/// The choices about a skill and those inside it.
fn look(engine: &Engine, entry: &Entry) -> Chosen {
    engine.state().now().choices.clone().take(&entry.folder, &entry.path)
}

pub(super) fn find(engine: &Engine, id: &str) -> Result<Trashed, ActionError> {
    let found = engine.state().now().trash.iter().find(|trashed| trashed.id == id).cloned();
    found.ok_or_else(|| failed(ErrorKind::NotFound, "This skill is not in the trash any more."))
}

/// The id of the trashed skill that `word` names: by its id in the trash, by its key, by the name of its folder or its
/// own.
///
/// # Errors
/// When nothing in the trash has this name, or several have.
pub async fn find_trashed(engine: &Engine, word: &str) -> Result<String, ActionError> {
    let state = engine.state().now();
    let trash = &state.trash;
    let by_id = trash.iter().find(|trashed| trashed.id == word);
    let named = trash
        .iter()
        .filter(|Trashed { record, .. }| record.key() == word || record.folder_name() == word || record.name == word);
    match by_id.map_or_else(|| named.collect(), |trashed| vec![trashed]).as_slice() {
        [] => {
            let names = trash.iter().map(|trashed| trashed.record.folder_name());
            let message = format!("Nothing in the trash is named {word}.");
            Err(unknown(message, word, names, "`skilltender trash` lists what lies there."))
        }
        [only] => Ok(only.id.clone()),
        several => {
            let place = |trashed: &&Trashed| {
                format!("{} from {}", trashed.id, engine.machine().place(&trashed.record.location()))
            };
            let all: Vec<_> = several.iter().map(place).collect();
            let message = format!("{} skills in the trash are named {word}.", all.len());
            let hints = vec![format!("Name one by its number: {}.", all.join(", "))];
            Err(ActionError { hints, ..failed(ErrorKind::Input, message) })
        }
    }
}

async fn remove(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let (data, gone) = (engine.machine().data.clone(), id.to_owned());
    blocking(move || trash::delete(&data, &gone).map_err(file_failed)).await?;
    let id = id.to_owned();
    engine.state().change(move |state| state.trash.retain(|trashed| trashed.id != id)).await
}
