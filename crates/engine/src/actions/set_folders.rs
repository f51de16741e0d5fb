//! User actions on the folders of a set: a client that works in one of them sees that set instead of its own.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, failed};
use choices::{
    Choices, FolderBinding,
    folder_pattern::{FolderPattern, Writing, fixed_part},
};
use state::blocking;

use crate::Engine;

/// Binds a set to more folders, written as patterns. One that it has already changes nothing.
///
/// # Errors
/// When there is no such set, a pattern cannot be read, or one is as specific as a pattern of another set that means
/// some of the same folders.
pub async fn bind_set(engine: &Engine, id: &str, folders: &[String]) -> Result<(), ActionError> {
    let (id, home, bound) = (id.to_owned(), home(engine), looked_up(engine, folders).await?);
    engine
        .state()
        .change(move |state| {
            let at = place_of(&state.choices, &id)?;
            let mut all = state.choices.sets[at].folders.clone();
            add(&mut all, bound, &home);
            put(&mut state.choices, at, all, &home)
        })
        .await?
}

/// Takes folders from a set, as they are shown.
///
/// # Errors
/// When there is no such set, or it is not bound to one of them.
pub async fn unbind_set(engine: &Engine, id: &str, folders: &[String]) -> Result<(), ActionError> {
    let (id, home, away) = (id.to_owned(), home(engine), folders.to_vec());
    engine
        .state()
        .change(move |state| {
            let at = place_of(&state.choices, &id)?;
            let mut all = state.choices.sets[at].folders.clone();
            for folder in away {
                let pattern = FolderPattern::read(&folder, &home, Writing::HERE).ok();
                let same = |bound: &FolderBinding| {
                    bound.folder == folder
                        || pattern.is_some() && bound.patterns(&home, Writing::HERE).first() == pattern.as_ref()
                };
                let count = all.len();
                all.retain(|bound| !same(bound));
                if all.len() == count {
                    let name = &state.choices.sets[at].name;
                    return Err(failed(ErrorKind::NotFound, format!("The set {name} is not bound to `{folder}`.")));
                }
            }
            state.choices.sets[at].folders = all;
            Ok(())
        })
        .await?
}

/// Binds a set to exactly these folders.
///
/// # Errors
/// As [`bind_set`].
pub async fn set_folders(engine: &Engine, id: &str, folders: &[String]) -> Result<(), ActionError> {
    let (id, home, bound) = (id.to_owned(), home(engine), looked_up(engine, folders).await?);
    engine
        .state()
        .change(move |state| {
            let at = place_of(&state.choices, &id)?;
            let mut all = Vec::new();
            add(&mut all, bound, &home);
            put(&mut state.choices, at, all, &home)
        })
        .await?
}

fn home(engine: &Engine) -> PathBuf {
    engine.machine().home.clone()
}

fn place_of(choices: &Choices, id: &str) -> Result<usize, ActionError> {
    let at = choices.sets.iter().position(|set| set.id == id);
    at.ok_or_else(|| failed(ErrorKind::NotFound, "This set is not there any more."))
}

/// The patterns with `~` for the home folder, and where their links lead now. A share of another computer is not looked
/// at.
async fn looked_up(engine: &Engine, folders: &[String]) -> Result<Vec<FolderBinding>, ActionError> {
    let (home, mut written) = (home(engine), Vec::new());
    for folder in folders {
        FolderPattern::read(folder, &home, Writing::HERE).map_err(|why| failed(ErrorKind::Input, why))?;
        written.push(engine.machine().place(Path::new(folder.trim())));
    }
    blocking(move || {
        let bound = |folder: String| {
            let fixed = fixed_part(&folder, &home, Writing::HERE).map(PathBuf::from);
            let real = fixed.and_then(|fixed| mcp::WorkFolder::at(fixed.clone()).real.filter(|real| *real != fixed));
            let real = real.and_then(|real| real.into_os_string().into_string().ok());
            let led = real.as_deref().is_some_and(|real| {
                let pattern = FolderPattern::read(&folder, &home, Writing::HERE);
                pattern.is_ok_and(|pattern| pattern.leading_to(Path::new(real), Writing::HERE).is_some())
            });
            FolderBinding { folder, real: real.filter(|_| led), rest: Default::default() }
        };
        Ok(written.into_iter().map(bound).collect())
    })
    .await
}

/// Adds what is not there yet.
fn add(all: &mut Vec<FolderBinding>, more: Vec<FolderBinding>, home: &Path) {
    for bound in more {
        let pattern = |bound: &FolderBinding| bound.patterns(home, Writing::HERE).into_iter().next();
        match all.iter_mut().find(|other| pattern(other) == pattern(&bound)) {
            // It may lead elsewhere by now.
            Some(other) => other.real = bound.real,
            None => all.push(bound),
        }
    }
}

/// Gives a set these folders, unless one is as specific as another set's.
fn put(choices: &mut Choices, at: usize, folders: Vec<FolderBinding>, home: &Path) -> Result<(), ActionError> {
    let read = |bound: &FolderBinding| (bound.folder.clone(), bound.patterns(home, Writing::HERE));
    let others = choices.sets.iter().enumerate().filter(|(other, _)| *other != at);
    let others = others.flat_map(|(_, set)| set.folders.iter().map(move |bound| (set, read(bound))));
    let others: Vec<_> = others.collect();
    for (folder, patterns) in folders.iter().map(read) {
        let ties = |theirs: &[FolderPattern]| theirs.iter().any(|theirs| patterns.iter().any(|own| own.ties(theirs)));
        if let Some((set, (theirs, _))) = others.iter().find(|(_, (_, theirs))| ties(theirs)) {
            let message = format!(
                "`{folder}` is as specific as `{theirs}`, which the set {} is bound to: in a folder that both mean, neither could count.",
                set.name
            );
            let hints = vec!["Write one of the two more exactly, or take it from its set first.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Input, message, hints });
        }
    }
    choices.sets[at].folders = folders;
    Ok(())
}
