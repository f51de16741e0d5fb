//! Finds the skill that a typed word refers to.

use std::path::Path;

use api::{ActionError, ErrorKind, failed, unknown};

use crate::Engine;

/// The key of the skill that `word` names: by its key, by its id, or by the absolute path of its folder or its
/// SKILL.md. Among several with one id, the served one is chosen.
///
/// # Errors
/// When there is none, or several and none of them is served.
pub fn find_skill(engine: &Engine, word: &str) -> Result<String, ActionError> {
    let catalog = engine.state().catalog();
    if let Some(entry) = catalog.by_key(word) {
        return Ok(entry.key());
    }
    // A word with this prefix is the key of a client's adopted servers, which takes the place of a skill's key.
    if word.starts_with(servers::OF_CLIENTS) {
        return Ok(word.to_owned());
    }
    let path = Path::new(word);
    if path.is_absolute() {
        let folder = if path.ends_with("SKILL.md") { path.parent().unwrap_or(path) } else { path };
        let at = catalog.entries().iter().find(|entry| entry.location == folder);
        let missing = || {
            let mut error = failed(ErrorKind::Unknown, format!("{word} is not a skill of the library."));
            error.hints.push("Add its folder to the library first.".to_owned());
            error
        };
        return at.map(|entry| entry.key()).ok_or_else(missing);
    }
    let named: Vec<_> = catalog.entries().iter().filter(|entry| entry.skill.id == word).collect();
    match named.as_slice() {
        [] => match engine.unread(word) {
            Some(why) => {
                Err(failed(ErrorKind::System, format!("The skill {word} cannot be looked for or read now: {why}")))
            }
            None => {
                let ids = catalog.entries().iter().map(|entry| entry.skill.id.as_str());
                let none = format!("No skill has the id {word}.");
                Err(unknown(none, word, ids, "`skilltender list` names them all."))
            }
        },
        [only] => Ok(only.key()),
        several => match several.iter().find(|entry| entry.served()) {
            Some(served) => Ok(served.key()),
            None => {
                let keys: Vec<_> = several.iter().map(|entry| entry.key()).collect();
                let message =
                    format!("{} skills have the id {word}. Name one by its key: {}.", keys.len(), keys.join(", "));
                Err(failed(ErrorKind::Input, message))
            }
        },
    }
}
