//! Finds what the user named, and runs orders: in the running engine, or in one started for them.

use std::path::{Path, PathBuf};

use api::ActionError;
use engine::{
    Engine, Machine, Mode, actions,
    orders::{self, Order},
};
use serde_json::Value;

use crate::{Failure, Text, print, print_json, runtime};

/// Gives an order and waits until it is done.
pub(crate) fn give(home: Option<&Path>, order: Order) -> Result<Value, Failure> {
    Ok(answer(home, order)??)
}

/// The same, with the error of the action kept apart.
pub(crate) fn answer(home: Option<&Path>, order: Order) -> Result<Result<Value, ActionError>, Failure> {
    let machine = Machine::here(home)?;
    Ok(runtime()?.block_on(orders::give(machine, order)))
}

/// The message, then the hints.
pub(crate) fn sentences(error: ActionError) -> String {
    std::iter::once(error.message).chain(error.hints).collect::<Vec<_>>().join(" ")
}

/// An engine that only reads, and the key in it of the skill that the user named: one of the library, or any by its
/// path.
pub(crate) async fn open(machine: Machine, word: &str) -> Result<(Engine, String), Failure> {
    let path = path(word)?;
    let mode = path.as_ref().map_or(Mode::Reading, |path| Mode::Plain { folders: vec![path.clone()] });
    let word = path.map_or_else(|| word.to_owned(), |path| path.display().to_string());
    let engine = Engine::start_once(machine, mode).await?;
    let key = actions::find_skill(&engine, &word)?;
    Ok((engine, key))
}

/// A skill as the user named it. A path is made absolute here, because the running engine has another working folder.
pub(crate) fn skill(word: &str) -> Result<String, Failure> {
    Ok(path(word)?.map_or_else(|| word.to_owned(), |path| path.display().to_string()))
}

/// The folder of a skill that is named by its path; `None` for an id or a key.
pub(crate) fn path(word: &str) -> Result<Option<PathBuf>, Failure> {
    let path = Path::new(word);
    let written_as_path = path.is_absolute() || word.starts_with('.') || path.ends_with("SKILL.md");
    let there = written_as_path || word.contains(['/', std::path::MAIN_SEPARATOR]) && path.is_dir();
    there.then(|| folder(path)).transpose()
}

/// The folder that a path names: itself, or that of a SKILL.md.
pub(crate) fn folder(path: &Path) -> Result<PathBuf, Failure> {
    let there = dunce::canonicalize(path)
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", path.display())))?;
    match there.parent() {
        // The commands work on the whole folder, which must not happen by mistake.
        _ if there.is_file() && there.file_name() != Some("SKILL.md".as_ref()) => {
            Err(Failure::usage(format!("{} is neither a folder nor a SKILL.md.", path.display())))
        }
        Some(folder) if there.is_file() => Ok(folder.to_path_buf()),
        _ => Ok(there),
    }
}

/// A library folder as the user named it: by its path, made absolute, or by its id.
pub(crate) fn library_folder(word: &str) -> Result<String, Failure> {
    let path = Path::new(word);
    if path.is_dir() { Ok(folder(path)?.display().to_string()) } else { Ok(word.to_owned()) }
}

/// Prints the result, as JSON or in words.
pub(crate) fn tell<T: Into<Text>>(json: bool, done: &Value, words: impl Fn(&Value) -> T) -> Result<(), Failure> {
    let told = if json { print_json(done) } else { print(words(done)) };
    // A bare failure would suggest that nothing was done.
    told.map_err(|failure| {
        Failure::refused(format!("It was done, but that could not be said here. {}", failure.message))
    })
}

/// The texts of a list.
pub(crate) fn texts(list: &Value) -> Vec<&str> {
    list.as_array().map(|texts| texts.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// A skill's id from its key, for people: the key names its library folder by an id of ours.
pub(crate) fn named(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}
