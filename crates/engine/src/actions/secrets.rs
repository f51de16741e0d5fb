//! User actions on secrets and values.

use std::collections::BTreeMap;

use api::{ActionError, ErrorKind, SkillNeeds, failed};
use choices::values;
use connect::file_failed;
use machine::KeychainKind;
use secrets::{Secret, Secrets, SecretsError};
use servers::Requirement;
use skills::{Launch, Slot, WayKind};
use state::{State, blocking};

use crate::{Engine, actions::writing, pages};

/// Asks in the background whether a keychain answers, so that the snapshot can show it.
pub(crate) fn ask_keychain(engine: &Engine) {
    if engine.machine().keychain != KeychainKind::None {
        let engine = engine.clone();
        tokio::spawn(async move { retry_keychain(&engine).await });
    }
}

/// The secrets that a filled declaration names, by parameter name: for the environment of the one child
/// that it starts, see [`environment`](secrets::environment()).
///
/// # Errors
/// When the keychain does not give them out. Parameters without a stored secret are left out.
pub async fn secrets_for(
    engine: &Engine,
    key: &str,
    server: &str,
    launch: &Launch,
) -> Result<BTreeMap<String, Secret>, ActionError> {
    let secrets = engine.secrets();
    let slot = |name: &String| Slot { key: key.to_owned(), server: server.to_owned(), name: name.clone() };
    let wanted: Vec<_> = launch.secrets.values().map(slot).collect();
    blocking(move || {
        let mut found = BTreeMap::new();
        for parameter in wanted {
            let refused = |error: SecretsError| failed(ErrorKind::Keychain, error.to_string());
            if let Some(secret) = secrets.read(&parameter).map_err(refused)? {
                drop(found.insert(parameter.name, secret));
            }
        }
        Ok(found)
    })
    .await
}

/// Stores a secret for a parameter, in place of an older one. Without a keychain it is kept in memory until Skilltender
/// quits, and the snapshot says so.
///
/// # Errors
/// When no keychain could store the text, or the skill does not ask for this secret.
pub async fn set_secret(
    engine: &Engine,
    key: &str,
    server: &str,
    name: &str,
    value: String,
) -> Result<(), ActionError> {
    let secret = Secret::new(value).map_err(|refused| failed(ErrorKind::Input, refused.to_string()))?;
    let parameter = match is_adopted(engine, key, server, name) {
        true => parameter(key, server, name),
        false => declared(engine, key, server, name, true)?,
    };
    let slot = parameter.clone();
    let done = engine.gateway().with_secrets(move |secrets| secrets.set(slot, secret)).await?;
    stop_those_with(engine, &parameter).await?;
    match done {
        // Kept in memory, which the snapshot reports.
        Ok(_) | Err(SecretsError::Keychain(_)) => Ok(()),
        Err(SecretsError::Index(error)) => {
            Err(failed(ErrorKind::System, format!("The secret is kept only until you quit. {error}")))
        }
    }
}

/// Forgets a secret, here and in the keychain.
///
/// # Errors
/// When the keychain that stores it does not answer.
pub async fn delete_secret(engine: &Engine, key: &str, server: &str, name: &str) -> Result<(), ActionError> {
    let parameter = parameter(key, server, name);
    let slot = parameter.clone();
    let done = engine.gateway().with_secrets(move |secrets| secrets.delete(&slot)).await?;
    match done {
        Ok(_) => stop_those_with(engine, &parameter).await,
        Err(error) => Err(failed(ErrorKind::Keychain, format!("The secret was not removed. {error}"))),
    }
}

/// Stops the servers that hold an older value of a secret; the next call starts them again. Their launch specs
/// do not show the difference, so they would keep running.
async fn stop_those_with(engine: &Engine, parameter: &Slot) -> Result<(), ActionError> {
    let wanted = engine.state().now().servers.wanted.clone();
    let holds = |want: &&Requirement| {
        want.spec.as_ref().is_ok_and(|spec| spec.secrets.values().any(|used| used.parameter == *parameter))
    };
    for want in wanted.iter().flat_map(|wanted| wanted.servers.values()).filter(holds) {
        engine.gateway().stop(&want.name).await;
    }
    Ok(())
}

/// Sets the value of a parameter that is not a secret; `None` removes it. For a folder, the absolute path is stored.
///
/// # Errors
/// When the skill does not ask for this value, it contains a password, it names no folder where one is asked for, or it
/// cannot be saved.
pub async fn set_value(
    engine: &Engine,
    key: &str,
    server: &str,
    name: &str,
    value: Option<String>,
) -> Result<(), ActionError> {
    if value.as_ref().is_some_and(|value| value.contains('\0')) {
        return Err(failed(ErrorKind::Input, "The value holds a NUL character, which no program can be given."));
    }
    let (parameter, value) = match value {
        Some(value) => {
            let parameter = declared(engine, key, server, name, false)?;
            (parameter, Some(judged(engine, key, server, name, value).await?))
        }
        None => (parameter(key, server, name), None),
    };
    keep_value(engine, parameter, value).await
}

/// Validates a value that is stored in the open: it contains no password, and a folder exists.
async fn judged(engine: &Engine, key: &str, server: &str, name: &str, value: String) -> Result<String, ActionError> {
    let entry = engine.state().entry(key)?;
    let declared = entry.skill.servers.iter().find(|declared| declared.name == server);
    let parameters = declared.map(|declared| declared.parameters.as_slice()).unwrap_or_default();
    if skills::holds_password(&value) {
        let secrets = parameters.iter().filter(|parameter| parameter.sensitive).map(|parameter| &*parameter.name);
        let how = |secret: &str| format!("`skilltender secrets set {} {server} {secret}`", entry.skill.id);
        return Err(failed(ErrorKind::Refused, values::password_in(name, secrets, how)));
    }
    if !parameters.iter().any(|parameter| parameter.name == name && parameter.folder) {
        return Ok(value);
    }
    let (home, name) = (engine.machine().home.clone(), name.to_owned());
    blocking(move || values::folder(&home, &name, &value).map_err(|message| failed(ErrorKind::Input, message))).await
}

/// Saves a value, or removes it.
async fn keep_value(engine: &Engine, parameter: Slot, value: Option<String>) -> Result<(), ActionError> {
    let changed = engine.state().change(move |state| match value {
        Some(value) => drop(state.given.values.insert(parameter, value)),
        None => drop(state.given.values.remove(&parameter)),
    });
    let saved = changed.await;
    engine.gateway().reconcile_if_serving().await;
    saved
}

/// Picks the way in which a skill's server is started; `None` restores the skill's first.
///
/// # Errors
/// When the skill names no such way, or it cannot be saved.
pub async fn pick_way(engine: &Engine, key: &str, server: &str, way: Option<WayKind>) -> Result<(), ActionError> {
    writing(engine)?;
    let entry = engine.state().entry(key)?;
    let declared = entry.skill.servers.iter().find(|declared| declared.name == server);
    let named = |way: WayKind| declared.is_some_and(|server| server.ways.iter().any(|one| one.kind() == way));
    if declared.is_none() || way.is_some_and(|way| !named(way)) {
        let how = way.map_or_else(String::new, |way| format!(" that is started as {}", way.as_str()));
        return Err(failed(ErrorKind::Input, format!("{} has no server {server}{how}.", entry.skill.name)));
    }
    keep_value(engine, Slot::way(key, server), way.map(|way| way.as_str().to_owned())).await
}

/// Moves the user's values and secrets for a skill's servers to another key.
///
/// # Errors
/// When it cannot be saved; then nothing changes.
pub(super) async fn rename_key(engine: &Engine, from: &str, to: &str) -> Result<(), ActionError> {
    let hand = async |from: &str, to: &str| {
        let (secrets, from, to) = (engine.secrets(), from.to_owned(), to.to_owned());
        blocking(move || secrets.rename_key(&from, &to).map_err(file_failed)).await
    };
    let publish = async |from: &str, to: &str| {
        let (secrets, from, to) = (engine.secrets(), from.to_owned(), to.to_owned());
        engine.state().apply(move |state| rename_key_in(state, &secrets, &from, &to)).await
    };
    super::sources::rename_origin(engine, from, to).await?;
    hand(from, to).await?;
    let (_, saving) = publish(from, to).await?;
    if let Err(error) = saving.needed().await {
        hand(to, from).await?;
        publish(to, from).await?;
        super::sources::rename_origin(engine, to, from).await?;
        return Err(error);
    }
    Ok(())
}

/// The same in the state, after the secrets themselves were moved.
pub(crate) fn rename_key_in(state: &mut State, secrets: &Secrets, from: &str, to: &str) {
    let moved = |(one, value): (&Slot, &String)| (one.moved(from, to).unwrap_or(one.clone()), value.clone());
    let values: BTreeMap<_, _> = state.given.values.iter().map(moved).collect();
    if values != *state.given.values {
        *state.given.values = values;
    }
    state.given.secrets = secrets.facts();
}

/// Forgets the user's values and secrets for a skill's servers.
///
/// # Errors
/// When the keychain that stores a secret does not answer, or it cannot be saved.
pub(super) async fn forget(engine: &Engine, key: &str) -> Result<(), ActionError> {
    let given = engine.state().now().given.clone();
    let of_skill = |one: &&Slot| one.moved(key, key).is_some();
    for Slot { key, server, name } in given.secrets.keys().filter(of_skill) {
        delete_secret(engine, key, server, name).await?;
    }
    for Slot { key, server, name } in given.values.keys().filter(of_skill) {
        set_value(engine, key, server, name, None).await?;
    }
    super::sources::forget_origin(engine, key).await
}

/// The needs of all skills with servers and of adopted servers, and which of them are met; of secrets only that they
/// exist.
pub fn read_needs(engine: &Engine) -> Vec<SkillNeeds> {
    let state = engine.state().now();
    let given = &state.given;
    let catalog = engine.state().catalog();
    let rows = engine.snapshot().skills.clone();
    let needing = catalog.entries().iter().filter(|entry| !entry.skill.servers.is_empty());
    let needs = needing.map(|entry| {
        let key = entry.key();
        let enabled = rows.iter().any(|row| row.key == key && row.enabled);
        SkillNeeds { needs: pages::needs(&entry.skill, given, &key), name: entry.skill.name.clone(), enabled, key }
    });
    let kept = state.servers.adopted.servers.iter().map(|kept| pages::kept_needs(kept, given));
    needs.chain(kept).collect()
}

/// Whether a secret is kept only until Skilltender quits.
pub(crate) fn is_in_memory_only(engine: &Engine, key: &str, server: &str, name: &str) -> bool {
    let parameter = parameter(key, server, name);
    engine.state().now().given.secrets.get(&parameter).is_some_and(|fact| fact.only_this_run)
}

/// Tries the keychain again and moves there what was kept in memory in the meantime.
///
/// # Errors
/// When the engine is quitting. A keychain that does not answer is not an error: the snapshot reports it.
pub async fn retry_keychain(engine: &Engine) -> Result<(), ActionError> {
    engine.gateway().with_secrets(Secrets::move_to_keychain).await.map(drop)
}

/// Whether it is a secret of an adopted server.
fn is_adopted(engine: &Engine, key: &str, server: &str, name: &str) -> bool {
    let slot = parameter(key, server, name);
    let state = engine.state().now();
    state.servers.adopted.servers.iter().any(|kept| kept.secrets.keys().any(|name| kept.parameter(name) == slot))
}

/// The parameter, if the skill declares it this way: nothing is stored that no skill asks for.
fn declared(engine: &Engine, key: &str, server: &str, name: &str, secret: bool) -> Result<Slot, ActionError> {
    let entry = engine.state().entry(key)?;
    let servers = entry.skill.servers.iter().filter(|declared| declared.name == server);
    let mut parameters = servers.flat_map(|declared| &declared.parameters);
    if parameters.any(|declared| declared.name == name && declared.sensitive == secret) {
        return Ok(parameter(key, server, name));
    }
    let what = if secret { "a secret" } else { "a value" };
    Err(failed(
        ErrorKind::NotFound,
        format!("{} does not ask for {what} {name} for {server} any more.", entry.skill.name),
    ))
}

fn parameter(key: &str, server: &str, name: &str) -> Slot {
    Slot { key: key.to_owned(), server: server.to_owned(), name: name.to_owned() }
}
