//! User actions on the library's folders, and on notices.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{ActionError, ErrorKind, FirstRun, failed};
use choices::{OWN, usually_enables_new};
use library::{
    Root,
    walk::{self, Scope},
};
use machine::Machine;
use state::{State, blocking};

use crate::{
    Engine, client_watch,
    session::{app_menu, login_start},
    start,
};

/// Adds a folder to the end of the library. Its present skills are off until the user has reviewed their contents,
/// which [`look_at_ready`](super::look_at_ready) shows. `enable_new`: whether later skills are switched on as they appear;
/// by default only in a folder that clients read by themselves.
///
/// # Errors
/// When the path is not an absolute path of a folder, or the library has it already.
pub async fn add_folder(engine: &Engine, path: &str, enable_new: Option<bool>) -> Result<(), ActionError> {
    let path = folder(path)?;
    let real = Real::of(engine, std::slice::from_ref(&path)).await?;
    let (added, saving) = engine.state().apply(move |state| add(state, &path, enable_new, &real)).await?;
    added?;
    engine.sweep(Scope::All).await;
    saving.done().await
}

/// Reads every folder and every client's files again, for changes without an event: after sleep, or when the window
/// comes to the front.
///
/// # Errors
/// When a client's files could not be read.
pub async fn read_again(engine: &Engine) -> Result<(), ActionError> {
    engine.sweep(Scope::All).await;
    let looking = engine.clone();
    let look = move || {
        // They are watched already; watching them again would traverse every folder of the library.
        client_watch::read_all_clients(&looking);
        Ok((login_start::read(looking.machine()), app_menu::read(looking.machine())))
    };
    let (login, menu) = blocking(look).await?;
    engine.state().change(move |state| (state.login, state.menu) = (login, menu)).await
}

/// Removes a folder from the library. Nothing in it changes.
///
/// # Errors
/// When there is no such folder, or it is our own.
pub async fn remove_folder(engine: &Engine, id: &str) -> Result<(), ActionError> {
    if id == OWN {
        return Err(failed(
            ErrorKind::Refused,
            "Skilltender's own folder stays in the library. Switch its skills off.",
        ));
    }
    let folder = id.to_owned();
    let (removed, saving) = engine
        .state()
        .apply(move |state| {
            let before = state.choices.folders.len();
            state.choices.folders.retain(|choice| choice.id != folder);
            state.choices.folders.len() < before
        })
        .await?;
    if !removed {
        return Err(failed(ErrorKind::NotFound, "This folder is not in the library any more."));
    }
    engine.sweep(Scope::All).await;
    saving.done().await
}

/// Sets whether skills that appear in a folder of the library are switched on. Those that are there stay as they are, and
/// so does one that looks harmful: it is off until the user has looked at it (decision 72).
///
/// # Errors
/// When there is no such folder.
pub async fn switch_new_skills(engine: &Engine, id: &str, on: bool) -> Result<(), ActionError> {
    let folder = id.to_owned();
    let switched = engine.state().change(move |state| {
        let folder = state.choices.folder_mut(&folder);
        folder.map(|folder| folder.enable_new = on).is_some()
    });
    if switched.await? {
        return Ok(());
    }
    Err(failed(ErrorKind::NotFound, "This folder is not in the library any more."))
}

/// Applies the answers of the first run: the folders to add, and whether the starter skills are on. The skills of the
/// folders are off until the user has reviewed them, as in [`add_folder`].
///
/// # Errors
/// When a folder cannot be added; then nothing changes, and the first run still waits for its answers.
pub async fn finish_first_run(engine: &Engine, answers: FirstRun) -> Result<(), ActionError> {
    let folders = answers.folders.iter().map(|path| folder(path)).collect::<Result<Vec<_>, _>>()?;
    let enable_new: Vec<_> = answers.enable_new.iter().map(PathBuf::from).collect();
    let (enable, real) = (answers.enable_ready, Real::of(engine, &folders).await?);
    let (finished, saving) = engine
        .state()
        .apply(move |state| {
            let before = state.choices.clone();
            for path in folders {
                if state.holds(&path) {
                    continue;
                }
                if let Err(refused) = add(state, &path, Some(enable_new.contains(&path)), &real) {
                    state.choices = before;
                    return Err(refused);
                }
            }
            if let Some(own) = state.choices.folder_mut(OWN).filter(|_| !enable) {
                // The starter skills are ours, and the user was asked about them.
                let paths: Vec<_> = own.skills.keys().cloned().collect();
                paths.iter().for_each(|path| own.switch(path, false));
            }
            state.choices.first_run = false;
            Ok::<_, ActionError>(())
        })
        .await?;
    finished?;
    engine.sweep(Scope::All).await;
    saving.done().await
}

/// Completes the first run without a window: the folders in which clients keep skills join the library, and their
/// skills are off until the user has reviewed them. Returns the folders that joined.
///
/// # Errors
/// When the engine has stopped.
pub async fn begin_alone(engine: &Engine) -> Result<Vec<String>, ActionError> {
    let machine = Arc::clone(engine.machine());
    let roots = engine.state().roots();
    let usual = blocking(move || Ok(Usual::look(&machine, &roots))).await?;
    let joined = engine.state().apply(move |state| {
        let joined = add_usual(state, usual);
        if joined.is_empty() {
            return Vec::new();
        }
        state.choices.first_run = false;
        joined.iter().map(|path| state.machine.place(path)).collect()
    });
    // The choice takes effect now; a failed save is retried and reported, and no caller waits for it.
    let (joined, _) = joined.await?;
    if !joined.is_empty() {
        engine.sweep(Scope::All).await;
    }
    Ok(joined)
}

/// The usual folders on this machine that contain skills, resolved on the disk.
pub(crate) struct Usual {
    folders: Vec<PathBuf>,
    real: Real,
}

impl Usual {
    /// Reads the disk. `roots`: the folders of the library.
    pub(crate) fn look(machine: &Machine, roots: &[Root]) -> Self {
        let folders = start::usual(machine);
        let all = folders.iter().chain(roots.iter().map(|root| &root.path));
        let real = Real::look(all.cloned());
        Self { folders, real }
    }
}

/// Adds those of these folders that the library does not have, while the first run waits for its answers. Returns the
/// added ones.
pub(crate) fn add_usual(state: &mut State, usual: Usual) -> Vec<PathBuf> {
    let Usual { folders, real } = usual;
    let waits = state.choices.first_run;
    folders.into_iter().filter(|path| waits && add(state, path, None, &real).is_ok()).collect()
}

/// Shows a notice until the user dismisses it. A notice with the same id replaces the earlier one.
///
/// # Errors
/// When the engine has stopped.
pub async fn give_notice(engine: &Engine, id: &str, message: &str) -> Result<(), ActionError> {
    let (id, message) = (id.to_owned(), message.to_owned());
    engine.state().change(move |state| state.notice(id, message)).await
}

/// Dismisses a notice.
///
/// # Errors
/// When the engine has stopped.
pub async fn dismiss_notice(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let id = id.to_owned();
    engine.state().change(move |state| state.notices.retain(|notice| notice.id != id)).await
}

fn folder(path: &str) -> Result<PathBuf, ActionError> {
    let folder = PathBuf::from(path);
    if !folder.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{path} is not an absolute path.")));
    }
    if !folder.is_dir() {
        return Err(failed(ErrorKind::NotFound, format!("{path} is not a folder on this computer.")));
    }
    Ok(folder)
}

/// The resolved paths of folders. They are resolved outside the loop, because a disconnected drive may block.
struct Real(HashMap<PathBuf, PathBuf>);

impl Real {
    /// Resolves these folders and those of the library.
    async fn of(engine: &Engine, folders: &[PathBuf]) -> Result<Self, ActionError> {
        let roots = engine.state().roots();
        let all: Vec<_> = folders.iter().cloned().chain(roots.iter().map(|root| root.path.clone())).collect();
        blocking(move || Ok(Self::look(all))).await
    }

    fn look(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let look = |path: PathBuf| dunce::canonicalize(&path).ok().map(|real| (path, real));
        Self(folders.into_iter().filter_map(look).collect())
    }

    fn path(&self, path: &Path) -> PathBuf {
        self.0.get(path).cloned().unwrap_or_else(|| path.to_path_buf())
    }
}

fn add(state: &mut State, path: &Path, enable_new: Option<bool>, real: &Real) -> Result<(), ActionError> {
    let new = real.path(path);
    for root in state.roots() {
        let old = real.path(&root.path);
        let (new_place, old_place) = (state.machine.place(path), state.machine.place(&root.path));
        let refused = if new == old {
            format!("{new_place} is in the library already.")
        } else if walk::reaches(&old, &new) {
            format!("{new_place} is inside {old_place}, so its skills are in the library already.")
        } else if root.id != OWN && walk::reaches(&new, &old) {
            format!("{new_place} holds {old_place}, which is in the library already. Remove that one first.")
        } else {
            continue;
        };
        return Err(failed(ErrorKind::Input, refused));
    }
    let enable_new = enable_new.unwrap_or_else(|| usually_enables_new(&state.machine, path));
    state.choices.add_folder(path, false, enable_new);
    Ok(())
}
