//! Writes a team's file from this library. It holds names of secrets and never a value: what a person entered is not read
//! here at all.

use std::collections::{BTreeMap, BTreeSet};

use ::skills::{Server, Skill, looks_secret, written_out};
use api::{ActionError, ErrorKind, Standing, TeamExport, TeamWhy, failed};
use origins::{Record, Versions};
use servers::Fetched;
use sources::{LockedSkill, Team, TeamSecret, TeamServer};
use state::{State, blocking};

use super::judge::{argv, form_of};
use crate::{Engine, actions::locked_skill_of};

/// A skill as it came, and what the file has of it.
type Exported = (String, String, LockedSkill, Skill);

/// The file of a team with these skills, or with all that have a source. What people wrote into `older`, the text of the
/// file so far, stays.
///
/// # Errors
/// When one of them has no source, or none has; when a server holds what looks like a secret; when `older` cannot be read.
pub async fn export_team(
    engine: &Engine,
    keys: Option<&[String]>,
    older: Option<&str>,
) -> Result<TeamExport, ActionError> {
    let older = older.map(super::read).transpose()?;
    let (state, catalog, snapshot) = (engine.state().now(), engine.state().catalog(), engine.snapshot());
    let no_source = |id: &str| format!("{id} has no git source, so nobody else could get it.");
    let mut left_out = Vec::new();
    let mut wanted = Vec::new();
    for entry in catalog.entries() {
        let (key, id) = (entry.key(), entry.skill.id.clone());
        match (state.origins.get(&key), keys) {
            (_, Some(keys)) if !keys.contains(&key) => {}
            (Some(record), _) => wanted.push((id, key, record.clone())),
            (None, Some(_)) => return Err(failed(ErrorKind::NotFound, no_source(&id))),
            (None, None) => left_out.push(TeamWhy { why: no_source(&id), name: id, act: None }),
        }
    }
    if wanted.is_empty() {
        return Err(failed(
            ErrorKind::NotFound,
            "No skill has a git source, so there is nothing that a team could join.",
        ));
    }
    let versions = Versions::of(engine.machine());
    let exported = blocking(move || wanted.into_iter().map(|skill| read(&versions, skill)).collect());
    let exported: Vec<Exported> = exported.await?;
    let mut team = Team::default();
    for (id, key, locked, skill) in &exported {
        if team.skills.insert(id.clone(), locked.clone()).is_some() {
            let message = format!("Two skills with a source are called {id}: name the one that is meant.");
            return Err(failed(ErrorKind::Input, message));
        }
        for server in &skill.servers {
            match exported_server(&state, id, key, server)? {
                Some(server) => add(&mut team.servers, server),
                None => left_out.push(TeamWhy {
                    why: format!("The skill {id} does not say how its server {} is started.", server.name),
                    name: server.name.clone(),
                    act: None,
                }),
            }
        }
    }
    team.servers.sort();
    for set in &snapshot.sets {
        let of_set = exported.iter().filter(|(_, key, ..)| set.skills.contains(key)).map(|(id, ..)| id.clone());
        let skills: BTreeSet<_> = of_set.collect();
        if !skills.is_empty() {
            team.sets.insert(set.name.clone(), skills);
        }
    }
    let is_connected = |standing: &Standing| matches!(standing, Standing::Added | Standing::Outdated { .. });
    let connected = snapshot.clients.iter().filter(|client| is_connected(&client.standing));
    let is_known = |id: &&String| clients::TABLE.iter().any(|row| row.id == id.as_str());
    team.clients = connected.map(|client| &client.id).filter(is_known).cloned().collect();
    if let Some(older) = &older {
        team.keep_of(older);
    }
    let text = team.to_string();
    // What this program cannot read again is no file for others.
    super::read(&text)?;
    super::judge::policy(&team)?;
    let servers = team.servers.iter().map(|server| server.name.clone()).collect();
    Ok(TeamExport { text, skills: team.skills.into_keys().collect(), servers, left_out })
}

/// A skill as it came from its source, whatever its person changed since.
fn read(versions: &Versions, (id, key, record): (String, String, Record)) -> Result<Exported, ActionError> {
    if ::sources::Source::read(&record.address).is_err() || has_user(&record.address) {
        let message = format!("The address of the source of {id} holds a name or a password, so nothing was written.");
        let hints = vec!["Add the skill again by an address without them; git asks your credential helper.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Refused, message, hints });
    }
    let files = versions.read(&record.now.came).map_err(|missing| failed(ErrorKind::System, missing.to_string()))?;
    let bytes = files.get("SKILL.md").map(|file| file.bytes.clone()).unwrap_or_default();
    let skill = ::skills::read(&id, &bytes);
    Ok((id, key, locked_skill_of(&record), skill))
}

/// Whether an address over http names who asks; over ssh that is a part of it.
fn has_user(address: &str) -> bool {
    let over_http = address.starts_with("https://") || address.starts_with("http://");
    over_http
        && address.split("://").nth(1).and_then(|rest| rest.split('/').next()).is_some_and(|host| host.contains('@'))
}

/// A server in the form that this person has of it; `None` where the skill has none.
fn exported_server(state: &State, id: &str, key: &str, server: &Server) -> Result<Option<TeamServer>, ActionError> {
    let Some(way) = state.given.way(key, server) else { return Ok(None) };
    if let Some(place) = written_out(way).first() {
        let message = format!(
            "The server {} of {id} holds what looks like a secret in {place}, so nothing was written.",
            server.name
        );
        let hints = vec!["Let the skill ask for it as a parameter that is `sensitive`, at its source.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Refused, message, hints });
    }
    let form = form_of(way);
    let name = server.name.clone();
    let here = state.servers.wanted.iter().find_map(|wanted| wanted.of_skill(key, &name)).map(|want| want.name.clone());
    let package = Fetched::of(&argv(&form)).map(|fetched| fetched.package);
    let is_its = |pin: &&choices::Pin| {
        pin.server == *here.as_ref().unwrap_or(&name) && package.as_deref() == Some(pin.package.as_str())
    };
    let version = state.choices.servers.pins.iter().find(is_its).map(|pin| pin.version.clone());
    // What no person reads as one line is left to the page of the skill.
    let is_line = |text: &String| text.chars().count() <= 1_000 && !text.contains(char::is_control);
    let how = |text: &Option<String>| text.clone().filter(|text| is_line(text) && !looks_secret(text));
    let secrets: BTreeMap<_, _> = server
        .parameters
        .iter()
        .filter(|parameter| parameter.sensitive)
        .map(|parameter| (parameter.name.clone(), TeamSecret { how: how(&parameter.description), address: None }))
        .collect();
    Ok(Some(TeamServer { name, skills: [id.to_owned()].into(), form, version, secrets }))
}

/// Adds a server, or its skill to the same one.
fn add(servers: &mut Vec<TeamServer>, server: TeamServer) {
    let is_same = |one: &&mut TeamServer| {
        (&one.name, &one.form, &one.version, &one.secrets)
            == (&server.name, &server.form, &server.version, &server.secrets)
    };
    match servers.iter_mut().find(is_same) {
        Some(same) => same.skills.extend(server.skills),
        None => servers.push(server),
    }
}
