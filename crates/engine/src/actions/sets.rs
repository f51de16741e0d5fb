//! User actions on sets of skills: a client with a set sees only its skills.

use std::collections::BTreeSet;

use api::{ActionError, ErrorKind, failed, unknown_client};
use choices::{Choices, SetChoice, tokens::BY_HAND};

use crate::Engine;

/// The maximum length of a set's name, in characters.
const LONGEST: usize = 80;

/// Creates a set of these skills; keys of skills that no longer exist are left out. Returns its id.
///
/// # Errors
/// When the name is empty, too long, or another set's.
pub async fn make_set(engine: &Engine, name: &str, keys: &[String]) -> Result<String, ActionError> {
    let (name, skills) = (checked(name)?, there(engine, keys));
    engine
        .state()
        .change(move |state| {
            let choices = &mut state.choices;
            refuse_taken(choices, &name, None)?;
            choices.last_set += 1;
            let id = format!("s{}", choices.last_set);
            choices.sets.push(SetChoice {
                id: id.clone(),
                name,
                skills,
                folders: Vec::new(),
                rest: Default::default(),
            });
            Ok(id)
        })
        .await?
}

/// Changes a set's name and skills. A missing skill stays in the set if it is named.
///
/// # Errors
/// When there is no such set, or the name is empty, too long, or another set's.
pub async fn change_set(engine: &Engine, id: &str, name: &str, keys: &[String]) -> Result<(), ActionError> {
    let (id, name, skills) = (id.to_owned(), checked(name)?, there(engine, keys));
    let named: BTreeSet<_> = keys.iter().cloned().collect();
    engine
        .state()
        .change(move |state| {
            refuse_taken(&state.choices, &name, Some(&id))?;
            let set = state.choices.sets.iter_mut().find(|set| set.id == id).ok_or_else(gone)?;
            let away = set.skills.intersection(&named).cloned();
            set.skills = skills.into_iter().chain(away).collect();
            set.name = name;
            Ok(())
        })
        .await?
}

/// Deletes a set. Its skills stay as they are.
///
/// # Errors
/// When there is no such set, or a client uses it, which would then see every skill, or a folder has it.
pub async fn delete_set(engine: &Engine, id: &str) -> Result<(), ActionError> {
    let id = id.to_owned();
    engine
        .state()
        .change(move |state| {
            let choices = &mut state.choices;
            let at = choices.sets.iter().position(|set| set.id == id).ok_or_else(gone)?;
            let users: Vec<_> =
                choices.set_of.iter().filter(|(_, set)| **set == id).map(|(client, _)| name(client)).collect();
            if let bound @ [_, ..] = &*choices.sets[at].folders {
                let folders: Vec<_> = bound.iter().map(|bound| bound.folder.as_str()).collect();
                let message = format!("Clients that work in {} would see another set.", folders.join(", "));
                let hints = vec!["Take the folders from the set first.".to_owned()];
                return Err(ActionError { kind: ErrorKind::Refused, message, hints });
            }
            if users.is_empty() {
                choices.sets.remove(at);
                return Ok(());
            }
            let message = format!("{} would see every skill without this set.", users.join(", "));
            let hints = vec!["Give them another set or all skills first.".to_owned()];
            Err(ActionError { kind: ErrorKind::Refused, message, hints })
        })
        .await?
}

/// Restricts a client to the skills of a set; `None` lifts the restriction. The client is notified if its list changes.
///
/// # Errors
/// When there is no such client or set.
pub async fn give_set(engine: &Engine, client: &str, set: Option<String>) -> Result<(), ActionError> {
    let client = client.to_owned();
    engine
        .state()
        .change(move |state| {
            if client != BY_HAND && !state.clients.contains_key(&client) {
                return Err(unknown_client(&client, state.clients.keys().map(String::as_str)));
            }
            let choices = &mut state.choices;
            match set {
                Some(set) if !choices.sets.iter().any(|known| known.id == set) => return Err(gone()),
                Some(set) => drop(choices.set_of.insert(client, set)),
                None => drop(choices.set_of.remove(&client)),
            }
            Ok(())
        })
        .await?
}

fn checked(name: &str) -> Result<String, ActionError> {
    let name = name.trim();
    let length = name.chars().count();
    if (1..=LONGEST).contains(&length) && !name.contains(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(failed(ErrorKind::Input, format!("The name of a set is one line of 1 to {LONGEST} characters.")))
}

fn refuse_taken(choices: &Choices, name: &str, own: Option<&str>) -> Result<(), ActionError> {
    let same = |set: &&SetChoice| set.name.to_lowercase() == name.to_lowercase() && Some(set.id.as_str()) != own;
    match choices.sets.iter().find(same) {
        Some(other) => {
            Err(failed(ErrorKind::Input, format!("There is a set `{}` already. Choose another name.", other.name)))
        }
        None => Ok(()),
    }
}

fn there(engine: &Engine, keys: &[String]) -> BTreeSet<String> {
    let catalog = engine.state().catalog();
    keys.iter().filter(|key| catalog.by_key(key).is_some()).cloned().collect()
}

fn gone() -> ActionError {
    failed(ErrorKind::NotFound, "This set is not there any more.")
}

/// The display name of a client.
fn name(id: &str) -> &str {
    clients::TABLE.iter().find(|client| client.id == id).map_or("A client connected by hand", |client| client.name)
}
